package lvms.operator.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.ObjectKey;

import org.junit.jupiter.api.Test;

import java.util.Optional;

/** A volume says for which claim it is being made, so that a later process can tell. */
class ClaimMarkTests {
    @Test
    void aClaimsMarkSurvivesBeingWritten() {
        var mark = new ClaimMark(ObjectKey.of("ns", "data-0"), "u-1");
        assertEquals(Optional.of(mark), ClaimMark.parse(mark.text()));
        assertTrue(ClaimMark.parse("ns/data-0").isEmpty());
        assertTrue(ClaimMark.parse("ns/data-0/").isEmpty());
    }
}
