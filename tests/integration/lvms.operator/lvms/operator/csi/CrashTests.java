package lvms.operator.csi;

import static lvms.operator.csi.DriverCluster.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.Faults.Seen;
import lvms.operator.ProvisionerSettings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The operator can die between any two steps; the next one finishes or cleans up. */
class CrashTests {
    private static final long GIB = 1L << 30;

    /** Where the operator is cut off from the server. */
    enum Cut {
        BEFORE_THE_VOLUME("POST", "/logicalvolumes"),
        BEFORE_THE_PERSISTENT_VOLUME("POST", "/persistentvolumes"),
        BEFORE_THE_MARK_IS_OFF("PATCH", "/logicalvolumes/");

        private final String method;
        private final String path;

        Cut(String method, String path) {
            this.method = method;
            this.path = path;
        }

        Predicate<Seen> request() {
            return seen ->
                    seen.method().equals(method)
                            && seen.target().contains(path)
                            && !seen.target().endsWith("/status");
        }
    }

    private static final ProvisionerSettings SHORT = ProvisionerSettings.DEFAULT.named("disk", 8);

    /** How volumes are called before and after the death. */
    enum Renaming {
        TO_A_PART_OF_THE_UID(ProvisionerSettings.DEFAULT, SHORT),
        BACK_TO_THE_WHOLE_UID(SHORT, ProvisionerSettings.DEFAULT.named("vol", -1));

        private final ProvisionerSettings before;
        private final ProvisionerSettings after;

        Renaming(ProvisionerSettings before, ProvisionerSettings after) {
            this.before = before;
            this.after = after;
        }
    }

    private static Stream<Arguments> renamings() {
        return Stream.of(Renaming.values())
                .flatMap(
                        renaming ->
                                Stream.of(Cut.values()).map(cut -> Arguments.of(renaming, cut)));
    }

