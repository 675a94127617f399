package lvms.tests.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.Await;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;
import lvms.node.HealthProbe;
import lvms.tests.training.Cluster;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The image's node agent without the programs that a container image adds to it. */
@Timeout(120)
class NodeAgentTests {
    private static final String NAMESPACE = "agents";
    private static final ObjectKey STATUS = ObjectKey.of(NAMESPACE, Cluster.NODE);

    @TempDir private Path scratch;
    private Path programs;
    private Image image;
    private Cluster cluster;
    private Process agent;

    @BeforeEach
    void open() throws Exception {
        programs = Files.createDirectory(scratch.resolve("programs"));
        image = new Image(scratch);
        cluster = Cluster.start();
        create("{apiVersion: v1, kind: Namespace, metadata: {name: agents}}", Types.NAMESPACE);
        create(
                """
                apiVersion: lvm.topolvm.io/v1alpha1
                kind: LVMVolumeGroupNodeStatus
                metadata: {name: training, namespace: agents}
                spec: {}
                """,
                LvmVolumeGroupNodeStatus.TYPE);
        // No disk of this machine is looked at for this group.
        create(
                """
                apiVersion: lvm.topolvm.io/v1alpha1
                kind: LVMVolumeGroup
                metadata: {name: vg1, namespace: agents}
                spec:
                  deviceSelector: {paths: [/dev/lvms-image-test-absent]}
                """,
                LvmVolumeGroup.TYPE);
    }

    @AfterEach
    void close() throws Exception {
        if (agent != null) {
            agent.destroyForcibly().waitFor();
        }
        cluster.close();
    }

    private void create(String yaml, ResourceType type) throws Exception {
        cluster.client().create(type, KubeObject.of(Yaml.read(yaml).asObject()));
    }

    private void start() throws Exception {
        var environment = new HashMap<>(cluster.environment(NAMESPACE));
        environment.put("PATH", programs.toString());
        agent =
                image.start(
                        environment,
                        image.launcher(
                                "lvms-vgmanager",
                                "--health-probe-bind-address=127.0.0.1:0",
                                "--kubelet-root=" + scratch.resolve("kubelet"),
                                "--lock-file=" + scratch.resolve("lock"),
                                "--lvmd-config=" + scratch.resolve("lvmd.yaml"),
                                "--lvmd-socket=" + lvmd()));
    }

    private Path lvmd() {
        return scratch.resolve("lvmd.sock");
    }

    private String reason() {
        try {
            var status = cluster.client().get(LvmVolumeGroupNodeStatus.TYPE, STATUS);
            return LvmVolumeGroupNodeStatus.of(status)
                    .volumeGroup("vg1")
                    .map(entry -> entry.reason())
                    .orElse("");
        } catch (ApiException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Optional<String> build() {
        try {
            return cluster.client()
                    .get(LvmVolumeGroupNodeStatus.TYPE, STATUS)
                    .annotation("lvms.topolvm.io/build");
        } catch (ApiException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Version and commit, as {@code lvms version} tells them. */
    private String buildOfImage() throws Exception {
        var words = image.run(Map.of(), image.launcher("lvms", "version")).out().split("[ ,(]+");
        return words[3].equals("unknown") ? words[1] : words[1] + "+" + words[3];
    }

    private long lines(String part) {
        try {
            return image.errors().lines().filter(line -> line.contains(part)).count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void saysWhichProgramsAreMissingAndGoesOnWhenTheyAppear() throws Exception {
        var found = Stream.of("lvm", "wipefs").map(NodeAgentTests::onThisMachine).toList();
        assumeTrue(found.stream().allMatch(Files::exists), "no lvm2 on this machine");
        var expected = buildOfImage();
        start();
        Await.until("the status tells", () -> reason().contains("lvm, wipefs: use the image of"));
        assertEquals(1, lines("this image lacks the device tools"), image.errors());
        assertTrue(agent.isAlive(), image.errors());
        for (var program : found) {
            Files.createSymbolicLink(programs.resolve(program.getFileName()), program);
        }
        Await.until("it works", () -> lines("node agent serves") == 1);
        Await.until("the status is signed", () -> build().equals(Optional.of(expected)));
        assertEquals(Optional.empty(), HealthProbe.of(lvmd(), Duration.ofSeconds(10)));
        assertEquals(1, lines("volumes may fail: this image lacks the filesystem tools"));
        Await.until("the status tells of the disks", () -> !reason().contains("this image lacks"));
        assertTrue(agent.isAlive(), image.errors());
    }

    @Test
    void endsAtOnceWhileItWaits() throws Exception {
        start();
        Await.until("it waits", () -> lines("this image lacks the device tools") == 1);
        agent.destroy();
        long seconds = Await.longer(Duration.ofSeconds(5)).toSeconds();
        assertTrue(agent.waitFor(seconds, TimeUnit.SECONDS), "still alive");
        assertEquals(0, agent.exitValue(), image.errors());
        assertEquals(0, lines("\tat "), image.errors());
    }

    private static Path onThisMachine(String program) {
        return List.of("/usr/sbin", "/sbin", "/usr/bin", "/bin").stream()
                .map(folder -> Path.of(folder, program))
                .filter(Files::exists)
                .findFirst()
                .orElse(Path.of("/nonexistent", program));
    }
}
