package lvms.tests.cluster;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;

/** etcd with one member, spoken to over its JSON gateway. */
final class Etcd implements AutoCloseable {
    private static final String FIRST_KEY =
            Base64.getEncoder().encodeToString("/".getBytes(StandardCharsets.US_ASCII));

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

    /** Drops the history before the present revision, and waits until it is gone from the disk. */
    void compact() throws IOException {
        var wanted = new JsonObject();
        wanted.addProperty("revision", revision());
        wanted.addProperty("physical", true);
        post("/v3/kv/compaction", wanted);
    }

    /** Returns the present revision. */
    long revision() throws IOException {
        var nothing = new JsonObject();
        nothing.addProperty("key", FIRST_KEY);
        var header = post("/v3/kv/range", nothing).getAsJsonObject("header");
        return header.get("revision").getAsLong();
    }

    private JsonObject post(String path, JsonObject body) throws IOException {
        var answer = requests.change("POST", path, "application/json", body.toString());
        return JsonParser.parseString(answer).getAsJsonObject();
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
