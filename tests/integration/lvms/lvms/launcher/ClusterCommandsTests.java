package lvms.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.tree.Json;
import lvms.k8s.yaml.Yaml;
import lvms.operator.overview.Scene;
import lvms.tests.server.Definitions;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** The commands for people, as processes of their own with a kubeconfig: output and exit code. */
@Timeout(120)
class ClusterCommandsTests {
    @TempDir Path folder;
    private ApiServer server;
    private KubeClient kube;
    private Path kubeconfig;

    private record Said(int code, String out, String err) {}

    @BeforeEach
    void start() throws Exception {
        server = Servers.start();
        kubeconfig = server.kubeconfig(folder);
        kube = KubeClient.open(server.config(), "test").withFieldManager("test");
        Definitions.install(kube, Definitions.ALL);
        kube.create(
                Types.NAMESPACE,
                KubeObject.of(
                        Yaml.read(
                                        "{apiVersion: v1, kind: Namespace, metadata: {name:"
                                                + " lvms-system}}")
                                .asObject()));
        Scene.working()
                .volume("pvc-1", "n1", "{volumeID: v1, currentSize: 2Gi}")
                .persistentVolume("pvc-1", "v1", "Bound", "data")
                .volume("pvc-2", "n1", "{volumeID: v2, currentSize: 1Gi}")
                .persistentVolume("pvc-2", "v2", "Released", "old")
                .create(kube);
    }

    @AfterEach
    void stop() throws Exception {
        kube.close();
        server.close();
    }

    private Said run(String... words) throws Exception {
        var line = new ArrayList<String>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        line.addAll(List.of(words));
        line.add("--kubeconfig=" + kubeconfig);
        File out = folder.resolve("out").toFile();
        File err = folder.resolve("err").toFile();
        var process = new ProcessBuilder(line).redirectOutput(out).redirectError(err).start();
        int code = process.waitFor();
        return new Said(code, Files.readString(out.toPath()), Files.readString(err.toPath()));
    }

    private void forbid(String plural) {
        server.faults()
                .answer(
                        seen -> seen.target().endsWith("/" + plural),
                        100,
                        403,
                        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"reason\":\"Forbidden\",\"code\":403,\"message\":\"you"
                            + " may not\"}");
    }

    @Test
    void statusShowsTheInstallation() throws Exception {
        var said = run("status", "--nodes=false");
        assertEquals("", said.err());
        assertEquals(0, said.code());
        for (var title : List.of("clusters:", "programs:", "nodes:", "classes:", "disks:")) {
            assertTrue(said.out().contains(title), said.out());
        }
    }

    @Test
    void volumesShowsClaimsAndRetainedOnes() throws Exception {
        var said = run("volumes", "--nodes=false");
        assertEquals(0, said.code(), said.err());
        assertTrue(
                said.out().matches("(?s)volumes:\nVOLUME .*pvc-1 .*2GiB +default/data +ready .*"),
                said.out());
        assertTrue(
                said.out().matches("(?s).*retained:\nPERSISTENT VOLUME .*\npvc-2 .*default/old.*"),
                said.out());
    }

    @Test
    void programsGetJson() throws Exception {
        var said = run("volumes", "-o=json", "--nodes=false");
        var json = Json.parse(said.out()).asObject();
        assertEquals(
                2L << 30, json.objects("volumes").getFirst().number("currentBytes").getAsLong());
        assertEquals(List.of(), json.objects("orphans"));
    }

    @Test
    void doctorNamesWhatIsMissingAndItsExitCodeTells() throws Exception {
        var said = run("doctor", "--nodes=false");
        assertEquals(1, said.code(), said.err());
        assertTrue(
                said.out().contains("ClusterRole vg-manager")
                        && said.out().contains("deploy/guard"),
                said.out());
    }

    @Test
    void aMissingRightIsOneLineTheRestIsShownAndTheCodeTells() throws Exception {
        forbid("nodes");
        var said = run("volumes", "--nodes=false");
        assertEquals(1, said.code());
        assertEquals(1, said.err().lines().count(), said.err());
        assertTrue(said.err().startsWith("lvms: not shown: list nodes: "), said.err());
        assertTrue(said.out().contains("pvc-1"), said.out());
    }

    @Test
    void theMissingRightToLookIntoNodesIsOneLineForAllOfThem() throws Exception {
        forbid("exec");
        for (var command : List.of("status", "volumes", "doctor")) {
            var said = run(command);
            assertEquals(1, said.code());
            assertEquals(1, said.err().lines().count(), said.err());
            assertTrue(
                    said.err()
                            .startsWith(
                                    "lvms: not shown: what the nodes themselves say: exec pods"
                                            + " lvms-system/"),
                    said.err());
            assertTrue(said.out().lines().count() > 2, said.out());
        }
    }

