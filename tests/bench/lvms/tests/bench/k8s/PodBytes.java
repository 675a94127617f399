package lvms.tests.bench.k8s;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import java.util.UUID;

/**
 * One pod as an API server sends it. Its resource version and the time in its annotation are slots
 * of fixed size, which are filled right before it is sent. One thread.
 */
final class PodBytes {
    private static final int SENT_CHARS = 17; // a mark, and the microseconds since 1970
    private static final int VERSION_CHARS = 10;
    private static final String VERSION = "@".repeat(VERSION_CHARS);
    private static final String SENT = "#".repeat(SENT_CHARS);

    private final byte[] json;
    private final int versionAt;
    private final int sentAt;

    private PodBytes(String text) {
        json = text.getBytes(StandardCharsets.UTF_8);
        versionAt = text.indexOf(VERSION); // the text is ASCII
        sentAt = text.indexOf(SENT);
    }

    /** Makes pods that differ as those of a cluster with a node for each hundred do. */
    static PodBytes[] of(int count, boolean managedFields) throws IOException {
        var template = template(managedFields);
        var random = new Random(1);
        var pods = new PodBytes[count];
        for (int i = 0; i < count; i++) {
            pods[i] = new PodBytes(filled(template, i, random));
        }
        return pods;
    }

    private static String template(boolean managedFields) throws IOException {
        try (var in = PodBytes.class.getResourceAsStream("/resources/pod.json")) {
            var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            ObjectTree pod = Json.parse(text).asObject();
            return Json.write(managedFields ? pod : pod.without("metadata", "managedFields"));
        }
    }

    private static String filled(String template, int i, Random random) {
        var owner = new Random(i / 10); // a ReplicaSet has ten pods
        var minute = "%02d:%02d".formatted(i / 60 % 24, i % 60);
        return template.replace("@VERSION@", VERSION)
                .replace("@SENT@", SENT)
                .replace("@SUFFIX@", "%05x".formatted(i))
                .replace("@SET@", "%09x".formatted(i / 10 + 0x7d9c6b8f5L))
                .replace("@OWNER@", uid(owner))
                .replace("@UID@", uid(random))
                .replace("@NAMESPACE@", "team-" + i / 10 % 50)
                .replace("@TEAM@", "team-" + i / 10 % 50)
                .replace("@NODE@", "node-" + i % nodes(i) + ".example.com")
                .replace("@HOST@", "10.0." + i % 100 + "." + i / 100 % 10)
                .replace("@IP@", "10.%d.%d.%d".formatted(1 + i / 62500, i / 250 % 250, i % 250))
                .replace("@CREATED@", "2026-01-%02dT%s:00Z".formatted(1 + i / 1440 % 28, minute))
                .replace("@STARTED@", "2026-01-%02dT%s:07Z".formatted(1 + i / 1440 % 28, minute))
                .replace("@CONTAINER@", digest(random));
    }

    private static int nodes(int i) {
        return 1 + Math.max(99, i / 100);
    }

    private static String uid(Random random) {
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }

    private static String digest(Random random) {
        var bytes = new byte[32];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    int size() {
        return json.length;
    }

    /** Writes it, but for its opening brace: a watch has more members than a list. */
    void write(OutputStream out, long version, char mark, long sentMicros) throws IOException {
        digits(version, versionAt, VERSION_CHARS);
        json[sentAt] = (byte) mark;
        digits(sentMicros, sentAt + 1, SENT_CHARS - 1);
        out.write(json, 1, json.length - 1);
    }

    private void digits(long number, int at, int count) {
        long rest = number;
        for (int i = at + count - 1; i >= at; i--) {
            json[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }
}
