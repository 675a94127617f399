package lvms.operator.takeover;

import static lvms.operator.takeover.NativeStorSite.CLUSTER;
import static lvms.operator.takeover.NativeStorSite.CONTROLLER;
import static lvms.operator.takeover.NativeStorSite.DRIVER;
import static lvms.operator.takeover.NativeStorSite.JOB;
import static lvms.operator.takeover.NativeStorSite.NAMESPACE;
import static lvms.operator.takeover.NativeStorSite.NODES;
import static lvms.operator.takeover.NativeStorSite.OPERATOR;
import static lvms.operator.takeover.NativeStorSite.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.LogicalVolume;
import lvms.api.LvmVolumeGroup;
import lvms.api.nativestor.RawDevice;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.Tree;
import lvms.k8s.yaml.Yaml;
import lvms.operator.uninstall.StuckException;
import lvms.operator.unit.ForeignDriver;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** NativeStor's place is taken with everything that holds data left alone, and given back. */
@Timeout(120)
@Lasts(seconds = 65)
class NativeStorTakeoverTests {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final ObjectKey RAW_DRIVER = ObjectKey.cluster("nativestor.alauda.io");
    private static final ObjectKey RECORD = TakeoverRecord.key(NAMESPACE);
    private static final ObjectKey AGENTS = deployment("vg-manager");
    private static final ObjectKey OURS = deployment("lvms-operator");

    private NativeStorSite site;
    private Takeover takeover;

    @BeforeEach
    void open() throws Exception {
        site = new NativeStorSite();
        takeover = new Takeover(site.kube, "nativestor", NAMESPACE);
    }

    @AfterEach
    void close() throws Exception {
        site.close();
    }

    /** Pods of a Deployment end when it is stopped, and no others. */
    private void take() throws Exception {
        takeover.run(takeover.plan(), PATIENCE, this::endStopped);
    }

    private void endStopped(String line) {
        var stop = "stop Deployment " + NAMESPACE + "/";
        try {
            if (line.startsWith(stop)) {
                site.endPods(line.substring(stop.length()));
            }
        } catch (Exception e) {
            throw new AssertionError(line, e);
        }
    }

    private List<String> obstacles() throws Exception {
        return takeover.plan().obstacles();
    }

    private void edit(String yaml) throws Exception {
        site.kube.mergePatch(TopolvmCluster.TYPE, CLUSTER, Yaml.read(yaml).asObject());
    }

    private KubeObject rawDevice() throws Exception {
        return site.kube.get(RawDevice.TYPE, NativeStorSite.RAW_DEVICE);
    }

    private KubeObject volume(String name) throws Exception {
        return site.kube.get(Driver.LEGACY.logicalVolumes(), ObjectKey.cluster(name));
    }

    @Test
    void itIsFoundByItsOperatorOrItsCluster() throws Exception {
        assertEquals(List.of(NAMESPACE), Takeover.namespaces(site.kube, "nativestor"));
        take();
        assertEquals(List.of(NAMESPACE), Takeover.namespaces(site.kube, "nativestor"));
    }

