package lvms.operator.topolvmcluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.listing.LoopDevice;
import lvms.api.listing.LoopFile;
import lvms.api.listing.LoopState;
import lvms.api.nativestor.ClassState;
import lvms.api.nativestor.ClassState.DeviceState;
import lvms.api.nativestor.ClusterStorage;
import lvms.api.nativestor.NodeStorageState;
import lvms.api.nativestor.Phase;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The status says in NativeStor's words what each node made of its classes. */
class NodeStatesTests {
    private static final List<WantedGroup> FAST =
            WantedGroups.of(
                    ClusterStorage.of(
                            Yaml.read(
                                            "{deviceClasses: [{nodeName: n1, classes: [{className:"
                                                    + " fast, volumeGroup: data, devices: [{name:"
                                                    + " /dev/sdb}, {name: /dev/sdc}]}]}]}")
                                    .asObject()));
    private static final String NAME = FAST.getFirst().name();

    private static KubeObject object(String yaml) {
        return KubeObject.of(Yaml.read(yaml).asObject());
    }

    private static KubeObject node(String ready) {
        return object("{status: {conditions: [{type: Ready, status: '" + ready + "'}]}}");
    }

    private static KubeObject pod(String phase, String ready) {
        return object(
                "{status: {phase: "
                        + phase
                        + ", conditions: [{type: Ready, status: '"
                        + ready
                        + "'}]}}");
    }

    private static NodeView view(String entry) {
        var report =
                LvmVolumeGroupNodeStatus.of(
                        object(
                                "{metadata: {name: n1}, spec: {nodeStatus: [{name: "
                                        + NAME
                                        + ", "
                                        + entry
                                        + "}]}}"));
        return NodeView.of(
                "n1",
                Optional.of(node("True")),
                Optional.of(NodeView.phaseOf(pod("Running", "True"))),
                Optional.of(report));
    }

    private static NodeStorageState state(String entry) {
        return NodeStates.of(view(entry), FAST, List.of());
    }

    private static DeviceState online(String name) {
        return new DeviceState(name, DeviceState.ONLINE, "");
    }

    @Test
    void aClassThatWorksIsReadyAndItsDevicesAreOnline() {
        assertEquals(
                new NodeStorageState(
                        "n1",
                        Optional.of(Phase.READY),
                        List.of(),
                        List.of(
                                new ClassState(
                                        "fast",
                                        "data",
                                        "Ready",
                                        "create successful",
                                        List.of(online("/dev/sdb"), online("/dev/sdc")))),
                        List.of()),
                state("status: Ready, devices: [/dev/sdb, /dev/sdc]"));
    }

    @Test
    void aClassThatCouldNotBeMadeFailedAndSaysWhichDeviceIsToBlame() {
        var state =
                state(
                        "status: Failed, reason: no device, excluded: [{name: /dev/sdb, reasons:"
                                + " [it has ext4]}, {name: /dev/sda, reasons: [not selected]}]");
        assertEquals(Optional.of(Phase.UNKNOWN), state.phase());
        assertEquals(List.of(), state.successClasses());
        assertEquals(
                List.of(
                        new ClassState(
                                "fast",
                                "data",
                                "UnReady",
                                "create failed: no device",
                                List.of(
                                        new DeviceState(
                                                "/dev/sdb",
                                                "Offline",
                                                "disk may has filesystem or is not raw disk please"
                                                        + " check: it has ext4")))),
                state.failClasses());
    }

    @Test
    void aVolumeGroupOfSomebodyElseIsNamedAsSuch() {
        var failed =
                state("status: Failed, reason: a volume group data without the tag lvms exists")
                        .failClasses()
                        .getFirst();
        assertTrue(failed.message().startsWith("create failed vg existing: "), failed.message());
        assertTrue(failed.message().contains("lvms.topolvm.io/adopt-volume-groups of the Topolvm"));
        assertEquals("data", failed.vgName());
    }

