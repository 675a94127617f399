package lvms.tests.conformance.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.cluster.workload.Product;
import lvms.tests.runner.FullOnly;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/**
 * Where the host has LVM, its own is in force, with its configuration, locks and udev; where it has
 * none, the image's. Both make the same volumes.
 */
@FullOnly("each suite runs on a host with LVM and on one without")
class HostLvmTests extends FaultSuite {
    private static final String LOCK_SECONDS = "5";

    @ParameterizedTest
    @CsvSource({
        "node1, 'the host has no LVM, so the image''s is used'",
        "node2, 'the host has LVM, so that one is used'",
    })
    void theStartOfTheLogSaysWhoseLvmIsUsedAndWhy(String node, String reason) throws Exception {
        var agent = product().agent(node).orElseThrow();
        var log = product().kubectl("logs", "--namespace=" + Product.SYSTEM, agent.name());
        assertTrue(log.contains("LVM chosen reason=\"" + reason), log);
        assertTrue(log.contains("LVM engine chosen engine=WORKER"), log);
    }

    @ParameterizedTest
    @CsvSource({
        "node1, lvms-thin, 320Mi",
        "node1, lvms-thick, 64Mi",
        "node2, lvms-thin, 320Mi",
        "node2, lvms-thick, 64Mi",
    })
    void volumesOfBothKindsWorkOnBothNodes(String node, String storageClass, String size)
            throws Exception {
        var writer = writer("v", storageClass, size, node);
        writer.assertHolds(writer.awaitMore(3));
    }

    @Test
    void theHostsOwnToolsShowTheVolumes() throws Exception {
        var node = product().cluster().node("node2");
        writer("v", Product.THIN_CLASS, "320Mi", node.name());
        var volume = box().logicalVolumeOf("v");
        var line = node.shell("lvs --noheadings -o vg_name,lv_name,lv_active").strip();
        assertTrue(line.contains(volume.status().volumeId()), line);
        var link = "/dev/" + Product.THIN + "/" + volume.status().volumeId();
        assertTrue(node.run("test", "-b", link).succeeded(), "udev made " + link);
        var cookies = node.shell("dmsetup udevcookies");
        assertFalse(cookies.contains("0x"), "a cookie is left: " + cookies);
    }

    /** The group's lock is one file for the host's LVM and for ours. */
    @ParameterizedTest
    @ValueSource(strings = {"node1", "node2"})
    void aLockThatAProgramOfTheHostHoldsIsWaitedFor(String name) throws Exception {
        var node = product().cluster().node(name);
        var lock = "/run/lock/lvm/V_" + Product.THICK;
        var held = node.start(List.of("flock", lock, "sleep", LOCK_SECONDS), RECOVERY);
        box().patience()
                .until("lock is held", () -> !node.run("flock", "-n", lock, "true").succeeded());
        claim("v", Product.THICK_CLASS, "64Mi", name);
        assertFalse(held.isDone(), "the claim came too late");
        box().patience()
                .until(
                        "lock is free",
                        () -> {
                            boolean bound = box().phase("v").equals("Bound");
                            assertFalse(bound && !held.isDone(), "somebody else had the lock");
                            return held.isDone();
                        });
        held.get().require("holder of the lock");
        box().awaitBound("v");
        assertEquals(List.of(), Claims.failures(box(), "v"));
    }
}