    @Test
    void thePlanNamesEveryObjectAndStepAndChangesNothing() throws Exception {
        var before = site.kube.get(Types.DEPLOYMENT, OPERATOR).resourceVersion();
        var plan = takeover.plan();
        assertEquals(List.of(), plan.obstacles());
        var objects = String.join("\n", plan.objects());
        for (var line :
                List.of(
                        "kept      TopolvmCluster nativestor-system/topolvmcluster-sample: ",
                        "kept      LogicalVolume pvc-n1: ",
                        "kept      PersistentVolume pvc-n1: ",
                        "kept      StorageClass topolvm: ",
                        "kept      RawDevice 0123456789abcdef0123456789abcdef: ",
                        "kept      ConfigMap nativestor-system/lvmdconfig-n1: ",
                        "kept      ConfigMap nativestor-system/nativestor-setting: ",
                        "changed   CSIDriver topolvm.cybozu.com: ",
                        "changed   CSIDriver nativestor.alauda.io: ",
                        "removed   Deployment nativestor-system/topolvm-node-n2: ",
                        "removed   DaemonSet nativestor-system/discover-device: ",
                        "left over ServiceAccount nativestor-system/topolvm-node: ",
                        "left over ClusterRoleBinding nativestor-global: ")) {
            assertTrue(objects.contains(line), line + " is not in\n" + objects);
        }
        assertTrue(
                plan.notes().contains("node n1: class fast keeps volume group data"),
                plan.notes().toString());
        assertEquals(
                List.of(
                        "stop Deployment nativestor-system/nativestor",
                        "stop Deployment nativestor-system/raw-device-provisioner",
                        "stop Deployment nativestor-system/topolvm-controller",
                        "stop Deployment nativestor-system/topolvm-node-n1",
                        "stop Deployment nativestor-system/topolvm-node-n2",
                        "delete Deployment nativestor-system/nativestor"),
                plan.lines().subList(1, 7));
        assertEquals("mark CSIDriver topolvm.cybozu.com as served by ours", plan.lines().getLast());
        assertEquals(before, site.kube.get(Types.DEPLOYMENT, OPERATOR).resourceVersion());
        assertFalse(site.there(Types.CONFIG_MAP, RECORD));
    }

    @Test
    void allThatRunsGoesAndAllThatHoldsDataStays() throws Exception {
        var volume = volume("pvc-n1");
        var device = rawDevice();
        var cluster = site.kube.get(TopolvmCluster.TYPE, CLUSTER);
        var file = site.kube.get(Types.CONFIG_MAP, deployment("lvmdconfig-n1"));
        take();
        for (var name : List.of("nativestor", "topolvm-controller", "topolvm-node-n1")) {
            assertFalse(site.there(Types.DEPLOYMENT, deployment(name)), name);
        }
        for (var name : List.of("discover-device", "raw-device-plugin")) {
            assertFalse(site.there(Types.DAEMON_SET, deployment(name)), name);
        }
        assertEquals(volume, volume("pvc-n1"));
        assertEquals(device, rawDevice(), "a pod has it");
        assertEquals(cluster, site.kube.get(TopolvmCluster.TYPE, CLUSTER));
        assertEquals(file, site.kube.get(Types.CONFIG_MAP, deployment("lvmdconfig-n1")));
        var driver = site.kube.get(Types.CSI_DRIVER, DRIVER);
        assertEquals(Optional.of(Driver.LEGACY), Drivers.marked(driver));
        assertEquals(
                Drivers.of(Driver.TOPOLVM, Driver.LEGACY),
                Drivers.servedAfterNativeStor(site.kube));
        assertTrue(ForeignDriver.isOurs(site.kube.get(Types.CSI_DRIVER, RAW_DRIVER)));
        assertEquals(List.of(), takeover.plan().lines());
        assertEquals(List.of(), obstacles());
    }

    /** All Deployments of nodes select one label, and a pod that does not end is not overlooked. */
    @Test
    void aTryThatIsCutIsFinishedByTheNext() throws Exception {
        var cut =
                assertThrows(
                        StuckException.class,
                        () ->
                                takeover.run(
                                        takeover.plan(),
                                        SHORT,
                                        line -> {
                                            if (!line.contains("topolvm-node-n2")) {
                                                endStopped(line);
                                            }
                                        }));
        assertTrue(cut.getMessage().contains("topolvm-node-n2 has pods"), cut.getMessage());
        assertTrue(Drivers.isForeign(site.kube.find(Types.CSI_DRIVER, DRIVER)), "no mark yet");
        take();
        var record = TakeoverRecord.of(site.kube.get(Types.CONFIG_MAP, RECORD));
        var node = record.find(Types.DEPLOYMENT, deployment("topolvm-node-n1")).orElseThrow();
        assertEquals(1, node.number("spec", "replicas").orElse(9), "as it was before");
        assertTrue(record.find(Types.DAEMON_SET, deployment("raw-device-plugin")).isPresent());
    }

