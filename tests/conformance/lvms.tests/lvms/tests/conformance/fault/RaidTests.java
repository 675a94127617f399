package lvms.tests.conformance.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.api.RaidHealth;
import lvms.api.VolumeGroupState;
import lvms.api.VolumeGroupStatus;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.runner.FullOnly;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A RAID 1 class loses a disk while a pod writes: the pod goes on, status and event say what
 * happened, and when the disk is back or another takes its place, all is healthy again.
 */
@FullOnly("RaidLabTests lose and replace the same disks")
class RaidTests extends FaultSuite {
    private static final String NODE = "node2"; // the one with udev, which finds disks by their ids
    private static final String CLASS = "mirror";
    private static final String STORAGE_CLASS = Names.classOf(CLASS);
    private static final double LONGEST_STALL_SECONDS = 20;

    private static final long SIZE_OF_ALL = (long) ScsiDisks.SIZE_MIB << 20;
    private static final long SIZE_OF_HALF = SIZE_OF_ALL / 2;

    private static ScsiDisks disks;

    @BeforeAll
    static void addClass() throws Exception {
        disks = ScsiDisks.start(product().cluster().node(NODE), product().patience());
        name(0, 1);
        awaitHealthy();
        product().patience().until("its capacity is told", () -> capacity() > 0);
    }

    @AfterAll
    static void removeClass() throws Exception {
        removeClass(CLASS);
        disks.close();
        product().awaitReady();
        requireAgreement();
    }

    /** Lets the class name these disks. */
    private static void name(Integer... members) throws Exception {
        var paths = Arrays.stream(members).map(disks::path).collect(Collectors.joining(", "));
        product()
                .applyClasses(
                        """
                        - name: mirror
                          fstype: ext4
                          deviceSelector:
                            paths: [%s]
                          raidConfig:
                            type: raid1
                          nodeSelector:
                            nodeSelectorTerms:
                            - matchExpressions:
                              - {key: kubernetes.io/hostname, operator: In, values: [%s]}
                        """
                                .formatted(paths, NODE));
    }

    @Test
    void podsGoOnWhileADiskIsLostUntilItIsBackOrReplaced() throws Exception {
        var writer = writer("v", STORAGE_CLASS, "32Mi", NODE);
        lose(0, writer);
        product().patience().until("an event tells it", () -> !events(disks.path(0)).isEmpty());
        disks.plug(0);
        awaitHealthy();
        long before = writer.awaitMore(writer.told());

        lose(1, writer);
        name(0, 2);
        awaitHealthy();
        assertEquals(2, entry().orElseThrow().devices().size());

        box().grow("v", "48Mi");
        box().awaitCapacity("v", "48Mi");
        writer.assertHolds(writer.awaitMore(before));
        assertEquals(0, writer.restarts());
        double stall = writer.longestGap();
        assertTrue(stall < LONGEST_STALL_SECONDS, "no line for " + stall + " s");
        System.out.println("longest time between two lines: " + stall + " s");
        awaitHealthy();
    }

    @Test
    void capacityIsWhatAVolumeCanGetAndNoMore() throws Exception {
        long free = capacity();
        assertTrue(free > SIZE_OF_HALF && free <= SIZE_OF_ALL, "of two disks: " + free);
        claim("large", STORAGE_CLASS, "120Mi", NODE);
        box().awaitEvent("large", "NotEnoughCapacity");
        assertEquals("Pending", box().phase("large"));
        box().create(Claim.of("fits", STORAGE_CLASS, free + "").block());
        box().create(Pod.of("fits").device("data", "fits").on(NODE));
        box().awaitReady("fits");
        product().patience().until("nothing is left", () -> capacity() == 0);
    }

    private static long capacity() throws Exception {
        var node = product().kube().get(Types.NODE, ObjectKey.cluster(NODE));
        return node.annotation(Driver.TOPOLVM.capacityAnnotation(CLASS))
                .map(Long::parseLong)
                .orElse(-1L);
    }

    /** Pulls a disk out, and waits until everybody says so. */
    private void lose(int disk, Writer writer) throws Exception {
        long before = writer.told();
        long start = System.nanoTime();
        disks.pull(disk);
        product().patience().untilNothingMissing("the loss is told", () -> told(disks.path(disk)));
        long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
        System.out.println("status says Degraded after " + millis + " ms");
        writer.awaitMore(before);
        product()
                .patience()
                .until("LVMCluster is Degraded", () -> product().clusterState().equals("Degraded"));
        product().patience().until("nothing can be made", () -> capacity() == 0);
    }

    /** Returns what is missing in the status of the node. */
    private String told(String path) throws Exception {
        var entry = entry().orElseThrow();
        var volume = box().volumeOf("v").name();
        boolean told =
                entry.is(VolumeGroupState.DEGRADED)
                        && entry.reason().contains("nothing at " + path)
                        && entry.reason().contains(volume)
                        && entry.raid().orElseThrow().health() == RaidHealth.DEGRADED;
        return told ? "" : entry.toString();
    }

    private static List<String> events(String path) throws Exception {
        var all = ListOptions.all().namespace(Product.SYSTEM);
        return product().kube().list(Types.EVENT, all).items().stream()
                .filter(e -> e.text("reason").filter("RAIDHealthCheckFailed"::equals).isPresent())
                .map(e -> e.text("note").orElse(""))
                .filter(note -> note.contains(path))
                .toList();
    }

    private static Optional<VolumeGroupStatus> entry() throws Exception {
        var key = ObjectKey.of(Product.SYSTEM, NODE);
        return product()
                .kube()
                .find(LvmVolumeGroupNodeStatus.TYPE, key)
                .flatMap(o -> LvmVolumeGroupNodeStatus.of(o).volumeGroup(CLASS));
    }

    /** Waits until all is in sync, on disk and in every status. */
    private static void awaitHealthy() throws Exception {
        product()
                .patience()
                .untilNothingMissing(
                        "RAID is healthy and in sync",
                        () -> {
                            var entry = entry().orElseThrow(IllegalStateException::new);
                            boolean healthy =
                                    entry.is(VolumeGroupState.READY)
                                            && entry.reason().isEmpty()
                                            && entry.raid()
                                                    .filter(r -> r.health() == RaidHealth.HEALTHY)
                                                    .filter(
                                                            r ->
                                                                    r.minSyncPercent().orElse(100)
                                                                            == 100)
                                                    .isPresent();
                            return healthy ? "" : entry.toString();
                        });
        product().awaitReady();
    }
}
