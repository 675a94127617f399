package lvms.node.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.util.Set;

/** A copy goes on from where it was, but only from the same snapshot. */
class CopyProgressTests {
    private static final String UUID = "m12zRC-zq2d-IQKx-b7Oi-0fAo-V33P-hyn1LG";
    private static final String TAG = new CopyProgress(48, UUID).tag();

    @Test
    void whatWasNotedIsNotCopiedAgain() {
        assertEquals(48L << 20, CopyProgress.bytes(Set.of("lvms", TAG), UUID));
    }

    @Test
    void anotherSnapshotIsOfAnotherInstant() {
        assertEquals(0, CopyProgress.bytes(Set.of("lvms", TAG), UUID + "x"));
        assertEquals(0, CopyProgress.bytes(Set.of("lvms", "lvms.unfilled"), UUID));
    }

    @Test
    void itsTagsAreToldFromOthers() {
        assertEquals(Set.of(TAG), CopyProgress.in(Set.of("lvms", TAG, "lvms.unfilled")));
    }
}