    private static final String ONE =
            "{spec: {storage: {deviceClasses: [{nodeName: n1, classes: [{className: %s,"
                    + " volumeGroup: %s, default: true, devices: [{name: /dev/sdb, type:"
                    + " disk}]}]}]}}}";

    private static Stream<Arguments> badClusters() {
        var failed = "[{className: slow, message: create failed}]";
        return Stream.of(
                Arguments.of(
                        "{status: {nodeStorageState: [{node: n1, failClasses: " + failed + "}]}}",
                        "class \"slow\" of node n1 has failed (create failed)"),
                Arguments.of(
                        ONE.formatted("fast", "other"),
                        "class fast is on volume group data, in the TopolvmCluster on other"),
                Arguments.of(
                        ONE.formatted("new", "data"),
                        "class fast on volume group data is not in the TopolvmCluster for node n1"),
                Arguments.of(
                        "{spec: {storage: {deviceClasses: []}}}",
                        "LogicalVolume pvc-n1 is in class \"fast\" of node n1, which the"),
                Arguments.of(
                        "{spec: {storage: {useAllDevices: true}}}",
                        "our operator would refuse it"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("badClusters")
    void whatTheClusterSaysMayBeInTheWay(String patch, String words) throws Exception {
        var tree = Yaml.read(patch).asObject();
        if (tree.has("status")) {
            site.kube.mergePatchStatus(TopolvmCluster.TYPE, CLUSTER, tree);
        } else {
            edit(patch);
        }
        var found = obstacles().toString();
        assertTrue(found.contains(words), found);
    }

    @Test
    void aSecondClusterAnActiveJobAndALostNodeAreInTheWay() throws Exception {
        site.volume("pvc-9", "n9", "fast");
        site.status(JOB, deployment("topolvm-prepare-vg-n1"), "{active: 1}");
        var found = obstacles();
        assertTrue(
                found.contains(
                        "Job nativestor-system/topolvm-prepare-vg-n1 is at work on a node: wait"
                                + " until it has ended"),
                found.toString());
        assertTrue(found.toString().contains("Node n9 does not exist"), found.toString());
        site.create(
                TopolvmCluster.TYPE,
                """
                metadata: {name: second, namespace: nativestor-system}
                spec: {topolvmVersion: x, storage: {useAllNodes: false, useAllDevices: false,
                       useLoop: false}}
                """);
        assertTrue(obstacles().toString().contains("2 TopolvmClusters are in namespace"));
    }

    /** Its definition serves v1 alone, whatever a later one has left there. */
    @Test
    void aReleaseBeforeTheSecondHasToBeUpgradedFirst() throws Exception {
        var key = ObjectKey.cluster(TopolvmCluster.TYPE.qualifiedPlural());
        var definition = site.kube.get(Types.CRD, key);
        var second = definition.objects("spec", "versions").getFirst();
        var first = second.with(Tree.of("v1"), "name").with(Tree.of(false), "storage");
        var versions = ListTree.of(List.of(first, second.with(Tree.of(false), "served")));
        site.kube.replace(Types.CRD, definition.with(versions, "spec", "versions"));
        assertEquals(
                List.of(
                        "CustomResourceDefinition topolvmclusters.topolvm.cybozu.com does not serve"
                                + " version v2, so this is a release before 2.0: upgrade NativeStor"
                                + " first"),
                obstacles());
    }

    /** Claims would wait for ever: ours serves the driver only where it is marked. */
    @Test
    void withoutTheOldDriverThereIsNothingToMark() throws Exception {
        site.kube.delete(Types.CSI_DRIVER, DRIVER, DeleteOptions.any());
        assertEquals(
                List.of(
                        "there is no CSIDriver topolvm.cybozu.com: create it again as it was, or"
                                + " set TOPOLVM_ENABLE to true"),
                obstacles());
    }

    @ParameterizedTest
    @ValueSource(strings = {"topolvm-operator-setting", "tooplvm-operator-setting"})
    void settingsUnderAnOlderNameStay(String name) throws Exception {
        site.create(
                Types.CONFIG_MAP,
                "metadata: {name: %s, namespace: nativestor-system}\ndata: {TOPOLVM_ENABLE: 'true'}"
                        .formatted(name));
        var line =
                "kept      ConfigMap nativestor-system/" + name + ": its settings count for ours";
        var plan = takeover.plan();
        assertTrue(plan.objects().contains(line), plan.objects().toString());
        take();
        assertTrue(site.there(Types.CONFIG_MAP, deployment(name)));
    }

    /** Before it was called NativeStor, discovery and accounts had other names. */
    @Test
    void theNamesOfRelease23AreKnown() throws Exception {
        var discovery = deployment("topolvm-discover");
        site.daemonSet("topolvm-discover", "/topolvm, discover", "");
        site.create(
                Types.SERVICE_ACCOUNT,
                "metadata: {name: topolvm-discover, namespace: nativestor-system}");
        var objects = String.join("\n", takeover.plan().objects());
        assertTrue(objects.contains("removed   DaemonSet " + discovery + ": "), objects);
        assertTrue(objects.contains("left over ServiceAccount " + discovery + ": "), objects);
        take();
        assertFalse(site.there(Types.DAEMON_SET, discovery));
        assertTrue(site.there(Types.SERVICE_ACCOUNT, discovery), "confirm removes it");
    }

    @Test
    void thePlanCountsSnapshotsOfTheForkAndRawDevicesInUse() throws Exception {
        var notes = takeover.plan().notes().toString();
        assertFalse(notes.contains("snapshots of NativeStor's own TopoLVM"), notes);
        assertTrue(notes.contains("1 RawDevices have volumes: they are served while"), notes);
        site.volume("snap-1", "n1", "fast");
        site.kube.mergePatch(
                Driver.LEGACY.logicalVolumes(),
                MergePatch.of(volume("snap-1"))
                        .annotation("topolvm.cybozu.com/snapshot-source-volume", "pvc-n1"));
        notes = takeover.plan().notes().toString();
        assertTrue(notes.contains("1 of them are snapshots of NativeStor's own TopoLVM"), notes);
        assertTrue(notes.contains("3 LogicalVolumes stay in their group, on n1, n2"), notes);
    }

    @Test
    void whatOthersInstallAgainIsInTheWay() throws Exception {
        var operator = site.kube.get(Types.DEPLOYMENT, OPERATOR);
        site.kube.mergePatch(
                Types.DEPLOYMENT, MergePatch.of(operator).label("olm.owner", "topolvm-operator"));
        var controller = site.kube.get(Types.DEPLOYMENT, CONTROLLER);
        site.kube.mergePatch(
                Types.DEPLOYMENT,
                MergePatch.of(controller).label("app.kubernetes.io/managed-by", "Helm"));
        var found = obstacles();
        assertTrue(found.getFirst().contains("nativestor belongs to OLM"), found.toString());
        assertTrue(found.getLast().contains("never run helm uninstall"), found.toString());
    }

    /** What was edited without effect has one from then on. */
    @Test
    void thePlanSaysWhereTheClusterAndLvmdDisagree() throws Exception {
        edit(
                "{spec: {storage: {deviceClasses: [{nodeName: n1, classes: [{className: fast,"
                        + " volumeGroup: data, default: true, spareGb: 7, stripe: 2, devices:"
                        + " [{name: /dev/sdb, type: disk}]}]}, {nodeName: n2, classes: [{className:"
                        + " fast, volumeGroup: data, default: true, devices: [{name: /dev/sdb,"
                        + " type: disk}]}]}]}}}");
        var plan = takeover.plan();
        assertEquals(List.of(), plan.obstacles());
        var becomes = plan.notes().stream().filter(note -> note.contains("becomes")).toList();
        assertEquals(
                List.of(
                        "node n1: spareGb of class fast is 5 and becomes 7, as the TopolvmCluster"
                                + " says",
                        "node n1: stripe of class fast is 0 and becomes 2, as the TopolvmCluster"
                                + " says"),
                becomes);
    }

    @Test
    void thePlanNamesTheFilesOfLoopDevices() throws Exception {
        var loop = "{name: %s, type: loop, auto: true, path: /var/loops/, size: 4}";
        var file = "/var/loops/6f9619ff-8b86-d011-b42d-00c04fc964ff";
        edit(
                ONE.formatted("fast", "data")
                        .replace("storage: {", "storage: {useLoop: true, ")
                        .replace(
                                "{name: /dev/sdb, type: disk}",
                                loop.formatted("a")
                                        + ", "
                                        + loop.formatted("b")
                                        + ", {name: /dev/loop7, type: loop}"));
        site.kube.mergePatchStatus(
                TopolvmCluster.TYPE,
                CLUSTER,
                Yaml.read(
                                """
                                status:
                                  nodeStorageState:
                                    - node: n1
                                      phase: Ready
                                      successClasses: [{className: fast, vgName: data}]
                                      loops:
                                        - {name: a, file: %1$s, deviceName: /dev/loop3,
                                           status: successful, message: ""}
                                        - {name: b, file: %1$s-b, deviceName: "",
                                           status: successful, message: ""}
                                        - {name: /dev/loop7, file: /root/mine, deviceName:
                                           /dev/loop7, status: successful, message: ""}
                                """
                                        .formatted(file))
                        .asObject());
        assertEquals(
                List.of(
                        "node n1: loop device \"a\" of class fast keeps its file " + file,
                        "node n1: loop device \"b\" of class fast has no file in the status: a"
                                + " new one is made",
                        "node n1: loop device \"/dev/loop7\" of class fast keeps its file"
                                + " /root/mine"),
                takeover.plan().notes().stream().filter(note -> note.contains("loop")).toList());
    }

    /** What applying the manifests comes to, and what our operator then does. */
    private void installOurs() throws Exception {
        site.create(
                Types.DEPLOYMENT,
                workload("lvms-operator").formatted("/opt/lvms/bin/lvms-operator"));
        site.server.rollOut(Types.DEPLOYMENT, OURS, "/opt/lvms/bin/lvms-operator");
        site.create(
                Types.DAEMON_SET, workload("vg-manager").formatted("/opt/lvms/bin/lvms-vgmanager"));
        site.server.rollOut(Types.DAEMON_SET, AGENTS, "/opt/lvms/bin/lvms-vgmanager");
        site.create(
                LvmVolumeGroup.TYPE,
                """
                metadata:
                  name: fast-n1
                  namespace: nativestor-system
                  finalizers: [cleanup.vgmanager.node.topolvm.io/n1]
                spec: {}
                """);
        var node = site.kube.get(Types.NODE, ObjectKey.cluster("n1"));
        site.kube.mergePatch(
                Types.NODE,
                MergePatch.of(node)
                        .finalizers(List.of("topolvm.io/node"))
                        .annotation("capacity.topolvm.io/fast", "1"));
        for (var name : NODES) {
            site.kube.mergePatch(
                    Types.NODE,
                    ObjectKey.cluster(name),
                    Yaml.read(
                                    "metadata: {annotations: {capacity.topolvm.io/00volumes:"
                                            + " 'removed=0,growth=0,copied=0,thick-snapshots=0'}}")
                            .asObject());
        }
        site.create(
                Types.CLUSTER_ROLE,
                "metadata: {name: vg-manager-old-volumes, labels: {app.kubernetes.io/part-of:"
                        + " lvms-provisioner}}\nrules: []");
    }

    private static String workload(String name) {
        return """
        metadata: {name: %1$s, namespace: nativestor-system}
        spec:
          selector: {matchLabels: {app: %1$s}}
          template:
            metadata: {labels: {app: %1$s}}
            spec:
              containers: [{name: main, image: ours, command: [%%s]}]
        """
                .formatted(name);
    }

    private void giveBack() throws Exception {
        takeover.run(
                takeover.back(),
                PATIENCE,
                line -> {
                    var wait = "wait until Deployment " + NAMESPACE + "/";
                    if (line.startsWith(wait)) {
                        var name = line.substring(wait.length()).split(" ")[0];
                        try {
                            var key = deployment(name);
                            var program =
                                    site.kube
                                            .get(Types.DEPLOYMENT, key)
                                            .objects("spec", "template", "spec", "containers")
                                            .getFirst()
                                            .texts("command")
                                            .getFirst();
                            site.server.rollOut(Types.DEPLOYMENT, key, program);
                        } catch (Exception e) {
                            throw new AssertionError(line, e);
                        }
                    }
                });
    }

    @Test
    void thePlaceIsGivenBackWithAllThatWasThere() throws Exception {
        take();
        installOurs();
        var volume = volume("pvc-n1");
        var device = rawDevice();
        giveBack();
        assertFalse(site.there(Types.DEPLOYMENT, OURS));
        assertFalse(site.there(Types.DAEMON_SET, AGENTS));
        for (var name : List.of("nativestor", "topolvm-controller", "raw-device-provisioner")) {
            assertEquals(
                    Optional.of("theirs"),
                    site.kube
                            .get(Types.DEPLOYMENT, deployment(name))
                            .objects("spec", "template", "spec", "containers")
                            .getFirst()
                            .text("image"));
        }
        // The new operator has another UID, so whatever names the old one would be collected.
        assertEquals(List.of(), site.kube.get(Types.DEPLOYMENT, CONTROLLER).ownerReferences());
        for (var node : NODES) {
            var key = deployment("topolvm-node-" + node);
            var owner = site.kube.get(Types.DEPLOYMENT, key).ownerReferences().getFirst();
            assertEquals(site.kube.get(TopolvmCluster.TYPE, CLUSTER).uid(), owner.uid());
        }
        assertTrue(Drivers.isForeign(site.kube.find(Types.CSI_DRIVER, DRIVER)), "no mark");
        assertEquals(Map.of(), site.kube.get(Types.CSI_DRIVER, RAW_DRIVER).labels());
        assertFalse(site.there(LvmVolumeGroup.TYPE, deployment("fast-n1")));
        assertFalse(site.there(Types.CLUSTER_ROLE, ObjectKey.cluster("vg-manager-old-volumes")));
        var node = site.kube.get(Types.NODE, ObjectKey.cluster("n1"));
        assertEquals(List.of(), node.finalizers());
        assertFalse(node.annotations().containsKey("capacity.topolvm.io/fast"));
        assertEquals(volume, volume("pvc-n1"));
        assertEquals(device, rawDevice(), "a pod has it");
        assertFalse(site.there(Types.CONFIG_MAP, RECORD));
    }

    /** Two systems at once would share the disks; ours ends before anything of theirs begins. */
    @Test
    void oursEndsBeforeAnythingComesBack() throws Exception {
        take();
        installOurs();
        var lines = takeover.back().lines();
        int agents = lines.indexOf("delete DaemonSet nativestor-system/vg-manager");
        int mark = lines.indexOf("take the mark off CSIDriver topolvm.cybozu.com");
        int first = lines.indexOf("create Deployment nativestor-system/topolvm-node-n1 again");
        int operator = lines.indexOf("create Deployment nativestor-system/nativestor again");
        assertTrue(0 <= agents && agents < mark && mark < first && first < operator, "" + lines);
        var waits = new ArrayList<>(lines);
        waits.removeIf(line -> !line.startsWith("wait until Deployment"));
        assertFalse(waits.toString().contains("topolvm-node-"), "a node may be down");
        assertTrue(waits.toString().contains("nativestor-system/nativestor runs"), "" + waits);
    }

    @Test
    void whatNativeStorWouldNotServeIsInTheWayOfTheWayBack() throws Exception {
        take();
        installOurs();
        site.create(
                LogicalVolume.TYPE,
                "metadata: {name: ours}\nspec: {name: ours, nodeName: n1, size: 1Gi}");
        site.create(
                Driver.LEGACY.logicalVolumes(),
                "metadata: {name: snap}\nspec: {name: snap, nodeName: n1, size: 1Gi, source:"
                        + " pvc-n1, deviceClass: fast}");
        var back = takeover.back();
        assertEquals(2, back.obstacles().size(), back.obstacles().toString());
        assertTrue(back.obstacles().getFirst().contains("would be served by nobody"));
        assertTrue(back.obstacles().getLast().contains("NativeStor would hand it out without"));
        assertTrue(back.notes().toString().contains("1 LogicalVolumes are snapshots or copies"));
    }

    @Test
    void theWayBackSaysWhichClassesNativeStorDoesNotKnow() throws Exception {
        take();
        edit(
                "{spec: {storage: {deviceClasses: [{nodeName: n1, classes: [{className: fast,"
                        + " volumeGroup: data, default: true, devices: [{name: /dev/sdb, type:"
                        + " disk}]}, {className: slow, volumeGroup: more, devices: [{name:"
                        + " /dev/sdd, type: disk}]}]}]}}}");
        var notes = takeover.back().notes().toString();
        assertTrue(notes.contains("node n1: NativeStor does not know class slow"), notes);
        assertFalse(notes.contains("class fast"), notes);
    }

    @Test
    void confirmingRemovesWhatIsProvablyTheirsAndNothingElse() throws Exception {
        take();
        var early = takeover.confirm().obstacles().toString();
        assertTrue(early.contains("lvms-operator is not ours"), early);
        installOurs();
        site.status(TopolvmCluster.TYPE, CLUSTER, "{phase: Failure}");
        assertEquals(1, takeover.confirm().obstacles().size(), "not Ready");
        site.status(TopolvmCluster.TYPE, CLUSTER, "{phase: Ready}");
        takeover.run(takeover.confirm(), PATIENCE, _ -> {});
        assertFalse(site.there(Types.CLUSTER_ROLE_BINDING, ObjectKey.cluster("nativestor-global")));
        assertFalse(site.there(Types.CLUSTER_ROLE, ObjectKey.cluster("nativestor-global")));
        assertTrue(
                site.there(Types.CLUSTER_ROLE, ObjectKey.cluster("nativestor-preparevg")),
                "somebody else is bound to it");
        assertFalse(site.there(Types.SERVICE, deployment("nativestor-cluster-metric")));
        assertTrue(site.there(Types.SERVICE, deployment("node-metric")), "it is for others' pods");
        assertFalse(site.there(Types.LEASE, deployment("topolvm-cybozu-com")));
        assertTrue(site.there(Types.LEASE, deployment("external-resizer-topolvm-cybozu-com")));
        assertFalse(site.there(Types.SERVICE_ACCOUNT, deployment("topolvm-node")));
        assertFalse(site.there(JOB, deployment("topolvm-prepare-vg-n1")));
        assertFalse(site.there(Types.CONFIG_MAP, RECORD));
        assertTrue(site.there(Types.CONFIG_MAP, deployment("lvmdconfig-n1")));
        assertTrue(site.there(Types.CONFIG_MAP, deployment("nativestor-setting")));
        assertTrue(site.there(TopolvmCluster.TYPE, CLUSTER));
        assertEquals(
                Optional.of(Driver.LEGACY),
                Drivers.marked(site.kube.get(Types.CSI_DRIVER, DRIVER)));
        assertTrue(volume("pvc-n1").finalizers().contains("topolvm.cybozu.com/logicalvolume"));
    }
}
