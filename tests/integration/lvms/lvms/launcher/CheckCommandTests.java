package lvms.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.k8s.yaml.Yaml;
import lvms.tests.runner.Lasts;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Who is about to install lvms learns what is in the way, and the cluster is as it was. */
@Timeout(120)
@Lasts(seconds = 35)
class CheckCommandTests {
    @TempDir Path folder;
    private ApiServer server;
    private KubeClient kube;
    private Lvms lvms;

    @BeforeEach
    void start() throws Exception {
        server = Servers.start();
        lvms = new Lvms(folder, server.kubeconfig(folder));
        kube = KubeClient.open(server.config(), "test").withFieldManager("test");
        create(
                Types.NODE,
                """
                apiVersion: v1
                kind: Node
                metadata: {name: n1, labels: {kubernetes.io/os: linux}}
                """);
    }

    @AfterEach
    void stop() throws Exception {
        kube.close();
        server.close();
    }

    private void create(ResourceType type, String yaml) throws Exception {
        kube.create(type, KubeObject.of(Yaml.read(yaml).asObject()));
    }

    private List<KubeObject> pods() throws Exception {
        return kube.list(Types.POD, ListOptions.all()).items();
    }

    private KubeObject awaitPod() throws Exception {
        while (pods().isEmpty()) { // the class has a time limit
            TimeUnit.MILLISECONDS.sleep(50);
        }
        return pods().getFirst();
    }

    private void phase(KubeObject pod, String phase) throws Exception {
        var status = ObjectTree.EMPTY.with(Tree.of(phase), "status", "phase");
        kube.mergePatchStatus(Types.POD, pod.key(), status);
    }

    @Test
    void anEmptyClusterHasNothingInTheWayAndWhatWasNotSeenIsSaid() throws Exception {
        for (var words : List.of("check", "install --check")) {
            var said = lvms.run(words.split(" "));
            assertEquals(new Lvms.Said(0, said.out(), ""), said);
            assertTrue(said.out().matches("(?s).*\nok +rights +you may create all.*"), said.out());
            assertTrue(said.out().matches("(?s).*\n(ok|warning) +snapshots .*"), said.out());
            assertTrue(said.out().matches("(?s).*\nnot seen +on the nodes .*"), said.out());
        }
        assertEquals(List.of(), pods());
    }

    @Test
    void aPredecessorIsInTheWayAndTheCommandThatTakesItsPlaceIsNamed() throws Exception {
        create(
                Types.NAMESPACE,
                "{apiVersion: v1, kind: Namespace, metadata: {name: topolvm-system}}");
        create(
                Types.DEPLOYMENT,
                """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: topolvm-controller, namespace: topolvm-system}
                spec:
                  selector: {matchLabels: {app: t}}
                  template:
                    metadata: {labels: {app: t}}
                    spec: {containers: [{name: c, image: t:1, command: [/topolvm-controller]}]}
                """);
        var said = lvms.run("check", "-o=json");
        assertEquals(1, said.code(), said.err());
        var problem =
                Json.parse(said.out()).asObject().objects("checks").stream()
                        .filter(check -> check.text("result").equals(Optional.of("problem")))
                        .toList();
        assertEquals(1, problem.size(), said.out());
        assertTrue(
                problem.getFirst()
                        .text("cure")
                        .orElse("")
                        .startsWith("lvms takeover plan --from=topolvm --namespace=topolvm-system"),
                said.out());
    }

    @Test
    void missingRightsAreNamed() throws Exception {
        server.faults()
                .answer(
                        seen -> seen.target().contains("/selfsubjectaccessreviews"),
                        1,
                        201,
                        "{\"kind\":\"SelfSubjectAccessReview\","
                                + "\"apiVersion\":\"authorization.k8s.io/v1\","
                                + "\"metadata\":{},\"status\":{\"allowed\":false}}");
        var said = lvms.run("check");
        assertEquals(1, said.code(), said.err());
        assertTrue(
                said.out().matches("(?s).*\nproblem +rights +you may not create deployments.*"),
                said.out());
    }

    /** This test is the kubelet. */
    @Test
    void aNodeIsLookedAtByAPodThatGoesAgain() throws Exception {
        server.faults()
                .answer(
                        seen -> seen.target().contains("/log"),
                        1,
                        200,
                        "2026-01-01T00:00:00Z {\"machine\":{\"kernel\":\"6.1\",\"modules\":"
                                + "{\"dm_mod\":\"missing\"}},\n"
                                + "2026-01-01T00:00:00Z \"disks\":[\n"
                                + "2026-01-01T00:00:00Z {\"name\":\"/dev/sdx\","
                                + "\"sizeBytes\":1024}\n"
                                + "2026-01-01T00:00:00Z ]}\n");
        var process = lvms.begin("check", "--nodes", "--image=registry.test/lvms:1");
        var pod = awaitPod();
        var container = pod.objects("spec", "containers").getFirst();
        assertEquals(
                List.of("/opt/lvms/bin/lvms", "check", "--local", "-o=json"),
                container.texts("command"));
        phase(pod, "Succeeded");
        var said = lvms.end(process);
        assertEquals(1, said.code(), said.err());
        assertTrue(said.err().contains("privileged pods"), said.err());
        assertTrue(said.out().matches("(?s).*\nproblem +device-mapper of n1 .*"), said.out());
        assertTrue(
                said.out().matches("(?s).*\nok +disks of n1 +free: /dev/sdx 1KiB.*"), said.out());
        assertEquals(List.of(), pods());
    }

    @Test
    void noPodIsLeftAfterAnInterruptionOrAFailure() throws Exception {
        var interrupted = lvms.begin("check", "--nodes", "--image=registry.test/lvms:1");
        awaitPod();
        interrupted.destroy();
        interrupted.waitFor();
        assertEquals(List.of(), pods());

        var failing = lvms.begin("check", "--nodes", "--image=registry.test/lvms:1");
        phase(awaitPod(), "Failed");
        var said = lvms.end(failing);
        assertEquals(1, said.code());
        assertTrue(said.out().matches("(?s).*\nproblem +on the nodes +node n1: .*"), said.out());
        assertEquals(List.of(), pods());
    }

    @Test
    void nobodyLooksAtNodesWithoutAnImage() throws Exception {
        var said = lvms.run("check", "--nodes");
        assertEquals(2, said.code(), said.out());
        assertTrue(said.err().contains("--image"), said.err());
        assertEquals(List.of(), pods());
    }
}
