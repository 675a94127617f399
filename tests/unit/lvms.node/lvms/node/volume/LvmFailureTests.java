package lvms.node.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.StatusCode;
import lvms.lvm2.LvmException;

import org.junit.jupiter.api.Test;

import java.util.List;

/** Codes of the status are gRPC's, and only lasting failures are written for a new volume. */
class LvmFailureTests {
    @Test
    void aFullGroupIsResourceExhaustedSoTheSchedulerTriesAnotherNode() {
        assertEquals(
                StatusCode.RESOURCE_EXHAUSTED,
                LvmFailure.codeOf(new LvmException.OutOfSpace("full")));
        assertFalse(new LvmException.OutOfSpace("full").passing());
    }

    @Test
    void whatMayHaveHappenedOrWillSoonIsNotAFailureOfTheVolume() {
        assertTrue(new LvmException.OutcomeUnknown("killed", null).passing());
        assertTrue(new LvmException.LockBusy("locked").passing());
        assertTrue(new LvmException.Unavailable("no lvm", null).passing());
        assertEquals(
                StatusCode.UNAVAILABLE,
                LvmFailure.codeOf(new LvmException.OutcomeUnknown("killed", null)));
    }

    @Test
    void theOthersHaveTheCodesOfTheirMeaning() {
        assertEquals(StatusCode.NOT_FOUND, LvmFailure.codeOf(new LvmException.NotFound("x")));
        assertEquals(
                StatusCode.ALREADY_EXISTS, LvmFailure.codeOf(new LvmException.AlreadyExists("x")));
        assertEquals(
                StatusCode.FAILED_PRECONDITION, LvmFailure.codeOf(new LvmException.InUse("x")));
        assertEquals(
                StatusCode.INTERNAL,
                LvmFailure.codeOf(new LvmException.CommandFailed("x", 5, List.of())));
        assertEquals(
                StatusCode.INVALID_ARGUMENT,
                LvmFailure.codeOf(new LvmException.InvalidArgument("x")));
    }
}
