package lvms.k8s.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.runner.Behaviour;
import lvms.tests.runner.Lasts;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The real kubectl works as its users expect. */
@Behaviour(96)
@Lasts(seconds = 20)
class KubectlTests {
    @TempDir static Path directory;
    private static ApiServer server;
    private static Client client;
    private static Kubectl kubectl;
    private String namespace;

    @BeforeAll
    static void start() throws Exception {
        Assumptions.assumeTrue(Kubectl.onPath(), "kubectl is not on the path");
        server = Servers.start();
        kubectl = new Kubectl(server, directory);
        client = Client.of(server);
        Widgets.define(client);
    }

    @AfterAll
    static void stop() throws Exception {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void freshNamespace() {
        namespace = client.namespace();
    }

    private Kubectl.Run kubectl(String... arguments) throws IOException, InterruptedException {
        return kubectl.run(inNamespace(arguments));
    }

    private String succeed(String... arguments) throws IOException, InterruptedException {
        return kubectl.succeed(inNamespace(arguments));
    }

    private String[] inNamespace(String... arguments) {
        return Stream.concat(Stream.of("--namespace=" + namespace), Stream.of(arguments))
                .toArray(String[]::new);
    }

    private String file(String spec) throws IOException {
        var file = Files.createTempFile(directory, "widget", ".json");
        Files.writeString(file, Widgets.named("w", spec).replace('\'', '"'));
        return file.toString();
    }

    @Test
    void applyCreatesThenLeavesThenChanges() throws Exception {
        var first = file("{'size':1}");
        assertEquals("widget.example.com/w created\n", succeed("apply", "-f", first));
        assertEquals("widget.example.com/w unchanged\n", succeed("apply", "-f", first));
        var second = file("{'size':2}");
        assertEquals("widget.example.com/w configured\n", succeed("apply", "-f", second));
        assertEquals("2", succeed("get", "wd", "w", "-o", "jsonpath={.spec.size}"));
    }

    @Test
    void serverSideApplyTakesOverFromClientSideApply() throws Exception {
        succeed("apply", "-f", file("{'size':1,'node':'n'}"));
        succeed("apply", "--server-side", "-f", file("{'size':2}"));
        assertEquals("2", succeed("get", "wd", "w", "-o", "jsonpath={.spec.size}"));
    }

    @Test
    void unknownFieldsAreRefusedByTheServer() throws Exception {
        var run = kubectl("create", "-f", file("{'size':1,'nope':1}"));
        assertEquals(1, run.code());
        assertTrue(run.output().contains("unknown field \"spec.nope\""), run.output());
    }

    @Test
    void diffShowsWhatApplyWouldChange() throws Exception {
        succeed("apply", "-f", file("{'size':1}"));
        var run = kubectl("diff", "-f", file("{'size':2}"));
        assertEquals(1, run.code(), run.output());
        assertTrue(run.output().contains("+  size: 2"), run.output());
    }

    @Test
    void replaceAndPatchAndScaleWork() throws Exception {
        succeed("create", "-f", file("{'size':1}"));
        succeed("replace", "-f", file("{'size':5}"));
        succeed(
                "patch",
                "wd",
                "w",
                "--type=json",
                "-p",
                "[{\"op\":\"add\",\"path\":\"/spec/node\",\"value\":\"a\"}]");
        succeed(
                "patch",
                "wd",
                "w",
                "--subresource=status",
                "--type=merge",
                "-p",
                "{\"status\":{\"phase\":\"ok\"}}");
        succeed("scale", "wd/w", "--replicas=3");
        assertEquals(
                "5 a ok 3",
                succeed(
                        "get",
                        "wd",
                        "w",
                        "-o",
                        "jsonpath={.spec.size} {.spec.node} {.status.phase} {.spec.replicas}"));
    }

    @Test
    void getPrintsTheColumnsOfTheDefinition() throws Exception {
        succeed("create", "-f", file("{'size':7}"));
        var table = succeed("get", "widgets");
        assertTrue(table.matches("(?s)NAME +SIZE +AGE\\s+w +7 +\\d+s\\s+"), table);
    }

    @Test
    void labelsAndAnnotationsAreSetAndSelect() throws Exception {
        succeed("create", "-f", file("{'size':1}"));
        succeed("label", "wd", "w", "a=b");
        succeed("annotate", "wd", "w", "c=d");
        assertEquals("widget.example.com/w\n", succeed("get", "wd", "-l", "a=b", "-o", "name"));
    }

    @Test
    void waitSeesConditionsAndFields() throws Exception {
        succeed("create", "-f", file("{'size':1}"));
        client.merge(
                Widgets.path(namespace) + "/w/status",
                "{'status':{'phase':'ok','conditions':[{'type':'Ready','status':'True'}]}}");
        succeed("wait", "--for=condition=Ready", "wd/w", "--timeout=5s");
        succeed("wait", "--for=jsonpath={.status.phase}=ok", "wd/w", "--timeout=5s");
    }

    @Test
    void deleteWaitsForTheFinalizer() throws Exception {
        succeed("create", "-f", file("{'size':1}"));
        var path = Widgets.path(namespace) + "/w";
        client.merge(path, "{'metadata':{'finalizers':['example.com/x']}}");
        var remover =
                Thread.startVirtualThread(
                        () -> {
                            try {
                                Client.await(
                                        () ->
                                                !client.get(path)
                                                        .text("metadata", "deletionTimestamp")
                                                        .isEmpty());
                                client.merge(path, "{'metadata':{'finalizers':null}}");
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        });
        succeed("delete", "wd", "w");
        remover.join();
        assertEquals(404, client.get(path).code());
    }

    @Test
    void explainReadsTheSchemas() throws Exception {
        assertTrue(succeed("explain", "widgets.spec.size").contains("how big"));
        assertTrue(succeed("explain", "pod.spec.containers.image").contains("<string>"));
        assertTrue(succeed("explain", "pvc", "--recursive").contains("storageClassName"));
    }

    @Test
    @Behaviour(97)
    void createsWhatItSendsAsProtobuf() throws Exception {
        succeed("create", "configmap", "cm", "--from-literal=a=b");
        succeed("create", "secret", "generic", "s", "--from-literal=a=b");
        succeed("create", "serviceaccount", "sa");
        succeed("create", "role", "r", "--verb=get", "--resource=pods");
        succeed("create", "rolebinding", "rb", "--role=r", "--serviceaccount=" + namespace + ":sa");
        succeed("create", "namespace", namespace + "-x");
        assertEquals("b", succeed("get", "cm", "cm", "-o", "jsonpath={.data.a}"));
        assertTrue(succeed("create", "token", "sa").length() > 10);
    }

    @Test
    void describesClaimsVolumesNodesAndPods() throws Exception {
        client.post(
                "/api/v1/namespaces/" + namespace + "/persistentvolumeclaims",
                "{'metadata':{'name':'c'},'spec':{'accessModes':['ReadWriteOnce'],'resources':"
                        + "{'requests':{'storage':'1Gi'}}}}");
        client.post("/api/v1/nodes", "{'metadata':{'name':'" + namespace + "'}}");
        succeed("run", "p", "--image=x");
        assertTrue(succeed("describe", "pvc", "c").contains("Pending"));
        assertTrue(succeed("describe", "node", namespace).contains("Name:"));
        assertTrue(succeed("describe", "pod", "p").contains("Image:"));
    }

    @Test
    void namesItsResourcesAndRights() throws Exception {
        var resources = succeed("api-resources");
        assertTrue(resources.contains("csistoragecapacities"), resources);
        assertTrue(resources.contains("wd"), resources);
        assertEquals("yes\n", succeed("auth", "can-i", "delete", "pods"));
        assertTrue(succeed("auth", "whoami").contains("kubernetes-admin"));
        assertTrue(succeed("events").contains("No events found"));
    }

    @Test
    void watchesPrintEachChange() throws Exception {
        succeed("create", "-f", file("{'size':1}"));
        var ender =
                Thread.startVirtualThread(
                        () -> {
                            try {
                                Client.await(
                                        () ->
                                                server.faults().requests().stream()
                                                        .anyMatch(
                                                                r ->
                                                                        r.query()
                                                                                        .containsKey(
                                                                                                "watch")
                                                                                && r.target()
                                                                                        .contains(
                                                                                                namespace)));
                                client.merge(
                                        Widgets.path(namespace) + "/w", "{'spec':{'size':42}}");
                                java.util.concurrent.locks.LockSupport.parkNanos(200_000_000);
                                server.faults().endWatches();
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        });
        var output = succeed("get", "wd", "-w");
        ender.join();
        assertTrue(output.contains("42"), output);
    }

    @Test
    @Behaviour(98)
    void aDefinitionIsUsableAtOnce() throws Exception {
        var file = directory.resolve("gizmos.json");
        Files.writeString(
                file,
                Widgets.DEFINITION
                        .replace("widgets", "gizmos")
                        .replace("Widget", "Gizmo")
                        .replace("'wd'", "'gz'")
                        .replace('\'', '"'));
        succeed("apply", "-f", file.toString());
        succeed("wait", "--for=condition=established", "crd/gizmos.example.com", "--timeout=5s");
        assertTrue(succeed("get", "gizmos").contains("No resources found"));
        succeed("delete", "crd", "gizmos.example.com");
        assertEquals(1, kubectl("get", "gizmos").code());
    }
}
