package lvms.operator.topolvmcluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.nativestor.ClassState;
import lvms.api.nativestor.ClassState.DeviceState;
import lvms.api.nativestor.ClusterStorage;
import lvms.api.nativestor.NodeStorageState;
import lvms.api.nativestor.Phase;
import lvms.api.nativestor.TopolvmClusterStatus;
import lvms.k8s.yaml.Yaml;
import lvms.operator.cluster.ConditionReason;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

/** The condition about volume groups names each node and class that is not as it should be. */
class ClusterReportTests {
    private static final List<WantedGroup> EVERYWHERE =
            WantedGroups.of(
                    ClusterStorage.of(
                            Yaml.read(
                                            "{useAllNodes: true, useAllDevices: true, className:"
                                                    + " fast, volumeGroupName: data}")
                                    .asObject()));

    private static NodeStorageState node(
            String name, Phase phase, List<ClassState> failed, List<ClassState> there) {
        return new NodeStorageState(name, Optional.of(phase), failed, there, List.of());
    }

    private static List<ClassState> fast(String state, String message) {
        return List.of(new ClassState("fast", "data", state, message, List.of()));
    }

    private static final NodeStorageState GOOD =
            node("n1", Phase.READY, List.of(), fast("Ready", "create successful"));

    @Test
    void allIsReady() {
        assertEquals(
                new ClusterReport.Groups(
                        ConditionReason.GROUPS_READY, "all volume groups are ready"),
                ClusterReport.groups(List.of(GOOD), EVERYWHERE));
    }

    @Test
    void aNodeThatHasNotReportedIsWaitedFor() {
        var silent = node("n2", Phase.PENDING, List.of(), List.of());
        assertEquals(
                new ClusterReport.Groups(
                        ConditionReason.GROUPS_IN_PROGRESS,
                        "node n2: class fast: nothing reported yet"),
                ClusterReport.groups(List.of(GOOD, silent), EVERYWHERE));
    }

    @Test
    void theWorstGivesTheReasonAndAllAreNamed() {
        var failed = node("n2", Phase.UNKNOWN, fast("UnReady", "create failed: x"), List.of());
        var device = new DeviceState("[unknown]", "Offline", "");
        var lost =
                node(
                        "n3",
                        Phase.UNKNOWN,
                        List.of(),
                        List.of(new ClassState("fast", "data", "UnReady", "", List.of(device))));
        assertEquals(
                new ClusterReport.Groups(
                        ConditionReason.GROUPS_DEGRADED, "node n3: class fast: UnReady"),
                ClusterReport.groups(List.of(GOOD, lost), EVERYWHERE));
        assertEquals(
                new ClusterReport.Groups(
                        ConditionReason.GROUPS_FAILED,
                        "node n2: class fast: create failed: x; node n3: class fast: UnReady"),
                ClusterReport.groups(List.of(GOOD, failed, lost), EVERYWHERE));
    }

    @Test
    void withoutNodesOrClassesNothingIsReady() {
        assertEquals(
                ConditionReason.GROUPS_UNMANAGED,
                ClusterReport.groups(List.of(), List.of()).reason());
        assertEquals(
                new ClusterReport.Groups(ConditionReason.GROUPS_IN_PROGRESS, "there is no node"),
                ClusterReport.groups(List.of(), EVERYWHERE));
    }

    @Test
    void nodesThatAreReadyAreCounted() {
        var other = node("n2", Phase.UNKNOWN, List.of(), List.of());
        var status =
                ClusterReport.status(TopolvmClusterStatus.NONE, List.of(GOOD, other), List.of());
        assertEquals("1/2", status.nodesReady());
        assertEquals(Optional.of(Phase.READY), status.phase());
    }
}
