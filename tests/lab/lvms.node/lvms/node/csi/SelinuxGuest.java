package lvms.node.csi;

import static lvms.node.GuestShell.sh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;

import lvms.csi.UnixSocketServer;
import lvms.lvm2.system.Program;
import lvms.node.format.Formats;
import lvms.proto.csi.v1.VolumeCapability;
import lvms.proto.csi.v1.VolumeCapability.AccessMode.Mode;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A pod reads the files that were mounted with its SELinux context, and no other pod does. Runs
 * inside a lab node whose kernel has SELinux.
 */
class SelinuxGuest {
    private static final long MIB = 1L << 20;
    private static final String FILES = "system_u:object_r:container_file_t:";
    private static final String PROCESS = "system_u:system_r:container_t:";
    private static final Path FOLDER = Path.of("/run/selinux-test");

    private static LoopVolumes volumes;
    private static VolumeCalls calls;
    private static UnixSocketServer server;
    private static CsiClient csi;

    @BeforeAll
    static void start() throws Exception {
        sh("modprobe loop && mount -t selinuxfs selinuxfs /sys/fs/selinux");
        Files.createDirectories(FOLDER.resolve("kubelet"));
        sh(
                "secilc --handle-unknown=allow --output=%1$s/policy --filecontext=/dev/null %2$s"
                                .formatted(FOLDER, System.getProperty("lvms.selinux.policy"))
                        + " && cat %1$s/policy >/sys/fs/selinux/load".formatted(FOLDER));
        assertEquals("1", sh("cat /sys/fs/selinux/enforce"));
        volumes = new LoopVolumes(FOLDER);
        calls = new VolumeCalls(Duration.ofSeconds(30));
        var node =
                new NodeService(
                        new NodeService.NodeIdentity(
                                "n1", "topology.topolvm.io/node", NodeService.Offer.ALL),
                        volumes,
                        calls,
                        Formats.notedIn(FOLDER.resolve("formats")),
                        new KubeletFolders(FOLDER.resolve("kubelet"), "topolvm.io"),
                        _ -> {},
                        (_, _) -> {});
        var socket = FOLDER.resolve("csi/csi.sock");
        server = UnixSocketServer.inOwnFolder(socket, List.of(node));
        server.start();
        csi = new CsiClient(socket);
    }

    @AfterAll
    static void stop() throws Exception {
        csi.close();
        server.close();
        calls.close();
        volumes.close();
    }

    /** What kubelet asks for a pod with this level. */
    private static VolumeCapability labelled(String type, String level) {
        return CsiClient.filesystem(
                type, Mode.SINGLE_NODE_MULTI_WRITER, "context=\"" + FILES + level + "\"");
    }

    private static Path target(String name) {
        return FOLDER.resolve("kubelet").resolve(name);
    }

    /** Whether a container's process with this level can read the file at a target. */
    private static boolean reads(String level, String target) throws Exception {
        var script =
                "printf %%s %s%s >/proc/self/attr/exec && exec cat %s/data"
                        .formatted(PROCESS, level, target(target));
        var result = Program.of(Duration.ofMinutes(1), "sh", "-c", script).run();
        assertTrue(
                result.succeeded() || result.stderr().contains("data: Permission denied"),
                result.stderr());
        return result.succeeded() && result.stdout().equals("kept");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"ext4, 64", "xfs, 320", "btrfs, 256"})
    void aFilesystemHasTheContextOfItsPods(String type, long mib) throws Exception {
        volumes.create(type, mib * MIB);
        csi.publish(type, target("a"), labelled(type, "s0:c2,c1"), false);
        Files.writeString(target("a").resolve("data"), "kept");
        assertTrue(reads("s0:c1,c2", "a"));
        assertFalse(reads("s0:c3,c4", "a"));

        csi.publish(type, target("a"), labelled(type, "s0:c2,c1"), false);
        csi.publish(type, target("b"), labelled(type, "s0:c1,c2"), false);
        assertTrue(reads("s0:c1,c2", "b"));
        refuses(type, "s0:c1,c2", target("a"));

        csi.unpublish(type, target("a"));
        csi.unpublish(type, target("b"));
        csi.publish(type, target("c"), labelled(type, "s0:c3,c4"), false);
        assertTrue(reads("s0:c3,c4", "c"), "nobody has to relabel the files");
        assertFalse(reads("s0:c1,c2", "c"));
        csi.unpublish(type, target("c"));

        csi.publish(type, target("d"), CsiClient.filesystem(type), false);
        refuses(type, "without an SELinux context", target("d"));
        csi.unpublish(type, target("d"));
        volumes.forget(type);
    }

    /** A pod with another context is told both. */
    private static void refuses(String volume, String present, Path there) {
        var refusal =
                assertThrows(
                        StatusRuntimeException.class,
                        () ->
                                csi.publish(
                                        volume, target("x"), labelled(volume, "s0:c3,c4"), false));
        assertEquals(Code.FAILED_PRECONDITION, refusal.getStatus().getCode());
        var message = refusal.getStatus().getDescription();
        assertTrue(message.contains(present), message);
        assertTrue(message.contains("c3,c4") && message.contains(there.toString()), message);
        assertFalse(Files.exists(target("x")));
    }
}
