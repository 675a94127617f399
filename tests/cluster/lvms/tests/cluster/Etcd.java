package lvms.tests.cluster;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** etcd with one member, spoken to over its JSON gateway. */
final class Etcd implements AutoCloseable {
    /** Where the API server keeps its objects, and the end of that range. */
    private static final String OBJECTS = "/registry/";

    private static final String AFTER_OBJECTS = "/registry0";

    /** Where API servers tell each other up to which revision the history is gone. */
    private static final String COMPACTED = "compact_rev_key";

    /** etcd's limit for one transaction. */
    private static final int MOST_OPERATIONS = 128;

    private final Daemon daemon;
    private final ServerRequests requests;

    private Etcd(Daemon daemon, ServerRequests requests) {
        this.daemon = daemon;
        this.requests = requests;
    }

    static Etcd start(PlaneCommands commands, Path log) throws IOException {
        var requests = new ServerRequests(commands.etcd(), "");
        return new Etcd(Daemon.start(commands.etcdCommand(), log), requests);
    }

    /**
     * Drops the history before the present revision, which it returns, and waits until it is gone
     * from the disk. The API server learns of it, since its caches would go on answering.
     */
    long compact() throws IOException {
        var note = ObjectTree.builder();
        note.put("key", encode(COMPACTED));
        note.put("value", encode(Long.toString(revision())));
        long now = revisionOf(post("/v3/kv/put", note.build()));
        var wanted = ObjectTree.builder();
        wanted.put("revision", now);
        wanted.put("physical", true);
        post("/v3/kv/compaction", wanted.build());
        return now;
    }

    /** Returns the present revision. */
    long revision() throws IOException {
        var nothing = ObjectTree.builder();
        nothing.put("key", encode("/"));
        return revisionOf(post("/v3/kv/range", nothing.build()));
    }

    /** Protocol buffers write an integer of 64 bits as a text in JSON. */
    private static long revisionOf(ObjectTree answer) {
        return Long.parseLong(answer.text("header", "revision").orElseThrow());
    }

    /** Returns the keys of all objects of the API server. */
    Set<String> keys() throws IOException {
        var range = ObjectTree.builder();
        range.put("key", encode(OBJECTS));
        range.put("range_end", encode(AFTER_OBJECTS));
        range.put("keys_only", true);
        var answer = post("/v3/kv/range", range.build());
        var keys = new HashSet<String>();
        for (var pair : answer.has("kvs") ? answer.at("kvs").asList() : ListTree.EMPTY) {
            keys.add(decode(pair.asObject().at("key").asText()));
        }
        return keys;
    }

    /** Deletes objects as they are: no finalizer holds them, and watches see them go. */
    void delete(List<String> keys) throws IOException {
        for (int from = 0; from < keys.size(); from += MOST_OPERATIONS) {
            var operations = ListTree.builder();
            keys.subList(from, Math.min(keys.size(), from + MOST_OPERATIONS))
                    .forEach(key -> operations.add(deletion(key)));
            var transaction = ObjectTree.builder();
            transaction.put("success", operations.build());
            post("/v3/kv/txn", transaction.build());
        }
    }

    private static ObjectTree deletion(String key) {
        var range = ObjectTree.builder();
        range.put("key", encode(key));
        var operation = ObjectTree.builder();
        operation.put("request_delete_range", range.build());
        return operation.build();
    }

    private static String encode(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String decode(String text) {
        return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    }

    private ObjectTree post(String path, ObjectTree body) throws IOException {
        var answer = requests.change("POST", path, "application/json", body.toString());
        return Json.parse(answer).asObject();
    }

    Daemon daemon() {
        return daemon;
    }

    @Override
    public void close() throws IOException {
        requests.close();
        daemon.close();
    }
}
