package lvms.node.capacity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.LvmException;
import lvms.lvm2.device.MetadataArea;
import lvms.tests.lab.machine.LoopDisks;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.util.Optional;
import java.util.Set;

/** LVM's metadata areas as they lie on a disk: what a change leaves there, and when one is full. */
class MetadataAreaTests extends ThickGroupCase {
    MetadataAreaTests() {
        super("areas");
    }

    @Test
    @Safety(21)
    void eachChangeMovesTheMarkAndNothingElse() throws Exception {
        var device = disks.add(64 * MIB);
        lvm = disks.lvm();
        LoopDisks.run("vgcreate", "-y", vg, device.toString());
        var area = MetadataArea.find(device).orElseThrow();
        var first = area.mark();
        LoopDisks.run("vgs", vg);
        assertEquals(first, area.mark());
        make(0);
        var second = area.mark();
        assertNotEquals(first, second);
        var other = disks.add(64 * MIB);
        LoopDisks.run("pvcreate", "-y", "--metadatacopies", "0", other.toString());
        LoopDisks.run("vgextend", "-y", vg, other.toString());
        assertNotEquals(second, area.mark());
        assertEquals(Optional.empty(), MetadataArea.find(other));
    }

    @Test
    @Safety(20)
    void capacityIsNothingBeforeLvmRefusesForAFullArea() throws Exception {
        var device = disks.add(1024 * MIB);
        lvm = disks.lvm();
        LoopDisks.run(words("pvcreate -y --metadatasize 60k --dataalignment 64k " + device));
        LoopDisks.run("vgcreate", "-y", vg, device.toString());
        int refused = 0;
        int early = 0;
        for (int i = 0; refused == 0; i++) {
            long promised = capacity();
            early += promised == 0 ? 1 : 0;
            try {
                make(i);
            } catch (LvmException e) {
                refused++;
                assertEquals(0, promised, e.getMessage());
            }
        }
        assertTrue(early <= 5, early + " volumes would have fit");
    }

    /** What docs/operations.md promises of the area that our volume groups get. */
    @Test
    void theUsualAreaHoldsTwentyThousandVolumes() throws Exception {
        var device = disks.add(1024 * MIB);
        lvm = disks.lvm();
        LoopDisks.run(words("pvcreate -y --metadatasize 16m " + device));
        LoopDisks.run("vgcreate", "-y", vg, device.toString());
        var empty = report().group();
        for (int i = 0; i < 20; i++) {
            make(i);
        }
        var full = report().group();
        long each = (full.metadataUsedBytes() - empty.metadataUsedBytes()) / 20;
        assertTrue(each > 0, "nothing was noted");
        assertTrue(empty.metadataFreeBytes() / each > 20_000, each + " bytes for a volume");
    }

    private static String[] words(String line) {
        return line.split(" ");
    }

    /** With the tags that our volumes have, and a long name. */
    private void make(int i) throws Exception {
        var name = "0f5e4bb2-7c2b-4a5e-9f0b-0123456789%02d".formatted(i);
        volume(name, 4 * MIB, Set.of("lvms", "lvms.volume=pvc-" + name));
    }
}
