package lvms.tests.lab.kubelet;

import lvms.tests.lab.machine.CommandResult;
import lvms.tests.lab.machine.Node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Containers on a node of the lab. */
public record NodePlace(Node node) implements Place {
    @Override
    public CommandResult run(List<String> command, Duration deadline) throws IOException {
        return node.run(command, deadline);
    }

    @Override
    public Path outside() {
        try {
            return Files.createDirectories(node.share().resolve("pods"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    public String inside() {
        return Node.SHARE + "/pods";
    }

    @Override
    public String podFolder(String podUid) {
        return VolumePaths.podFolder(podUid);
    }

    @Override
    public String prelude() {
        return "";
    }

    @Override
    public String address() {
        return node.address();
    }
}
