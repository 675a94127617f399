package lvms.tests.bench.fleet;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The API server's record of what node agents ask; a watch counts when it begins. */
record FleetAudit(Path log) {
    private static final String POLICY =
            """
            apiVersion: audit.k8s.io/v1
            kind: Policy
            omitStages: [RequestReceived]
            rules:
              - level: Metadata
                users: ["%s"]
              - level: None
            """;

    /**
     * Requests of one period.
     *
     * @param byAgent how many each agent sent
     * @param byKind how many there were of each verb, resource and answer
     */
    record Requests(Map<String, Long> byAgent, Map<String, Long> byKind) {
        long all() {
            return byAgent.values().stream().mapToLong(Long::longValue).sum();
        }

        /** Of the agent that sent most. */
        long most() {
            return byAgent.values().stream().mapToLong(Long::longValue).max().orElse(0);
        }
    }

    /** Prepares the record of a user's requests. */
    static FleetAudit in(Path folder, String user) throws IOException {
        Files.createDirectories(folder);
        var audit = new FleetAudit(folder.resolve("audit.log"));
        Files.writeString(audit.policy(), POLICY.formatted(user));
        return audit;
    }

    private Path policy() {
        return log.resolveSibling("policy.yaml");
    }

    /** The API server's flags. */
    List<String> flags() {
        return List.of(
                "--audit-policy-file=" + policy(),
                "--audit-log-path=" + log,
                "--audit-log-mode=blocking");
    }

    /** Counts what the server received in a period, by its clock, which is this machine's. */
    Requests between(Instant from, Instant to) throws IOException {
        var seen = new HashSet<String>();
        var byAgent = new TreeMap<String, Long>();
        var byKind = new TreeMap<String, Long>();
        for (var line : whole()) {
            var event = Json.parse(line).asObject();
            var received = Instant.parse(event.at("requestReceivedTimestamp").asText());
            boolean within = !received.isBefore(from) && received.isBefore(to);
            if (within && seen.add(event.at("auditID").asText())) {
                byAgent.merge(event.at("userAgent").asText(), 1L, Long::sum);
                byKind.merge(kind(event), 1L, Long::sum);
            }
        }
        return new Requests(byAgent, byKind);
    }

    /** The last line may be half written. */
    private List<String> whole() throws IOException {
        var text = Files.readString(log);
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    private static String kind(ObjectTree event) {
        var target = event.object("objectRef").orElse(ObjectTree.EMPTY);
        var what =
                target.has("resource")
                        ? target.at("resource").asText()
                        : event.at("requestURI").asText();
        var part = target.has("subresource") ? "/" + target.at("subresource").asText() : "";
        var code = event.number("responseStatus", "code").orElse(0);
        return event.at("verb").asText() + " " + what + part + ", " + code;
    }
}
