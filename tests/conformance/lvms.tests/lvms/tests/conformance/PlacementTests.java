package lvms.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.runner.FullOnly;

import org.junit.jupiter.api.Test;

import java.util.List;

/** The scheduler finds the node that has room, and a claim that fits nowhere says what is free. */
@FullOnly("ClaimTests have the scheduler, integration tests the capacities")
class PlacementTests extends InACluster {
    private static final String FILE = "/data/file";
    private static final int MIB = 8;

    private List<String> nodes() throws Exception {
        return product().cluster().nodes().stream().map(node -> node.name()).toList();
    }

    /** Takes most of the thick space of a node. */
    private void fill(String node) throws Exception {
        box().create(Claim.of("filler-" + node, Product.THICK_CLASS, "3Gi").block());
        box().create(Pod.of("filler-" + node).device("data", "filler-" + node).on(node));
        box().awaitReady("filler-" + node);
    }

    @Test
    void aVolumeLiesWhereItsPodMustRun() throws Exception {
        for (var node : nodes()) {
            box().create(Claim.of(node, Product.THIN_CLASS, "320Mi"));
            box().create(Pod.with(node, node).on(node));
        }
        for (var node : nodes()) {
            box().awaitReady(node);
            assertEquals(node, box().nodeOf(node));
            assertEquals(node, box().logicalVolumeOf(node).spec().nodeName());
        }
        requireAgreement();
    }

    @Test
    void aClaimTooLargeForOneNodeGoesToTheOther() throws Exception {
        for (var full : nodes()) {
            fill(full);
            var name = "beside-" + full;
            box().start(Claim.of(name, Product.THICK_CLASS, "2Gi").block());
            assertTrue(!box().nodeOf(name).equals(full), "on the full node " + full);
            for (var pod : List.of(name, "filler-" + full)) {
                box().remove(Types.POD, pod);
                box().remove(Types.PVC, pod);
            }
            requireAgreement();
        }
    }

    @Test
    void aClaimTooLargeForAllWaitsAndSaysHowMuchIsFree() throws Exception {
        box().create(Claim.of("huge", Product.THICK_CLASS, "100Gi"));
        box().create(Pod.with("huge", "huge"));
        box().awaitEvent("huge", "FailedScheduling", "did not have enough free storage");
        var event =
                box().awaitEvent(
                                "huge",
                                "NotEnoughCapacity",
                                "Requested storage (100",
                                "is greater than available capacity on any node");
        for (var node : nodes()) {
            assertTrue(event.contains(node), event);
        }
        assertTrue(event.contains("GiB"), event);
        assertEquals("Pending", box().phase("huge"));
    }

    @Test
    void aClaimThatWaitedForRoomGetsItWhenSomeIsFreed() throws Exception {
        for (var node : nodes()) {
            fill(node);
        }
        box().create(Claim.of("late", Product.THICK_CLASS, "2Gi").block());
        box().create(Pod.of("late").device("data", "late"));
        box().awaitEvent("late", "FailedScheduling", "did not have enough free storage");
        var freed = nodes().getLast();
        box().remove(Types.POD, "filler-" + freed);
        box().remove(Types.PVC, "filler-" + freed);
        box().awaitReady("late");
        assertEquals(freed, box().nodeOf("late"));
    }

    @Test
    void aVolumeMayTakeAllThatIsFreeAndThenOnlyAnotherClassHasRoom() throws Exception {
        var node = nodes().getFirst();
        box().create(
                        Claim.of("all", Product.THICK_CLASS, "" + freeBytes(node, Product.THICK))
                                .block());
        box().create(Pod.of("all").device("data", "all").on(node));
        box().awaitReady("all");
        product().patience().until("nothing is free", () -> freeBytes(node, Product.THICK) == 0);
        box().create(Claim.of("more", Product.THICK_CLASS, "4Mi").block());
        box().create(Pod.of("more").device("data", "more").on(node));
        box().awaitEvent("more", "FailedScheduling", "did not have enough free storage");
        box().create(Claim.of("other", Product.THIN_CLASS, "320Mi"));
        box().create(Pod.with("other", "other").on(node));
        box().awaitReady("other");
        requireAgreement();
    }

    /** The pools have 3.6 GiB, so a volume of 5 GiB is more than a ratio of 1 allows. */
    @Test
    void aLowerOverprovisionRatioTouchesNoVolumeAndAllowsNoMore() throws Exception {
        box().start(Claim.of("old", Product.THIN_CLASS, "5Gi"));
        var written = box().write("old", FILE, MIB);
        try {
            product().applyRatio(1);
            var node = box().nodeOf("old");
            product().patience().until("nothing is free", () -> freeBytes(node, Product.THIN) == 0);
            box().create(Claim.of("late", Product.THIN_CLASS, "5Gi"));
            box().create(Pod.with("late", "late"));
            box().awaitEvent("late", "NotEnoughCapacity", "is greater than available capacity");
            assertEquals("Pending", box().phase("late"));
            assertEquals(written, box().checksum("old", FILE, MIB));
            written = box().write("old", FILE, MIB);
            requireAgreement();
        } finally {
            product().applyCluster();
        }
        box().awaitReady("late");
        assertEquals(written, box().checksum("old", FILE, MIB));
        product().awaitReady();
        requireAgreement();
    }

    private static long freeBytes(String node, String deviceClass) throws Exception {
        return product()
                .kube()
                .get(Types.NODE, ObjectKey.cluster(node))
                .annotation(Driver.TOPOLVM.capacityAnnotation(deviceClass))
                .map(Long::parseLong)
                .orElseThrow();
    }
}
