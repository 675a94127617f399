package lvms.tests.cluster;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * A request that the API server has answered; of a watch, its end.
 *
 * @param user who asked
 * @param verb such as {@code create}; of a server-side apply it is {@code patch}
 * @param resource such as {@code configmaps} or {@code pods/status}; empty for other paths
 * @param status the HTTP status
 * @param received when the API server had read it, by its clock
 * @param answered when the API server was done with it
 */
public record AuditedRequest(
        String user, String verb, String resource, int status, Instant received, Instant answered) {
    static List<AuditedRequest> read(Path log) throws IOException {
        try (var lines = Files.lines(log)) {
            return lines.map(line -> of(Json.parse(line).asObject())).toList();
        }
    }

    private static AuditedRequest of(ObjectTree event) {
        return new AuditedRequest(
                event.at("user", "username").asText(),
                event.at("verb").asText(),
                event.has("objectRef") ? resource(event.at("objectRef").asObject()) : "",
                (int) event.at("responseStatus", "code").number().orElseThrow(),
                Instant.parse(event.at("requestReceivedTimestamp").asText()),
                Instant.parse(event.at("stageTimestamp").asText()));
    }

    private static String resource(ObjectTree reference) {
        var resource = reference.has("resource") ? reference.at("resource").asText() : "";
        return reference.has("subresource")
                ? resource + "/" + reference.at("subresource").asText()
                : resource;
    }
}
