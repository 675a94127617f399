package lvms.operator.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Drivers;
import lvms.api.LogicalVolume;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.controller.Result;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.tree.Json;
import lvms.operator.informer.OperatorInformers;
import lvms.tests.server.Definitions;
import lvms.tests.server.Looks;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** A claim hears that the node of its volume is down, gone or back: once, and not too early. */
class NodeOutageTests {
    private static final ObjectKey NODE = ObjectKey.cluster("n1");
    private static final Instant DOWN = Instant.parse("2026-01-01T00:00:00Z");

    private ApiServer server;
    private KubeClient kube;
    private EventRecorder events;
    private List<Informer> followed;
    private OperatorInformers informers;
    private NodeOutageReconciler reconciler;
    private volatile Instant now = DOWN;

    @BeforeEach
    void start() throws Exception {
        server = Servers.start();
        kube = KubeClient.open(server.config(server.token()), "test").withFieldManager("test");
        Definitions.install(kube, List.of("topolvm.io_logicalvolumes"));
        create(Types.NODE, "{'metadata':{'name':'n1'}}");
        create(Types.NAMESPACE, "{'metadata':{'name':'app'}}");
        create(
                Types.PV,
                "{'metadata':{'name':'pv-1'},'spec':{'capacity':{'storage':'1Gi'},"
                        + "'accessModes':['ReadWriteOnce'],'claimRef':{'namespace':'app',"
                        + "'name':'data','uid':'u-1'},'csi':{'driver':'topolvm.io',"
                        + "'volumeHandle':'id-1'}}}");
        create(
                LogicalVolume.TYPE,
                "{'metadata':{'name':'lv-1'},'spec':{'name':'lv-1','nodeName':'n1',"
                        + "'size':'1Gi','deviceClass':'ssd'}}");
        kube.mergePatchStatus(
                LogicalVolume.TYPE,
                ObjectKey.cluster("lv-1"),
                tree("{'status':{'volumeID':'id-1','currentSize':'1Gi'}}"));
        events = EventRecorder.open(kube, "example.com/test", "test");
        informers = OperatorInformers.of(kube, Drivers.DEFAULT, "lvms-system");
        followed = new ArrayList<>(informers.ofCalls());
        followed.add(informers.persistentVolumes());
        followed.forEach(Informer::start);
        await("the caches are filled", () -> followed.stream().allMatch(Informer::following));
        await("the volume is known", () -> informers.persistentVolumesOf("id-1").size() == 1);
        var volumesOn = NodeOutageReconciler.logicalVolumes(informers);
        reconciler = new NodeOutageReconciler(informers, volumesOn, events, () -> now);
    }

    @AfterEach
    void stop() throws Exception {
        followed.forEach(Informer::close);
        events.close();
        kube.close();
        server.close();
    }

    private static lvms.k8s.tree.ObjectTree tree(String text) {
        return Json.parse(text.replace('\'', '"')).asObject();
    }

    private void create(ResourceType type, String text) throws Exception {
        var object = KubeObject.of(tree(text));
        kube.create(type, object.with(type.apiVersion(), "apiVersion").with(type.kind(), "kind"));
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        Looks.until(what, Duration.ofSeconds(30), condition);
    }

    private void ready(String status) throws Exception {
        kube.mergePatchStatus(
                Types.NODE,
                NODE,
                tree(
                        "{'status':{'conditions':[{'type':'Ready','status':'%s',".formatted(status)
                                + "'lastTransitionTime':'"
                                + DOWN
                                + "'}]}}"));
        await(
                "the operator sees it",
                () ->
                        informers
                                .nodes()
                                .get(NODE)
                                .flatMap(node -> node.condition("Ready"))
                                .filter(c -> c.holds() == status.equals("True"))
                                .isPresent());
    }

    private List<String> notes() throws Exception {
        return kube.list(Types.EVENT, ListOptions.all()).items().stream()
                .filter(event -> event.text("regarding", "uid").orElse("").equals("u-1"))
                .map(
                        event ->
                                event.text("reason").orElse("")
                                        + ": "
                                        + event.text("note").orElse(""))
                .sorted()
                .toList();
    }

    @Test
    void anOutageIsToldAfterFiveMinutesAndItsEndToo() throws Exception {
        ready("Unknown");
        now = DOWN.plusSeconds(200);
        assertEquals(Result.requeueAfter(Duration.ofSeconds(100)), reconciler.reconcile(NODE));
        now = DOWN.plusSeconds(300);
        reconciler.reconcile(NODE);
        reconciler.reconcile(NODE);
        ready("True");
        reconciler.reconcile(NODE);
        reconciler.reconcile(NODE);
        await("both are told", () -> notes().size() == 2);
        assertEquals(
                List.of(
                        "NodeFailed: node n1 has not been ready since " + DOWN,
                        "NodeRecovered: node n1 is ready again"),
                notes());
    }

    @Test
    void aNodeThatIsNotBackInTimeIsGone() throws Exception {
        kube.delete(Types.NODE, NODE, lvms.k8s.client.DeleteOptions.any());
        await("the operator sees it", () -> informers.nodes().get(NODE).isEmpty());
        assertEquals(Result.requeueAfter(NodeOutageReconciler.GRACE), reconciler.reconcile(NODE));
        now = DOWN.plus(NodeOutageReconciler.GRACE);
        reconciler.reconcile(NODE);
        await("it is told", () -> notes().size() == 1);
        assertEquals(List.of("VolumeConditionAbnormal: node n1 is gone since " + DOWN), notes());
    }

    @Test
    void aShortOutageIsNotTold() throws Exception {
        ready("False");
        now = DOWN.plusSeconds(60);
        reconciler.reconcile(NODE);
        ready("True");
        now = DOWN.plusSeconds(900);
        assertEquals(Result.done(), reconciler.reconcile(NODE));
        ready("False"); // the next one is told: so nothing was told before
        reconciler.reconcile(NODE);
        await("it is told", () -> !notes().isEmpty());
        assertEquals(List.of("NodeFailed: node n1 has not been ready since " + DOWN), notes());
    }
}