    /** As {@code oc adm must-gather} does, but for the rights of the pod. */
    @Test
    void gatherWritesTheSameAsFilesOfAFolder() throws Exception {
        server.faults().answer(seen -> seen.target().endsWith("/log"), 100, 200, "a line\n");
        forbid("exec");
        var gathered = Files.createDirectory(folder.resolve("must-gather"));
        var said = run("gather", "--folder=" + gathered);
        assertEquals(0, said.code(), said.err());
        assertEquals("a line\n", Files.readString(gathered.resolve("logs/agent-1/c.log")));
        assertTrue(
                Files.readString(gathered.resolve("gaps.txt"))
                        .startsWith("what the nodes themselves say: "));
        var log = Files.readString(gathered.resolve("gather-debug.log"));
        assertTrue(log.contains("Z objects/daemonsets.apps.json\n"), log);
        assertTrue(log.contains("Z missing: what the nodes themselves say: "), log);
    }

    @Test
    void aFolderThatIsNotThereIsOneLine() throws Exception {
        var said = run("gather", "--folder=" + folder.resolve("nope"));
        assertEquals(1, said.code());
        assertEquals(1, said.err().lines().count(), said.err());
    }

    @Test
    void explainSaysWhyAndWho() throws Exception {
        kube.create(
                Types.PVC,
                KubeObject.of(
                        Yaml.read(
                                        """
                                        apiVersion: v1
                                        kind: PersistentVolumeClaim
                                        metadata: {name: new, namespace: default}
                                        spec:
                                          storageClassName: lvms-ssd
                                          accessModes: [ReadWriteOnce]
                                          resources: {requests: {storage: 1Gi}}
                                        """)
                                .asObject()));
        var said = run("explain", "pvc", "new", "--namespace=default");
        assertEquals(0, said.code(), said.err());
        assertTrue(said.out().startsWith("claim  default/new\nwaits  yes\nwhy    no pod uses it"));
        assertTrue(said.out().contains("\nwho    the author of the claim"), said.out());
    }

    @Test
    void aSupportBundleHasObjectsReportsAndLogsButNoSecrets() throws Exception {
        server.faults().answer(seen -> seen.target().endsWith("/log"), 100, 200, "a line\n");
        server.faults().forgetRequests();
        var file = folder.resolve("bundle.tar");
        var said = run("support-bundle", "--output=" + file, "--since=1h", "--nodes=false");
        assertEquals("", said.err());
        assertEquals(0, said.code());
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        var unpacked = Files.createDirectory(folder.resolve("unpacked"));
        var tar = new ProcessBuilder("tar", "--extract", "--file", file.toString());
        assertEquals(0, tar.directory(unpacked.toFile()).inheritIO().start().waitFor());
        assertEquals("a line\n", Files.readString(unpacked.resolve("logs/agent-1/c.log")));
        assertTrue(Files.readString(unpacked.resolve("volumes.txt")).contains("default/data"));
        var volumes =
                Json.parse(
                        Files.readString(
                                unpacked.resolve("objects/logicalvolumes.topolvm.io.json")));
        assertEquals(2, volumes.asObject().objects("items").size());
        var requests = server.faults().requests();
        assertTrue(requests.stream().allMatch(r -> r.method().equals("GET")));
        assertTrue(
                requests.stream().noneMatch(r -> r.target().matches(".*/(secrets|configmaps).*")));
        assertTrue(requests.stream().anyMatch(r -> r.query().containsKey("sinceTime")));
    }

    @Test
    void logsThatMayNotBeReadAreOneLine() throws Exception {
        forbid("log");
        var file = folder.resolve("bundle.tar");
        var said = run("support-bundle", "--output=" + file, "--nodes=false");
        assertEquals(1, said.code());
        assertEquals(1, said.err().lines().count(), said.err());
        assertTrue(said.err().startsWith("lvms: not shown: get log of pods"), said.err());
    }

    @Test
    void explainOfAClaimThatIsNotThereIsOneLine() throws Exception {
        var said = run("explain", "pvc", "nope");
        assertEquals(1, said.code());
        assertEquals(1, said.err().lines().count(), said.err());
        assertTrue(said.err().contains("persistentvolumeclaims \"nope\" not found"), said.err());
    }
}
