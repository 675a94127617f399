package lvms.tests.conformance.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.api.VolumeGroupState;
import lvms.api.VolumeGroupStatus;
import lvms.k8s.object.ObjectKey;
import lvms.tests.cluster.ClusterNode;
import lvms.tests.cluster.workload.Product;
import lvms.tests.lab.machine.Disk;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A disk is taken out of a class while a pod writes to a volume on it: it stays as long as it holds
 * data, and says so; a person moves the data, and it leaves by itself.
 */
@Lasts(seconds = 60)
@FullOnly("LvmOperationsLabTests move what is on a disk that leaves")
class DeviceRemovalTests extends FaultSuite {
    private static final String CLASS = "pair";
    private static final long DISK_BYTES = 512L << 20;
    private static final int MIB = 8;
    private static final String FILE = "/data/file";
    private static final double LONGEST_STALL_SECONDS = 20;
    private static final Duration MOVE = Duration.ofMinutes(3);
    private static final String POOL =
            "thinPoolConfig: {name: pool, sizePercent: 40, overprovisionRatio: 3}";

    private final List<Disk> disks = new ArrayList<>();
    private ClusterNode node;

    /** The host has LVM of its own. */
    @Test
    void aDiskWhoseThinPoolWasMovedLeaves() throws Exception {
        leave("node2", POOL, disk -> node.run(List.of("pvmove", disk), MOVE).require("pvmove"));
    }

    /** The host has no LVM: the agent's pod has. */
    @Test
    @FullOnly("the same for a thick class")
    void aDiskWhoseThickVolumesWereMovedLeaves() throws Exception {
        leave("node1", "", disk -> inAgent("pvmove", disk));
    }

    /** How a person moves what is on a disk. */
    private interface Move {
        void from(String disk) throws Exception;
    }

    private void leave(String nodeName, String pool, Move move) throws Exception {
        node = product().cluster().node(nodeName);
        disks.add(node.addDisk(DISK_BYTES));
        disks.add(node.addDisk(DISK_BYTES));
        var old = disks.getFirst().device();
        var kept = disks.getLast().device();
        name(pool, old, kept);
        product().patience().until("both are in the group", () -> devices().size() == 2);
        var writer = writer("v", Names.classOf(CLASS), "64Mi", nodeName);
        var written = box().write("v", FILE, MIB);

        name(pool, kept);
        product()
                .patience()
                .untilNothingMissing(
                        "the status says what keeps it", () -> told(old, "pvmove " + old));
        assertEquals(List.of(old, kept), devices());
        long before = writer.told();
        move.from(old);
        product().patience().until("it has left", () -> devices().equals(List.of(kept)));
        product().awaitReady();
        assertEquals("", node.run("blkid", "--probe", old).out());

        assertEquals(written, box().checksum("v", FILE, MIB));
        writer.assertHolds(writer.awaitMore(before));
        assertEquals(0, writer.restarts());
        double stall = writer.longestGap();
        assertTrue(stall < LONGEST_STALL_SECONDS, "no line for " + stall + " s");
        System.out.println("longest time between two lines: " + stall + " s");
        node.removeDisk(disks.removeFirst());
        box().grow("v", "96Mi");
        box().awaitCapacity("v", "96Mi");
    }

    private void inAgent(String... command) throws Exception {
        var agent = product().agent(node.name()).orElseThrow();
        var words =
                new ArrayList<>(
                        List.of("exec", "--namespace=" + Product.SYSTEM, agent.name(), "--"));
        words.addAll(List.of(command));
        product().kubectl(words.toArray(String[]::new));
    }

    private void name(String pool, String... paths) throws Exception {
        applyClass(CLASS, node.name(), List.of(paths), pool);
    }

    private List<String> devices() throws Exception {
        return entry().map(VolumeGroupStatus::devices).orElse(List.of()).stream().sorted().toList();
    }

    /** Returns what is missing in the status of the node. */
    private String told(String... words) throws Exception {
        var entry = entry().orElseThrow();
        boolean told =
                entry.is(VolumeGroupState.DEGRADED)
                        && List.of(words).stream().allMatch(entry.reason()::contains);
        return told ? "" : entry.toString();
    }

    private Optional<VolumeGroupStatus> entry() throws Exception {
        var key = ObjectKey.of(Product.SYSTEM, node.name());
        return product()
                .kube()
                .find(LvmVolumeGroupNodeStatus.TYPE, key)
                .flatMap(o -> LvmVolumeGroupNodeStatus.of(o).volumeGroup(CLASS));
    }

    @AfterEach
    void removeClass() throws Exception {
        box().clear();
        removeClass(CLASS);
        for (var disk : disks) {
            node.removeDisk(disk);
        }
        product().awaitReady();
    }
}
