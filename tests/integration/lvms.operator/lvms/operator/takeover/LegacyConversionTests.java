package lvms.operator.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.LogicalVolume;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.tree.ListTree;
import lvms.k8s.yaml.Yaml;
import lvms.operator.uninstall.StuckException;
import lvms.tests.runner.Lasts;
import lvms.tests.server.Definitions;
import lvms.tests.server.Servers;
import lvms.tests.support.Nodes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The LogicalVolumes of TopoLVM's old name become ours: each volume has an object that names it at
 * any time, and no node agent sees an object that it would remove a volume for.
 */
@Lasts(seconds = 20)
class LegacyConversionTests {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** How many requests change something: stop, keep three, mark, copy, status, let go, delete. */
    private static final int WRITES = 9;

    private static final String ID = "4a1f0d4e-0000-4000-8000-0000000000";
    private static final ResourceType OLD = Driver.LEGACY.logicalVolumes();
    private static final ResourceType NEW = Driver.TOPOLVM.logicalVolumes();
    private static final ObjectKey CSI_DRIVER = ObjectKey.cluster("topolvm.cybozu.com");
    private static final ObjectKey CONTROLLER =
            ObjectKey.of("topolvm-system", "topolvm-controller");

    private ApiServer server;
    private KubeClient kube;
    private Takeover conversion;

    @BeforeEach
    void open() throws Exception {
        server = Servers.start();
        kube = KubeClient.open(server.config(), "test").withFieldManager("test");
        Definitions.install(kube, Path.of("deploy/base/crds/topolvm.io_logicalvolumes.yaml"));
        Definitions.install(kube, Path.of("deploy/legacy/topolvm.cybozu.com_logicalvolumes.yaml"));
        create(Types.NAMESPACE, "metadata: {name: topolvm-system}");
        create(
                Types.CSI_DRIVER,
                "metadata: {name: topolvm.cybozu.com}\nspec: {attachRequired: false}");
        create(
                Types.DEPLOYMENT,
                """
                metadata: {name: topolvm-controller, namespace: topolvm-system}
                spec:
                  replicas: 2
                  selector: {matchLabels: {a: b}}
                  template:
                    metadata: {labels: {a: b}}
                    spec:
                      containers:
                        - name: topolvm-controller
                          image: topolvm
                          command: [/topolvm-controller]
                          env: [{name: USE_LEGACY, value: "true"}]
                """);
        conversion = new Takeover(kube, "topolvm-legacy", "topolvm-system");
    }

    @AfterEach
    void close() throws Exception {
        kube.close();
        server.close();
    }

    private KubeObject create(ResourceType type, String yaml) throws Exception {
        var object = KubeObject.of(Yaml.read(yaml).asObject());
        return kube.create(
                type, object.with(type.apiVersion(), "apiVersion").with(type.kind(), "kind"));
    }

    /** As TopoLVM leaves one; its status has no size if it was lost once. */
    private KubeObject old(String name, String id, String more) throws Exception {
        var made =
                create(
                        OLD,
                        """
                        metadata:
                          name: %s
                          finalizers: [topolvm.cybozu.com/logicalvolume]
                          labels: {app.kubernetes.io/created-by: topolvm-controller}
                          annotations:
                            topolvm.cybozu.com/resize-requested-at: "2026-01-01"
                            example.com/of: somebody
                        spec: {name: %s, nodeName: n1, size: 1Gi, deviceClass: ssd%s}
                        """
                                .formatted(name, name, more));
        if (id.isEmpty()) {
            return made;
        }
        var status = Yaml.read("{volumeID: " + id + ", currentSize: 1Gi}").asObject();
        return kube.mergePatchStatus(OLD, MergePatch.of(made).status(status));
    }

    private Optional<KubeObject> find(ResourceType type, String name) throws Exception {
        return kube.find(type, ObjectKey.cluster(name));
    }

    private void run() throws Exception {
        var plan = conversion.plan();
        assertEquals(List.of(), plan.obstacles());
        conversion.run(plan, PATIENCE, _ -> {});
    }

    @Test
    void volumesBecomeOursWithAllThatIsKnownOfThem() throws Exception {
        old("pvc-1", ID + "01", "");
        old("snapshot-1", ID + "02", ", source: pvc-1, accessType: ro");
        run();
        assertTrue(find(OLD, "pvc-1").isEmpty());
        assertTrue(find(OLD, "snapshot-1").isEmpty());
        var volume = LogicalVolume.of(find(NEW, "pvc-1").orElseThrow());
        assertEquals(ID + "01", volume.status().volumeId());
        assertEquals(1L << 30, volume.bytes());
        assertEquals(LogicalVolume.State.READY, volume.state());
        assertEquals(Optional.of(ID + "01"), volume.formerId());
        assertEquals(List.of("topolvm.io/logicalvolume"), volume.object().finalizers());
        assertEquals("somebody", volume.object().annotations().get("example.com/of"));
        assertEquals(
                "2026-01-01", volume.object().annotations().get("topolvm.io/resize-requested-at"));
        var snapshot = LogicalVolume.of(find(NEW, "snapshot-1").orElseThrow());
        assertTrue(snapshot.isSnapshot());
        assertEquals("pvc-1", snapshot.spec().source());
        assertEquals(
                0, kube.get(Types.DEPLOYMENT, CONTROLLER).number("spec", "replicas").orElse(9));
        assertEquals(List.of(), conversion.plan().lines());
    }