    /** Whoever asked already needs another advice: the node says which disk is not listed. */
    @Test
    void aVolumeGroupThatMayBeTakenOverAndIsNotDoesNotSendPeopleToTheAnnotation() {
        var entry = "status: Failed, reason: 'volume group data without the tag lvms: /dev/sdz'";
        for (var asked :
                List.of(
                        FAST.getFirst().adopting(true, List.of()),
                        FAST.getFirst().adopting(false, List.of("n1")))) {
            var state = NodeStates.of(view(entry), List.of(asked), List.of());
            assertEquals(
                    "create failed vg existing: volume group data without the tag lvms: /dev/sdz",
                    state.failClasses().getFirst().message());
        }
    }

    @Test
    void aDeviceThatIsLostMakesTheClassUnready() {
        var state = state("status: Degraded, reason: lost, devices: [/dev/sdb, '[unknown]']");
        var fast = state.successClasses().getFirst();
        assertEquals("UnReady", fast.state());
        assertEquals("lost", fast.message(), "NativeStor has no word for it");
        assertEquals(
                List.of(online("/dev/sdb"), new DeviceState("[unknown]", "Offline", "")),
                fast.deviceStates());
        assertEquals(Optional.of(Phase.UNKNOWN), state.phase(), "no class is Ready");
    }

    @Test
    void aDeviceThatCannotBeAddedIsAWarningAndTheClassGoesOn() {
        var fast =
                state(
                                "status: Failed, reason: path, devices: [/dev/sdb], excluded:"
                                        + " [{name: /dev/sdc, reasons: [it has xfs]}]")
                        .successClasses()
                        .getFirst();
        assertEquals("Ready", fast.state());
        assertEquals("expand warning: path", fast.message());
        assertEquals("error", fast.deviceStates().getLast().state());
    }

    @Test
    void aDeviceThatCannotLeaveIsAShrinkError() {
        var fast =
                state("status: Degraded, reason: in use, devices: [/dev/sdb, /dev/sdc, /dev/sdd]")
                        .successClasses()
                        .getFirst();
        assertEquals("shrink error: in use", fast.message());
    }

    @Test
    void aGroupThatCannotGrowIsAnExpandError() {
        var fast =
                state("status: Failed, reason: vgextend, devices: [/dev/sdb]")
                        .successClasses()
                        .getFirst();
        assertEquals("expand error: vgextend", fast.message());
    }

    /** NativeStor dropped such a class from its status, and with it from lvmd. */
    @Test
    void aClassThatCannotGoStaysWithItsReason() {
        var group = FAST.getFirst();
        var key = ObjectKey.of("ns", group.name());
        var leaving =
                LvmVolumeGroup.of(
                        KubeObject.create(LvmVolumeGroup.TYPE, key)
                                .with(group.spec().json(), "spec"));
        var state =
                NodeStates.of(
                        view("status: Failed, reason: volumes, devices: [/dev/sdb]"),
                        List.of(),
                        List.of(new LeavingGroup(leaving, "")));
        assertEquals("delete error: volumes", state.successClasses().getFirst().message());
        assertEquals("data", state.successClasses().getFirst().vgName());
    }

    @Test
    void loopDevicesAreShownAsTheNodeSaysAndByName() {
        var state =
                state(
                        "status: Failed, reason: 'loop device \"b\": full', loops: [{name: b,"
                                + " status: failed, message: full}, {name: a, file: /f, deviceName:"
                                + " /dev/loop3, status: successful}]");
        assertEquals(
                List.of(
                        new LoopState("a", "/f", "/dev/loop3", "successful", ""),
                        new LoopState("b", "", "", "failed", "full")),
                state.loops());
        assertEquals(
                "create failed: loop device \"b\": full", state.failClasses().getFirst().message());
    }

