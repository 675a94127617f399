package lvms.tests.cluster;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A request that the API server has answered; of a watch, its end.
 *
 * @param user who asked
 * @param verb such as {@code create}; of a server-side apply it is {@code patch}
 * @param resource such as {@code configmaps} or {@code pods/status}; empty for other paths
 * @param status the HTTP status
 */
public record AuditedRequest(String user, String verb, String resource, int status) {
    static List<AuditedRequest> read(Path log) throws IOException {
        try (var lines = Files.lines(log)) {
            return lines.map(line -> of(JsonParser.parseString(line).getAsJsonObject())).toList();
        }
    }

    private static AuditedRequest of(JsonObject event) {
        return new AuditedRequest(
                event.getAsJsonObject("user").get("username").getAsString(),
                event.get("verb").getAsString(),
                event.has("objectRef") ? resource(event.getAsJsonObject("objectRef")) : "",
                event.getAsJsonObject("responseStatus").get("code").getAsInt());
    }

    private static String resource(JsonObject reference) {
        var resource = reference.has("resource") ? reference.get("resource").getAsString() : "";
        return reference.has("subresource")
                ? resource + "/" + reference.get("subresource").getAsString()
                : resource;
    }
}
