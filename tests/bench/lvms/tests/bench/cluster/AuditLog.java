package lvms.tests.bench.cluster;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The API server's record of what the product's pods ask. */
record AuditLog(Path file) {
    private static final String POLICY =
            """
            apiVersion: audit.k8s.io/v1
            kind: Policy
            omitStages: [RequestReceived, ResponseStarted]
            rules:
              - level: Metadata
                userGroups: ["system:serviceaccounts:lvms-system"]
              - level: None
            """;

    static AuditLog in(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("policy.yaml"), POLICY);
        var file = folder.resolve("audit.log");
        Files.deleteIfExists(file);
        return new AuditLog(file);
    }

    /** The API server's flags. */
    List<String> flags() {
        return List.of(
                "--audit-policy-file=" + file.resolveSibling("policy.yaml"),
                "--audit-log-path=" + file,
                "--audit-log-mode=blocking");
    }

    /** How many requests there were up to now, by account, verb and resource; leases left out. */
    Map<String, Long> counts() throws IOException {
        var counts = new TreeMap<String, Long>();
        for (var line : Files.readAllLines(file)) {
            var event = Json.parse(line).asObject();
            var target = event.object("objectRef").orElse(ObjectTree.EMPTY);
            var verb = event.at("verb").asText();
            if (target.isEmpty() || verb.equals("watch")) {
                continue;
            }
            var resource = target.at("resource").asText();
            if (!resource.equals("leases")) {
                var user = event.at("user", "username").asText();
                var account = user.substring(user.lastIndexOf(':') + 1);
                var part = target.has("subresource") ? "/" + target.at("subresource").asText() : "";
                counts.merge(account + " " + verb + " " + resource + part, 1L, Long::sum);
            }
        }
        return counts;
    }
}
