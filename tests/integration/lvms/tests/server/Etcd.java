package lvms.tests.server;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The store of a real API server, by etcd's JSON gateway. */
final class Etcd {
    private static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final String PREFIX = "/registry/";

    /** The prefix with its last byte raised by one, as etcd names the end of a range. */
    private static final String END = "/registry0";

    private static final String COMPACTED = "compact_rev_key";

    /** etcd's limit for one transaction. */
    private static final int MOST_OPERATIONS = 128;

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI url;

    Etcd(URI url) {
        this.url = url;
    }

    /** Returns the key of every object. */
    Set<String> keys() {
        var range = new JsonObject();
        range.addProperty("key", encode(PREFIX));
        range.addProperty("range_end", encode(END));
        range.addProperty("keys_only", true);
        var keys = new HashSet<String>();
        for (var pair : list(call("kv/range", range), "kvs")) {
            keys.add(decode(pair.getAsJsonObject().get("key").getAsString()));
        }
        return keys;
    }

    /** Deletes objects; whoever watches them sees them go. */
    void delete(List<String> keys) {
        for (int from = 0; from < keys.size(); from += MOST_OPERATIONS) {
            var operations = new JsonArray();
            for (var key : keys.subList(from, Math.min(keys.size(), from + MOST_OPERATIONS))) {
                operations.add(deletion(key));
            }
            var transaction = new JsonObject();
            transaction.add("success", operations);
            call("kv/txn", transaction);
        }
    }

    private static JsonObject deletion(String key) {
        var range = new JsonObject();
        range.addProperty("key", encode(key));
        var operation = new JsonObject();
        operation.add("request_delete_range", range);
        return operation;
    }

    /**
     * Drops the history before now and returns the revision of now. The key is how API servers tell
     * each other of it; its own revision is the newest, so there is always something to drop.
     */
    long compact() {
        var noted = new JsonObject();
        noted.addProperty("key", encode(COMPACTED));
        noted.addProperty("value", encode(Long.toString(revision())));
        long now = revisionOf(call("kv/put", noted));
        var compaction = new JsonObject();
        compaction.addProperty("revision", Long.toString(now));
        call("kv/compaction", compaction);
        return now;
    }

    private long revision() {
        var one = new JsonObject();
        one.addProperty("key", encode(COMPACTED));
        return revisionOf(call("kv/range", one));
    }

    private static long revisionOf(JsonObject answer) {
        return answer.getAsJsonObject("header").get("revision").getAsLong();
    }

    private JsonObject call(String method, JsonObject body) {
        var request =
                HttpRequest.newBuilder(url.resolve("/v3/" + method))
                        .timeout(DEADLINE)
                        .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                        .build();
        try {
            var answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IOException("etcd " + method + ": " + answer.body());
            }
            return JsonParser.parseString(answer.body()).getAsJsonObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in a call of etcd", e);
        }
    }

    private static JsonArray list(JsonObject object, String name) {
        return object.has(name) ? object.getAsJsonArray(name) : new JsonArray();
    }

    private static String encode(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String decode(String text) {
        return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    }
}