    @ParameterizedTest
    @MethodSource("renamings")
    void anotherWayOfNamingVolumesLosesNoneAndMakesNoSecondOne(Renaming renaming, Cut cut)
            throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB, renaming.before)) {
            cluster.createClass("fast", ",'reclaimPolicy':'Retain'");
            dieAt(cluster, cut, true);
            var begun = cluster.volumes().getFirst();
            cluster.choose(renaming.after);
            cluster.startOperator();
            var volume = cluster.awaitVolumeOf("data");
            assertEquals(begun.name(), volume.name());
            cluster.await(
                    "the mark is off",
                    () -> DriverCluster.mark(cluster.volumes().getFirst()).isEmpty());
            assertEquals(
                    List.of(begun.uid()),
                    cluster.volumes().stream().map(LogicalVolume::uid).toList());
            assertEquals(1, cluster.list(Types.PV).size());
            cluster.requireAlive("data");
            assertEquals(1, cluster.agent.made());
        }
    }

    private static void dieWhileTheVolumeIsMade(DriverCluster cluster) throws Exception {
        cluster.agent.hold();
        cluster.createClaim("data", "fast", "1Gi", "");
        cluster.await("it was begun", () -> cluster.volumes().size() == 1);
        cluster.killOperator();
        cluster.agent.resume();
        cluster.await("it is made", () -> cluster.agent.made() == 1);
    }

    @ParameterizedTest
    @EnumSource(Renaming.class)
    void aVolumeThatWasMadeMeanwhileIsHandedOutUnderItsFormerName(Renaming renaming)
            throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB, renaming.before)) {
            cluster.createClass("fast", "");
            dieWhileTheVolumeIsMade(cluster);
            var begun = cluster.volumes().getFirst();
            cluster.choose(renaming.after);
            cluster.startOperator();
            assertEquals(begun.name(), cluster.awaitVolumeOf("data").name());
            assertEquals(1, cluster.volumes().size());
            cluster.requireAlive("data");
        }
    }

    @ParameterizedTest
    @EnumSource(Renaming.class)
    void aClaimThatWasDeletedLeavesNothingUnderItsFormerName(Renaming renaming) throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB, renaming.before)) {
            cluster.createClass("fast", "");
            dieWhileTheVolumeIsMade(cluster);
            cluster.delete(Types.PVC, claim("data"));
            cluster.await("the claim is gone", () -> cluster.list(Types.PVC).isEmpty());
            cluster.choose(renaming.after);
            cluster.startOperator();
            cluster.awaitNothingLeft();
        }
    }

    /** Two operators of different names, of which the second did not see what the first began. */
    @Test
    void ofTwoVolumesThatWereBegunForOneClaimTheOneInUseStays() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.createClass("fast", "");
            dieWhileTheVolumeIsMade(cluster);
            var begun = cluster.volumes().getFirst();
            var spec = begun.spec();
            var second =
                    new LogicalVolume.Spec(
                            "disk-second", "n1", spec.size(), spec.deviceClass(), "", "", "");
            cluster.kube.create(
                    Driver.TOPOLVM.logicalVolumes(),
                    LogicalVolume.create(Driver.TOPOLVM, second, begun.object().annotations()));
            cluster.await("both are made", () -> cluster.agent.made() == 2);
            cluster.startOperator();
            cluster.awaitBound("data");
            cluster.await("one is left", () -> cluster.volumes().size() == 1);
            cluster.requireAlive("data");
            assertEquals(1, cluster.list(Types.PV).size());
        }
    }

    private static void dieAt(DriverCluster cluster, Cut cut, boolean done) throws Exception {
        if (done) {
            cluster.server.faults().cutAfter(cut.request(), 1000);
        } else {
            cluster.server.faults().cutBefore(cut.request(), 1000);
        }
        cluster.createClaim("data", "fast", "1Gi", "");
        cluster.await(
                "the request was cut",
                () -> cluster.server.faults().requests().stream().anyMatch(cut.request()));
        cluster.killOperator();
        cluster.server.faults().clear();
    }

    @ParameterizedTest
    @EnumSource(Cut.class)
    void theNextStartFinishesWhatWasNotDone(Cut cut) throws Exception {
        assertFinishedByTheNextStart(cut, false);
    }

    @ParameterizedTest
    @EnumSource(Cut.class)
    void theNextStartFinishesWhatWasDoneUnheard(Cut cut) throws Exception {
        assertFinishedByTheNextStart(cut, true);
    }

    private static void assertFinishedByTheNextStart(Cut cut, boolean done) throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.createClass("fast", "");
            dieAt(cluster, cut, done);
            cluster.startOperator();
            cluster.awaitBound("data");
            assertEquals(1, cluster.volumes().size());
            assertEquals(1, cluster.agent.made());
        }
    }

    @ParameterizedTest
    @EnumSource(Cut.class)
    void aClaimThatWasDeletedMeanwhileLeavesNothing(Cut cut) throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.createClass("fast", "");
            dieAt(cluster, cut, true);
            cluster.delete(Types.PVC, claim("data"));
            cluster.await("the claim is gone", () -> cluster.list(Types.PVC).isEmpty());
            cluster.startOperator();
            cluster.awaitNothingLeft();
        }
    }

    @Test
    void aDeletionGoesOnWhereItStopped() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.createClass("fast", "");
            cluster.createClaim("data", "fast", "1Gi", "");
            cluster.awaitBound("data");
            cluster.agent.hold();
            cluster.delete(Types.PVC, claim("data"));
            cluster.await(
                    "the volume is going",
                    () -> cluster.volumes().getFirst().object().terminating());
            cluster.killOperator();
            cluster.agent.resume();
            cluster.await("the volume is gone", () -> cluster.volumes().isEmpty());
            cluster.startOperator();
            cluster.awaitNothingLeft();
        }
    }

    @Test
    void reservationsSurviveARestart() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.createClass("fast", "");
            cluster.agent.hold();
            for (int i = 0; i < 10; i++) {
                cluster.createClaim("data-" + i, "fast", "1Gi", "");
            }
            cluster.await("ten were begun", () -> cluster.volumes().size() == 10);
            cluster.killOperator();
            cluster.startOperator();
            cluster.createClaim("more", "fast", "1Gi", "");
            cluster.awaitEvent("ProvisioningFailed");
            assertEquals(10, cluster.volumes().size());
            cluster.agent.resume();
            cluster.await("ten are made", () -> cluster.agent.made() == 10);
            assertEquals(0, cluster.agent.refusals());
        }
    }
}
