package lvms.tests.cluster;

import lvms.tests.lab.machine.Node;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.stream.Collectors;

/** The shell variables that {@code node.sh} reads. */
final class NodeSettings {
    private NodeSettings() {}

    static void write(Node node, Map<String, String> settings) throws IOException {
        var text =
                settings.entrySet().stream()
                        .map(entry -> entry.getKey() + "='" + entry.getValue() + "'\n")
                        .collect(Collectors.joining());
        Files.writeString(node.share().resolve("settings"), text);
    }
}