    /** Helm would refuse to upgrade a release to what somebody else applied. */
    @Test
    void theReleaseHasTheDefinitionThatItsUpgradeRenders() throws Exception {
        kube.mergePatch(
                Types.DEPLOYMENT,
                MergePatch.of(kube.get(Types.DEPLOYMENT, CONTROLLER))
                        .annotation("meta.helm.sh/release-name", "storage"));
        old("pvc-1", ID + "01", "");
        run();
        var definition = find(Types.CRD, NEW.qualifiedPlural()).orElseThrow();
        assertEquals("storage", definition.annotations().get("meta.helm.sh/release-name"));
        assertEquals(
                "topolvm-system", definition.annotations().get("meta.helm.sh/release-namespace"));
        assertEquals("Helm", definition.labels().get("app.kubernetes.io/managed-by"));
        assertEquals("keep", definition.annotations().get("helm.sh/resource-policy"));
    }

    /** Only the mark says who serves the old driver, so that nobody else's is taken. */
    @Test
    void theOldDriverIsServedWithOursFromThenOn() throws Exception {
        old("pvc-1", ID + "01", "");
        assertEquals(Drivers.DEFAULT, Drivers.servedWith(kube, Driver.TOPOLVM));
        run();
        var csiDriver = kube.get(Types.CSI_DRIVER, CSI_DRIVER);
        assertEquals("keep", csiDriver.annotations().get("helm.sh/resource-policy"));
        assertEquals(
                Drivers.of(Driver.TOPOLVM, Driver.CONVERTED),
                Drivers.servedWith(kube, Driver.TOPOLVM));
        assertEquals(Drivers.of(Driver.LEGACY), Drivers.servedWith(kube, Driver.LEGACY));
    }

    /** A node agent of either side may look at the objects between any two requests. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void aConversionThatIsCutAnywhereIsFinishedByTheNext(int writes) throws Exception {
        old("pvc-1", ID + "01", "");
        var plan = conversion.plan();
        var left = new AtomicInteger(writes);
        server.faults()
                .answer(
                        seen -> !seen.method().equals("GET") && left.decrementAndGet() < 0,
                        1000,
                        403,
                        "{\"kind\":\"Status\",\"status\":\"Failure\",\"code\":403,"
                                + "\"reason\":\"Forbidden\",\"message\":\"no more\"}");
        boolean whole = writes == WRITES;
        if (whole) {
            conversion.run(plan, PATIENCE, _ -> {});
        } else {
            assertThrows(
                    ApiException.Forbidden.class, () -> conversion.run(plan, PATIENCE, _ -> {}));
        }
        server.faults().clear();
        requireNamed();
        run();
        requireNamed();
        assertTrue(find(OLD, "pvc-1").isEmpty());
    }

    /** The volume has an object, and none that an agent would make or remove a volume for. */
    private void requireNamed() throws Exception {
        var before = find(OLD, "pvc-1").map(LogicalVolume::of);
        var after = find(NEW, "pvc-1").map(LogicalVolume::of);
        boolean named =
                before.filter(v -> v.status().volumeId().equals(ID + "01")).isPresent()
                        || after.filter(v -> v.status().volumeId().equals(ID + "01")).isPresent();
        assertTrue(named, before + " " + after);
        after.ifPresent(v -> assertEquals(Optional.of(ID + "01"), v.formerId()));
        before.filter(v -> v.object().terminating())
                .ifPresent(v -> assertTrue(v.pendingDeletion(), "its data would be removed"));
    }

    @Test
    void aVolumeThatIsDeletedMeanwhileIsNotCopied() throws Exception {
        var volume = old("pvc-1", ID + "01", "");
        var plan = conversion.plan();
        kube.delete(OLD, volume.key(), DeleteOptions.uid(volume.uid()));
        var cut = assertThrows(StuckException.class, () -> conversion.run(plan, PATIENCE, _ -> {}));
        assertEquals(
                "LogicalVolume pvc-1 is being deleted: wait until it is gone, then repeat",
                cut.getMessage());
        assertTrue(find(NEW, "pvc-1").isEmpty());
        assertTrue(conversion.plan().obstacles().getFirst().contains("is being deleted"));
    }

