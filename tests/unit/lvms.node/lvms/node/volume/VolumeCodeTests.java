package lvms.node.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.LvmException;

import org.junit.jupiter.api.Test;

import java.util.List;

/** Codes of the status are gRPC's, and only lasting failures are written for a new volume. */
class VolumeCodeTests {
    @Test
    void aFullGroupIsResourceExhaustedSoTheSchedulerTriesAnotherNode() {
        assertEquals(8, VolumeCode.of(new LvmException.OutOfSpace("full")));
        assertFalse(VolumeCode.passing(new LvmException.OutOfSpace("full")));
    }

    @Test
    void whatMayHaveHappenedOrWillSoonIsNotAFailureOfTheVolume() {
        assertTrue(VolumeCode.passing(new LvmException.OutcomeUnknown("killed", null)));
        assertTrue(VolumeCode.passing(new LvmException.LockBusy("locked")));
        assertTrue(VolumeCode.passing(new LvmException.Unavailable("no lvm", null)));
        assertEquals(14, VolumeCode.of(new LvmException.OutcomeUnknown("killed", null)));
    }

    @Test
    void theOthersHaveTheCodesOfTheirMeaning() {
        assertEquals(5, VolumeCode.of(new LvmException.NotFound("x")));
        assertEquals(6, VolumeCode.of(new LvmException.AlreadyExists("x")));
        assertEquals(9, VolumeCode.of(new LvmException.InUse("x")));
        assertEquals(13, VolumeCode.of(new LvmException.CommandFailed("x", 5, List.of())));
        assertEquals(3, VolumeCode.of(new LvmException.InvalidArgument("x")));
    }
}
