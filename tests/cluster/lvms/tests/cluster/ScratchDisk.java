package lvms.tests.cluster;

import lvms.tests.lab.machine.HostProgram;
import lvms.tests.lab.machine.Lab;
import lvms.tests.lab.machine.Node;
import lvms.tests.lab.machine.NodeOptions;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The disk of {@code /var/lib} as every node starts with it: containerd holds the images already,
 * written to the end, so a new node is a copy of a file. Made once for each set of images.
 */
final class ScratchDisk {
    static final long SIZE_BYTES = 16L << 30;
    private static final Duration IMPORT = Duration.ofMinutes(4);

    private final ClusterOptions options;
    private final List<Path> images;
    private final Path folder;
    private Path original;

    ScratchDisk(ClusterOptions options) {
        this.options = options;
        var own = options.repository().resolve("out/cluster-images");
        this.images = List.of(own.resolve("pause.tar"), own.resolve("test.tar"), options.archive());
        this.folder = options.cache().resolve("cluster");
    }

    /** Fills a new disk's file; makes the original first where this set of images is new. */
    void copyTo(Path disk) throws IOException, InterruptedException {
        HostProgram.run(
                List.of(
                        "cp",
                        "--sparse=always",
                        "--reflink=auto",
                        original().toString(),
                        disk.toString()));
    }

    /** Returns the original; one process makes it while others wait. */
    synchronized Path original() throws IOException, InterruptedException {
        if (original == null) {
            original = find();
        }
        return original;
    }

    private Path find() throws IOException, InterruptedException {
        Files.createDirectories(folder);
        var found = folder.resolve("scratch-" + digest() + ".img");
        try (var file =
                        FileChannel.open(
                                folder.resolve("lock"),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE);
                var lock = file.lock()) {
            assert lock.isValid();
            if (!Files.exists(found)) {
                removeOthers();
                make(found);
            }
        }
        return found;
    }

    private void removeOthers() throws IOException {
        try (var all = Files.newDirectoryStream(folder, "scratch-*.img")) {
            for (var other : all) {
                var age = System.currentTimeMillis() - Files.getLastModifiedTime(other).toMillis();
                if (age > Duration.ofHours(6).toMillis()) {
                    Files.delete(other);
                }
            }
        }
    }

    private void make(Path target) throws IOException, InterruptedException {
        var place = Files.createTempDirectory(folder, "making");
        try (var lab =
                Lab.open(options.cache(), options.repository().resolve("tests/lab"), place)) {
            var node = lab.add(NodeOptions.named("template", List.of(SIZE_BYTES)));
            var disk = node.disks().getFirst().file();
            HostProgram.run(List.of("mkfs.ext4", "-q", "-F", disk.toString()));
            node.boot();
            fill(node);
            node.powerOff();
            Files.move(disk, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            HostProgram.run(List.of("rm", "--recursive", "--force", place.toString()));
        }
    }

    private void fill(Node node) throws IOException {
        var archives = images.stream().map(Path::toString).collect(Collectors.joining(" "));
        var settings = Map.of("images", archives, "kubelet_root", "/var/lib/kubelet");
        NodeSettings.write(node, settings);
        var script = options.repository().resolve("tests/cluster/node.sh").toString();
        node.run(List.of("sh", script, "template"), IMPORT).require("import of images");
    }

    private String digest() throws IOException {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            for (var image : images) {
                digest.update(Files.readAllBytes(image));
            }
            return HexFormat.of().formatHex(digest.digest()).substring(0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
