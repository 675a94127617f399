package lvms.operator.cluster;

import static lvms.operator.cluster.Clusters.cluster;
import static lvms.operator.cluster.Clusters.node;
import static lvms.operator.cluster.Clusters.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmClusterStatus;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.VolumeGroupState;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.operator.unit.Outcome;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The status of a cluster says the worst that is true, and changes only when that does. */
class ClusterStateTests {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final Instant LATER = NOW.plusSeconds(60);
    private static final List<KubeObject> NODES = List.of(node("n1"), node("n2"));

    private static LvmVolumeGroupNodeStatus report(String node, String... classAndState) {
        var entries = new StringBuilder();
        for (int i = 0; i < classAndState.length; i += 2) {
            entries.append(i == 0 ? "" : ",")
                    .append("{'name':'")
                    .append(classAndState[i])
                    .append("','status':'")
                    .append(classAndState[i + 1])
                    .append("','reason':'")
                    .append(classAndState[i + 1].equals("Failed") ? "no disk" : "")
                    .append("'}");
        }
        return LvmVolumeGroupNodeStatus.of(
                object(
                        "{'metadata':{'name':'"
                                + node
                                + "'},'spec':{'nodeStatus':["
                                + entries
                                + "]}}"));
    }

    private static Condition readiness(LvmVolumeGroupNodeStatus... reports) {
        return VolumeGroupReadiness.of(cluster("{'name':'a'}"), NODES, List.of(reports), NOW);
    }

    @Test
    void volumeGroupsAreReadyWhenEachNodeSaysSo() {
        var condition = readiness(report("n1", "a", "Ready"), report("n2", "a", "Ready"));
        assertEquals("VGsReady", condition.reason());
        assertTrue(condition.holds());
        assertEquals(3, condition.observedGeneration());
    }

    @Test
    void aNodeThatSaysNothingIsWaitedFor() {
        assertEquals("VGReadinessInProgress", readiness(report("n1", "a", "Ready")).reason());
        var condition = readiness(report("n1", "a", "Ready"), report("n2", "b", "Ready"));
        assertEquals("VGReadinessInProgress", condition.reason());
        assertEquals("a on n2: nothing reported yet", condition.message());
    }

    @ParameterizedTest(name = "{0} and {1}: {2}")
    @CsvSource({
        "Ready,Progressing,VGReadinessInProgress",
        "Ready,Degraded,VGsDegraded",
        "Ready,Failed,VGsFailed",
        "Degraded,Failed,VGsFailed",
        "Progressing,Degraded,VGsDegraded",
        "Ready,Odd,VGReadinessInProgress"
    })
    void theWorstVolumeGroupCounts(String one, String other, String reason) {
        var condition = readiness(report("n1", "a", one), report("n2", "a", other));
        assertEquals(reason, condition.reason());
        assertFalse(condition.holds());
    }

    @Test
    void aFailureIsExplained() {
        var condition = readiness(report("n1", "a", "Ready"), report("n2", "a", "Failed"));
        assertEquals("a on n2: Failed (no disk)", condition.message());
    }

    @Test
    void aNodeWithoutAWatchdogIsNamedAndIsNoLessReady() {
        var without =
                LvmVolumeGroupNodeStatus.of(
                        object(
                                "{'metadata':{'name':'n1','annotations':{'lvms.topolvm.io/watchdog-obstacle':'no"
                                    + " hostPID'}},"
                                    + "'spec':{'nodeStatus':[{'name':'a','status':'Ready'}]}}"));
        var condition = readiness(without, report("n2", "a", "Ready"));
        assertTrue(condition.holds());
        assertEquals(
                "all volume groups are ready; node n1: if its agent is killed in a snapshot or"
                        + " growth, the volume waits for the next agent, since the watchdog would"
                        + " be killed with it: no hostPID",
                condition.message());
        var failed = readiness(without, report("n2", "a", "Failed"));
        assertTrue(failed.message().startsWith("a on n2: Failed (no disk); node n1: if"));
    }

    @Test
    void aClassWithoutANodeIsWaitedFor() {
        var condition =
                VolumeGroupReadiness.of(
                        cluster(
                                "{'name':'a','nodeSelector':{'nodeSelectorTerms':[{"
                                        + "'matchExpressions':[{'key':'no','operator':'Exists'}]"
                                        + "}]}}"),
                        NODES,
                        List.of(),
                        NOW);
        assertEquals("VGReadinessInProgress", condition.reason());
        assertEquals("a: no node matches", condition.message());
    }

