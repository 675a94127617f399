package lvms.tests.bench.cluster;

import lvms.tests.cluster.ClusterNode;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A file on each volume that is mounted for a pod of a node, and what was in it. */
final class SyncedFiles {
    private static final Duration DEADLINE = Duration.ofMinutes(5);
    private static final String MOUNTS =
            "/var/lib/kubelet/pods/*/volumes/kubernetes.io~csi/*/mount";
    private static final String WRITE =
            """
            set -e
            for mount in %s; do
                mountpoint -q $mount
                dd if=/dev/urandom of=$mount/file bs=64k count=1 conv=fsync 2>/dev/null
            done
            """
                    .formatted(MOUNTS);
    private static final String READ = "sha256sum " + MOUNTS + "/file";

    private final ClusterNode node;
    private List<String> written = List.of();

    SyncedFiles(ClusterNode node) {
        this.node = node;
    }

    /** Writes and syncs a file on each of so many volumes. */
    void write(int volumes) throws IOException {
        run(WRITE);
        written = read();
        if (written.size() != volumes) {
            throw new IllegalStateException(written.size() + " volumes are mounted: " + written);
        }
    }

    /** Fails if a file is gone, is another one, or is read from a folder without its volume. */
    void requireUnchanged() throws IOException {
        var now = read();
        if (!now.equals(written)) {
            throw new IllegalStateException(
                    "the files of the volumes were%n%s%nand are%n%s"
                            .formatted(String.join("\n", written), String.join("\n", now)));
        }
    }

    /** A checksum and a path in each line; the paths stay, since pods and volumes do. */
    private List<String> read() throws IOException {
        return run(READ).lines().toList();
    }

    private String run(String script) throws IOException {
        return node.run(List.of("sh", "-c", script), DEADLINE).require(script);
    }
}