    @Test
    void oneNameInBothGroupsIsRefusedBeforeAnythingIsDone() throws Exception {
        old("pvc-1", ID + "01", "");
        old("pvc-2", ID + "02", "");
        create(NEW, "metadata: {name: pvc-2}\nspec: {name: pvc-2, nodeName: n1, size: 2Gi}");
        assertEquals(
                List.of(
                        "LogicalVolume pvc-2 is in both groups, and the one of topolvm.io is"
                                + " another volume or is being deleted"),
                conversion.plan().obstacles());
    }

    @Test
    void whatIsNotFinishedIsNamedAndNothingIsDone() throws Exception {
        old("pvc-1", "", "");
        old("pvc-2", ID + "02", "");
        var plan = conversion.plan();
        assertEquals(
                List.of(
                        "LogicalVolume pvc-1 of group topolvm.cybozu.com has no volume yet: wait"
                                + " until it has, or delete it"),
                plan.obstacles());
        server.faults().forgetRequests();
        assertThrows(IllegalStateException.class, () -> conversion.run(plan, PATIENCE, _ -> {}));
        assertEquals(List.of(), server.faults().requests());
        assertTrue(find(OLD, "pvc-2").isPresent() && find(NEW, "pvc-2").isEmpty());
        assertEquals(
                2, kube.get(Types.DEPLOYMENT, CONTROLLER).number("spec", "replicas").orElse(9));
    }

    private void node(String name, String... finalizers) throws Exception {
        Nodes.create(
                kube,
                KubeObject.create(Types.NODE, ObjectKey.cluster(name))
                        .with(ListTree.ofTexts(List.of(finalizers)), "metadata", "finalizers")
                        .with("1", "metadata", "annotations", "capacity.topolvm.cybozu.com/ssd"));
    }

    private KubeObject node(String name) throws Exception {
        return kube.get(Types.NODE, ObjectKey.cluster(name));
    }

    private void confirm() throws Exception {
        conversion.run(conversion.confirm(), PATIENCE, _ -> {});
    }

    /** A deleted Node would wait for ever for a finalizer that nobody takes off. */
    @Test
    void confirmingTakesOffNodesWhatNobodyElseWill() throws Exception {
        node("n1", "topolvm.cybozu.com/node");
        node("n2", "topolvm.cybozu.com/node", "example.com/mine");
        old("pvc-1", ID + "01", "");
        run();
        kube.delete(Types.DEPLOYMENT, CONTROLLER, DeleteOptions.any());
        confirm();
        assertEquals(List.of("topolvm.cybozu.com/node"), node("n1").finalizers(), "it has volumes");
        assertEquals(List.of("example.com/mine"), node("n2").finalizers());
        kube.addFinalizer(Types.NODE, node("n1"), "topolvm.io/node");
        confirm();
        assertEquals(List.of("topolvm.io/node"), node("n1").finalizers());
        assertEquals("1", node("n1").annotations().get("capacity.topolvm.cybozu.com/ssd"));
        kube.delete(Types.CSI_DRIVER, CSI_DRIVER, DeleteOptions.any());
        confirm();
        assertEquals(List.of("topolvm.io/node"), node("n1").finalizers());
        assertTrue(node("n1").annotations().isEmpty(), node("n1").annotations().toString());
        assertEquals(List.of(), conversion.confirm().lines());
    }

    /** Whoever confirms after the upgrade is not asked where the programs are. */
    @Test
    void itsPlaceIsFoundWhenItsProgramsHaveThePresentName() throws Exception {
        old("pvc-1", ID + "01", "");
        assertEquals(List.of("topolvm-system"), Takeover.namespaces(kube, "topolvm-legacy"));
        run();
        presentName();
        assertEquals(List.of("topolvm-system"), Takeover.namespaces(kube, "topolvm-legacy"));
        assertEquals(List.of(), conversion.confirm().obstacles());
    }

    /** Programs of the present name alone are no sign that there was an old one. */
    @Test
    void aClusterThatWasNeverConvertedHasNoPlace() throws Exception {
        presentName();
        assertEquals(List.of(), Takeover.namespaces(kube, "topolvm-legacy"));
    }

    private void presentName() throws Exception {
        var present =
                """
                {spec: {template: {spec: {containers: [
                  {name: topolvm-controller, image: lvms, command: [/topolvm-controller]}]}}}}
                """;
        kube.mergePatch(Types.DEPLOYMENT, CONTROLLER, Yaml.read(present).asObject());
    }

    @Test
    void itIsConfirmedOnceNothingServesTheOldGroup() throws Exception {
        old("pvc-1", ID + "01", "");
        run();
        assertTrue(conversion.confirm().obstacles().getFirst().contains("still has USE_LEGACY"));
        kube.delete(Types.DEPLOYMENT, CONTROLLER, DeleteOptions.any());
        conversion.run(conversion.confirm(), PATIENCE, _ -> {});
        assertTrue(find(Types.CRD, "logicalvolumes.topolvm.cybozu.com").isEmpty());
        assertTrue(find(NEW, "pvc-1").isPresent());
        assertTrue(conversion.back().obstacles().getFirst().contains("cannot become old ones"));
    }
}