    /** Whoever gives the node back meanwhile finds what was recorded. */
    @Test
    void aFileOfAnotherProgramStaysInTheStatusUntilTheNodeReportsIt() {
        var loop =
                new LoopDevice("a", Optional.of("/f"), OptionalInt.of(2), true)
                        .with(List.of(new LoopFile("n1", "/f/6f96"), new LoopFile("n2", "/f/0")));
        var wanted = FAST.stream().map(group -> group.withLoops(List.of(loop))).toList();
        assertEquals(
                List.of(
                        LoopState.failed(
                                "a", "/f/6f96", "the node has not said anything of it yet")),
                NodeStates.of(view("status: Progressing"), wanted, List.of()).loops());
        var reported = LoopState.successful("a", "/f/6f96", "/dev/loop3", "");
        var view =
                view(
                        "status: Ready, devices: [/dev/loop3], loops: [{name: a, file: /f/6f96,"
                                + " deviceName: /dev/loop3, status: successful}]");
        assertEquals(List.of(reported), NodeStates.of(view, wanted, List.of()).loops());
    }

    @Test
    void aLoopDeviceThatCannotBeUsedSaysWhy() {
        var state =
                state(
                        "status: Failed, reason: no device, loops: [{name: a, file: /f, deviceName:"
                                + " /dev/loop3, status: successful}], excluded: [{name: /dev/loop3,"
                                + " reasons: [too small]}]");
        assertEquals(
                List.of("/dev/loop3"),
                state.failClasses().getFirst().deviceStates().stream()
                        .map(DeviceState::name)
                        .toList());
    }

    @Test
    void beforeTheFirstReportThereIsNoClass() {
        var view =
                NodeView.of(
                        "n1",
                        Optional.of(node("True")),
                        Optional.of(NodeView.phaseOf(pod("Running", "True"))),
                        Optional.empty());
        var state = NodeStates.of(view, FAST, List.of());
        assertEquals(List.of(), state.failClasses());
        assertEquals(List.of(), state.successClasses());
    }

    @ParameterizedTest
    @CsvSource({
        "True, Running, True, READY",
        "True, Running, False, UNKNOWN",
        "True, Pending, False, PENDING",
        "True, Failed, False, FAILURE",
        "True, Unknown, False, UNKNOWN",
        "False, Running, True, UNKNOWN",
        "Unknown, Running, True, UNKNOWN"
    })
    void thePhaseOfANodeIsThatOfItsAgentIfTheNodeWorks(
            String nodeReady, String podPhase, String podReady, Phase phase) {
        var view = view("status: Ready, devices: [/dev/sdb]");
        var other =
                NodeView.of(
                        "n1",
                        Optional.of(node(nodeReady)),
                        Optional.of(NodeView.phaseOf(pod(podPhase, podReady))),
                        view.report());
        assertEquals(Optional.of(phase), NodeStates.of(other, FAST, List.of()).phase());
    }

    @Test
    void aNodeWithoutAgentOrThatIsGoneIsUnknown() {
        var report = view("status: Ready, devices: [/dev/sdb]").report();
        var bare = NodeView.of("n1", Optional.of(node("True")), Optional.empty(), report);
        assertEquals(Optional.of(Phase.UNKNOWN), NodeStates.of(bare, FAST, List.of()).phase());
        var gone =
                NodeView.of(
                        "n1",
                        Optional.empty(),
                        Optional.of(NodeView.phaseOf(pod("Running", "True"))),
                        report);
        assertEquals(Optional.of(Phase.UNKNOWN), NodeStates.of(gone, FAST, List.of()).phase());
    }

    /** In NativeStor a node without any ready class could make the cluster Ready. */
    @Test
    void aNodeWithoutAReadyClassDoesNotMakeTheClusterReady() {
        var none = state("status: Failed, reason: no device");
        assertEquals(Phase.FAILURE, NodeStates.cluster(List.of(none)));
        var works = state("status: Ready, devices: [/dev/sdb]");
        assertEquals(Phase.READY, NodeStates.cluster(List.of(none, works)));
        assertEquals(Phase.FAILURE, NodeStates.cluster(List.of()));
    }
}