    @Test
    void noClassMeansNothingToManage() {
        var condition = VolumeGroupReadiness.of(cluster(), NODES, List.of(), NOW);
        assertEquals("VGsUnmanaged", condition.reason());
        assertTrue(condition.holds());
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "ResourcesAvailable VGsReady, Ready",
        "ResourcesAvailable VGsUnmanaged, Ready",
        "ReconciliationInProgress VGReadinessInProgress, Progressing",
        "ReconciliationInProgress VGsFailed, Failed",
        "ReconciliationInProgress VGsDegraded, Degraded",
        "ResourcesSyncIncomplete VGsFailed, Failed",
        "ResourcesSyncIncomplete VGsDegraded, Degraded",
        "ResourcesSyncIncomplete VGsUnmanaged, Progressing",
        "ResourcesAvailable VGReadinessInProgress, Progressing",
        "SpecRejected VGsReady, Failed",
        "SomethingElse, Unknown",
        "'', Unknown"
    })
    void conditionsFoldIntoOneWord(String reasons, String state) {
        var conditions =
                Arrays.stream(reasons.split(" "))
                        .filter(reason -> !reason.isEmpty())
                        .map(
                                reason ->
                                        new Condition(
                                                "T" + reason,
                                                Condition.Status.TRUE,
                                                reason,
                                                "",
                                                1,
                                                NOW))
                        .toList();
        assertEquals(state, ClusterState.fold(conditions).text());
        assertEquals(state, ClusterState.fold(conditions.reversed()).text());
    }

    @Test
    void everyProblemOfAPassIsInTheMessageInTheSameOrder() {
        var results =
                List.of(
                        UnitResult.failed("vgManager", new IllegalStateException("no 100% luck")),
                        UnitResult.ended("csiDriver", new Outcome.Converged()),
                        UnitResult.ended(
                                "lvmVG", new Outcome.Pending("waits", Duration.ofSeconds(1))));
        var condition = ClusterState.resources(cluster("{'name':'a'}"), results, NOW);
        assertEquals("ResourcesSyncIncomplete", condition.reason());
        assertEquals("lvmVG: waits; vgManager: no 100% luck", condition.message());
        assertEquals(
                condition,
                ClusterState.resources(cluster("{'name':'a'}"), results.reversed(), NOW));
    }

    private static boolean warns(UnitResult result, Instant now) {
        var resources = ClusterState.resources(cluster("{'name':'a'}"), List.of(result), NOW);
        return ClusterState.warns(List.of(result), resources, now);
    }

    @Test
    void waitingForOthersIsWorthAWarningWhenItLasts() {
        var waits = UnitResult.ended("x", new Outcome.Pending("waits", Duration.ofSeconds(1)));
        assertFalse(warns(waits, NOW));
        assertFalse(warns(waits, LATER.minusMillis(1)));
        assertTrue(warns(waits, LATER));
    }

    @Test
    void whatDoesNotHelpItselfIsWorthAWarningAtOnce() {
        assertTrue(warns(UnitResult.failed("x", new IllegalStateException("no luck")), NOW));
        assertTrue(warns(UnitResult.ended("x", new Outcome.Rejected("never")), NOW));
        assertFalse(warns(UnitResult.ended("x", new Outcome.Converged()), LATER));
    }

    @Test
    void aPassThatFindsTheSameMakesTheSameStatus() {
        var reports = List.of(report("n2", "b", "Ready", "a", "Ready"), report("n1", "a", "Ready"));
        var none = new LvmClusterStatus(false, "", List.of(), List.of());
        var first = ClusterState.status(none, conditions(NOW), reports);
        var second = ClusterState.status(first, conditions(LATER), reports.reversed());
        assertEquals(first, second);
        assertEquals(NOW, second.conditions().getFirst().lastTransitionTime());
    }

    @Test
    void aConditionThatTurnsHasANewTime() {
        var none = new LvmClusterStatus(false, "", List.of(), List.of());
        var first = ClusterState.status(none, conditions(NOW), List.of());
        var failed =
                ClusterState.resources(
                        cluster("{'name':'a'}"),
                        List.of(UnitResult.ended("x", new Outcome.Rejected("never"))),
                        LATER);
        var second = ClusterState.status(first, List.of(failed), List.of());
        assertEquals(LATER, second.conditions().getFirst().lastTransitionTime());
        assertEquals("Progressing", second.state());
        assertFalse(second.ready());
    }

    private static List<Condition> conditions(Instant now) {
        return List.of(ClusterState.resources(cluster("{'name':'a'}"), List.of(), now));
    }

    @Test
    void volumeGroupsAreListedByClassAndNode() {
        var classes =
                ClusterState.deviceClasses(
                        List.of(
                                report("n2", "b", "Ready", "a", "Failed"),
                                report("n1", "a", "Ready")));
        assertEquals("a", classes.get(0).name());
        assertEquals(
                List.of("n1", "n2"), classes.get(0).nodes().stream().map(n -> n.node()).toList());
        assertEquals("b", classes.get(1).name());
        assertEquals(
                List.of(Optional.of(VolumeGroupState.READY), Optional.of(VolumeGroupState.FAILED)),
                classes.get(0).nodes().stream().map(n -> n.volumeGroup().state()).toList());
        assertEquals("no disk", classes.get(0).nodes().getLast().volumeGroup().reason());
    }

    @Test
    void aMessageFitsTheSchema() {
        var condition =
                ClusterState.condition(
                        cluster("{'name':'a'}"),
                        ConditionReason.REJECTED,
                        "x".repeat(100_000),
                        NOW);
        assertEquals(4096, condition.message().length());
    }
}
