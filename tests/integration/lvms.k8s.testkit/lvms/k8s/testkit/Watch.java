package lvms.k8s.testkit;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** An open watch whose lines wait in a queue. */
final class Watch implements AutoCloseable {
    private static final String END = "{\"type\":\"END\"}";

    private final java.net.http.HttpResponse<java.io.InputStream> response;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    Watch(Client client, String path) throws IOException, InterruptedException {
        response = client.stream(path);
        Thread.ofVirtual().start(this::read);
    }

    private void read() {
        try (var reader =
                new BufferedReader(
                        new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            for (var line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
            }
            lines.add(END);
        } catch (IOException e) {
            lines.add("{\"type\":\"BROKEN\"}");
        }
    }

    int code() {
        return response.statusCode();
    }

    /** The next event; fails if none comes. */
    JsonObject next() throws InterruptedException {
        var line = lines.poll(10, TimeUnit.SECONDS);
        if (line == null) {
            throw new AssertionError("no event");
        }
        try {
            return JsonParser.parseString(line).getAsJsonObject();
        } catch (com.google.gson.JsonParseException e) {
            return JsonParser.parseString("{\"type\":\"PARTIAL\"}").getAsJsonObject();
        }
    }

    /** Type and name of the next event: {@code ADDED a}. */
    String line() throws InterruptedException {
        var event = next();
        var name =
                Optional.ofNullable(event.getAsJsonObject("object"))
                        .map(o -> o.getAsJsonObject("metadata"))
                        .map(m -> m.get("name"))
                        .map(n -> " " + n.getAsString())
                        .orElse("");
        return event.get("type").getAsString() + name;
    }

    /** Whether nothing came within a short time. */
    boolean silent() throws InterruptedException {
        return lines.poll(300, TimeUnit.MILLISECONDS) == null;
    }

    @Override
    public void close() throws IOException {
        response.body().close();
    }
}
