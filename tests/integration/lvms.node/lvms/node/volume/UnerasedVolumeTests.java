package lvms.node.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.ErasureConfig.OnRemoval;
import lvms.api.ErasureConfig.ZeroVolumes;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.NewVolumeGroup;
import lvms.node.deviceclass.ErasurePolicy;
import lvms.node.erasure.Marks;
import lvms.node.vgmanager.LoopDiskCase;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.Set;

/** What is to be erased is not forgotten, whatever ends in between. */
class UnerasedVolumeTests extends LoopDiskCase {
    private static final LvName NAME =
            new LvName("lvmszeroed" + ProcessHandle.current().pid(), "data");

    @Test
    @Safety(17)
    void aGrowthWhoseZeroingIsSkippedSinceTheProcessEndsIsNone() throws Exception {
        var operations = ofAnEndingProcess(Set.of());
        assertThrows(LvmException.class, () -> operations.growZeroed(NAME, 16 * MIB, 0));
        assertEquals(8 * MIB, lvm.volumes().find(NAME).orElseThrow().sizeBytes());
    }

    /** The agent ended while it zeroed what a volume was to grow by, and then the claim went. */
    @ParameterizedTest
    @EnumSource
    @Safety(17)
    void whatAVolumeWasToGrowByGoesWithIt(OnRemoval how) throws Exception {
        var operations = ofAnEndingProcess(Set.of());
        assertThrows(LvmException.class, () -> operations.growZeroed(NAME, 16 * MIB, 0));
        assertEquals(2, lvm.volumes().all(NAME.vg()).size());
        operations.remove(NAME, new ErasurePolicy(ZeroVolumes.BLOCK, how, MIB));
        var left = lvm.volumes().all(NAME.vg());
        assertEquals(how == OnRemoval.NONE ? 0 : 1, left.size(), left::toString);
        assertTrue(left.stream().allMatch(Marks::isQuarantined), left::toString);
    }

    /** The mark is set before the name is changed, and a power cut may come in between. */
    @Test
    @Safety(17)
    void aRemovalThatWasCutAfterTheMarkIsInQuarantineWhenItIsRepeated() throws Exception {
        var policy = new ErasurePolicy(ZeroVolumes.BLOCK, OnRemoval.ZERO, MIB);
        ofAnEndingProcess(Set.of("lvms.erase=zero")).remove(NAME, policy);
        var left = lvm.volumes().all(NAME.vg()).getFirst();
        assertTrue(Marks.isQuarantined(left), left.toString());
    }

    /** Makes a volume; what the operations are to erase waits for another process. */
    private VolumeOperations ofAnEndingProcess(Set<String> tags) throws Exception {
        var disk = disks.add(64 * MIB);
        lvm = disks.lvm();
        lvm.groups().create(new NewVolumeGroup(NAME.vg(), List.of(disk), Set.of()));
        lvm.volumes().createThick(new NewThickVolume(NAME, 8 * MIB, tags));
        var groups = new GroupLedgers(lvm);
        groups.erasures().close();
        return new VolumeOperations(groups);
    }
}
