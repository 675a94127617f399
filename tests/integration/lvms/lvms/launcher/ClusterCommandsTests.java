package lvms.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.k8s.yaml.Yaml;
import lvms.launcher.Lvms.Said;
import lvms.operator.overview.Scene;
import lvms.tests.runner.Lasts;
import lvms.tests.server.Definitions;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The commands for people, as processes of their own with a kubeconfig: output and exit code. */
@Timeout(120)
@Lasts(seconds = 160)
class ClusterCommandsTests {
    @TempDir Path folder;
    private ApiServer server;
    private KubeClient kube;
    private Path kubeconfig;

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
        return new Lvms(folder, kubeconfig).run(words);
    }

    private Process begin(String... words) throws Exception {
        return new Lvms(folder, kubeconfig).begin(words);
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

    /** Nothing of the operator is there, and nothing of it is missing. */
    @Test
    void aReleaseOfTopolvmIsShownAndNothingIsWrongWithIt() throws Exception {
        kube.close();
        server.close();
        server = Servers.start();
        kubeconfig = server.kubeconfig(folder);
        kube = KubeClient.open(server.config(), "test").withFieldManager("test");
        Definitions.install(kube, List.of("topolvm.io_logicalvolumes"));
        kube.create(
                Types.NAMESPACE,
                KubeObject.create(Types.NAMESPACE, ObjectKey.cluster("topolvm-system")));
        Scene.topolvm()
                .volume("pvc-1", "n1", "{volumeID: v1, currentSize: 1Gi}")
                .persistentVolume("pvc-1", "v1", "Bound", "data")
                .create(kube);
        var status = run("status", "--nodes=false");
        assertEquals(new Said(0, status.out(), ""), status);
        assertTrue(status.out().contains("topolvm-node-1"), status.out());
        assertTrue(status.out().matches("(?s).*n1 +ssd .*1GiB.*"), status.out());
        var volumes = run("volumes", "--nodes=false");
        assertEquals(new Said(0, volumes.out(), ""), volumes);
        assertTrue(volumes.out().contains("default/data"), volumes.out());
        assertEquals(new Said(0, "nothing found\n", ""), run("doctor", "--nodes=false"));
        forbid("exec");
        var moved = run("volumes", "--from-node=n9", "--to-node=n1", "--plan");
        assertEquals(1, moved.code());
        assertTrue(moved.err().contains("exec pods topolvm-system/topolvm-node-1"), moved.err());
        var adopted = run("volumes", "--adopt=lv-1");
        assertEquals(1, adopted.code());
        assertTrue(adopted.err().contains("lv-1"), adopted.err());
    }

    private void publish(String json) throws Exception {
        var disks = Json.parse(json.replace('\'', '"'));
        kube.mergePatch(
                LvmVolumeGroupNodeStatus.TYPE,
                ObjectKey.of("lvms-system", "n1"),
                ObjectTree.EMPTY.with(disks, "spec", "disks"));
    }

    private List<KubeObject> diskPods() throws Exception {
        return kube.list(Types.POD, ListOptions.all()).items().stream()
                .filter(pod -> pod.name().startsWith("lvms-disks-"))
                .toList();
    }

    @Test
    void disksShowsWhatAgentsHavePublishedAndWhatAClassWouldTake() throws Exception {
        publish(
                "[{'name':'/dev/sdb','type':'disk','sizeBytes':1073741824},"
                        + "{'name':'/dev/sdc','sizeBytes':1073741824,'content':'xfs',"
                        + "'obstacles':['/dev/sdc has a filesystem']}]");
        var all = run("disks");
        assertEquals(0, all.code(), all.err());
        assertTrue(all.out().matches("(?s).*n1 +/dev/sdb +disk +1GiB .* yes +-.*"), all.out());
        var file = folder.resolve("cluster.yaml");
        Files.writeString(
                file,
                """
                apiVersion: lvm.topolvm.io/v1alpha1
                kind: LVMCluster
                metadata: {name: my, namespace: lvms-system}
                spec: {storage: {deviceClasses: [{name: new}]}}
                """);
        var preview = run("disks", "-f=" + file);
        assertTrue(preview.out().matches("(?s).*new +n1 +/dev/sdb .* taken.*"), preview.out());
        assertTrue(preview.out().matches("(?s).*/dev/sdc .* left alone +/dev/sdc has a.*"));
        assertEquals(2, run("disks", "-f=" + file, "--class=other").code());
        assertEquals(List.of(), diskPods());
    }

    /** This test is the kubelet. */
    @Test
    void disksLooksByAPodWhereNoAgentHasAndLeavesNone() throws Exception {
        server.faults()
                .answer(
                        seen -> seen.target().contains("/log"),
                        1,
                        200,
                        "2026-01-01T00:00:00Z {\"disks\":[\n"
                            + "2026-01-01T00:00:00Z {\"name\":\"/dev/sdx\",\"sizeBytes\":1024}\n"
                            + "2026-01-01T00:00:00Z ]}\n");
        var process = begin("disks", "--image=registry.test/lvms:1");
        var pod = awaitDiskPod();
        assertEquals(Optional.of("n1"), pod.text("spec", "nodeName"));
        for (var mount : pod.objects("spec", "containers").getFirst().objects("volumeMounts")) {
            assertEquals(Optional.of(true), mount.flag("readOnly"), mount.toString());
        }
        phase(pod, "Succeeded");
        assertEquals(0, process.waitFor(), Files.readString(folder.resolve("err")));
        var out = Files.readString(folder.resolve("out"));
        assertTrue(out.matches("(?s).*n1 +/dev/sdx .*"), out);
        assertEquals(List.of(), diskPods());
    }

    @Test
    void disksThatIsInterruptedOrFailsLeavesNoPod() throws Exception {
        var interrupted = begin("disks", "--image=registry.test/lvms:1");
        awaitDiskPod();
        interrupted.destroy();
        interrupted.waitFor();
        assertEquals(List.of(), diskPods());

        var failing = begin("disks", "--image=registry.test/lvms:1");
        phase(awaitDiskPod(), "Failed");
        assertEquals(1, failing.waitFor());
        assertTrue(Files.readString(folder.resolve("err")).contains("disks of node n1: the pod"));
        assertEquals(List.of(), diskPods());
    }

    private KubeObject awaitDiskPod() throws Exception {
        while (diskPods().isEmpty()) { // the class has a time limit
            TimeUnit.MILLISECONDS.sleep(50);
        }
        return diskPods().getFirst();
    }

    private void phase(KubeObject pod, String phase) throws Exception {
        var status = ObjectTree.EMPTY.with(Tree.of(phase), "status", "phase");
        kube.mergePatchStatus(Types.POD, pod.key(), status);
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
    void aClusterWithoutAnInstallationIsOneLineThatSaysHowToMakeOne() throws Exception {
        for (var definition : kube.list(Types.CRD, ListOptions.all()).items()) {
            kube.delete(Types.CRD, definition.key(), DeleteOptions.any());
        }
        for (var command : List.of("doctor", "status", "volumes")) {
            var said = run(command, "--nodes=false");
            assertEquals(1, said.code());
            assertEquals(1, said.err().lines().count(), said.err());
            assertTrue(
                    said.err()
                            .startsWith(
                                    "lvms: not shown: this cluster has no"
                                            + " lvmclusters.lvm.topolvm.io, "),
                    said.err());
        }
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

    @Test
    void aReportIsOnePageThatOnlyItsOwnerMayRead() throws Exception {
        var web =
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: web-0, namespace: default}
                spec:
                  containers: [{name: c, image: "web:1"}]
                  volumes: [{name: d, persistentVolumeClaim: {claimName: data}}]
                """;
        kube.create(Types.POD, KubeObject.of(Yaml.read(web).asObject()));
        var file = folder.resolve("page.html");
        Files.writeString(file, "the page of yesterday");
        var said = run("report", "--html", file.toString(), "--nodes=false");
        assertEquals(new Said(0, "", ""), said);
        var page = Files.readString(file);
        assertTrue(page.startsWith("<!DOCTYPE html>") && page.endsWith("</html>\n"), page);
        assertTrue(page.contains("<td>default/data</td>"), page);
        assertTrue(page.contains("<td>web-0</td>"), page);
        assertTrue(page.contains("ClusterRole vg-manager"), page); // a finding
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        var again = run("report", "--html=-", "--nodes=false");
        assertTrue(again.out().endsWith("</html>\n"), again.out());
        assertEquals(List.of(), remains());
    }

    /** What a page that is written beside would leave. */
    private List<String> remains() throws Exception {
        try (var files = Files.list(folder)) {
            return files.map(f -> f.getFileName().toString())
                    .filter(name -> name.startsWith(".lvms"))
                    .toList();
        }
    }

    @Test
    void aReportIsMadeWithoutWhatMayNotBeReadAndSaysSo() throws Exception {
        forbid("exec");
        forbid("persistentvolumes");
        var file = folder.resolve("page.html");
        var said = run("report", "--html=" + file);
        assertEquals(1, said.code());
        assertEquals(2, said.err().lines().count(), said.err());
        var page = Files.readString(file);
        assertTrue(page.contains("<li>list persistentvolumes: "), page);
        assertTrue(page.contains("No answer: what the nodes themselves say: exec pods"), page);
        assertTrue(page.contains("pvc-1"), page);
    }

    @Test
    void aReportThatCannotBeWrittenIsOneLineAndNoFile() throws Exception {
        var nowhere = folder.resolve("nope/page.html");
        for (var html : List.of("--html=" + nowhere, "--html=" + folder, "--html=")) {
            var said = run("report", html);
            assertEquals(2, said.code(), said.err());
            assertEquals(1, said.err().lines().count(), said.err());
        }
        assertTrue(run("report", "--html=" + nowhere).err().contains("there is no folder "));
        assertEquals(List.of(), remains());
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
        assertTrue(Files.readString(unpacked.resolve("report.html")).contains("default/data"));
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
