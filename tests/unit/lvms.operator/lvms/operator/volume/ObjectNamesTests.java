package lvms.operator.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Every CSI name has a name that an API server accepts, and always the same. */
class ObjectNamesTests {
    @Test
    void namesThatAServerWouldRefuseBecomeDigests() {
        assertEquals("pvc-a1", ObjectNames.of("PVC-a1"));
        var odd = ObjectNames.of("a b/c");
        assertTrue(odd.matches("csi-[0-9a-f]{64}"), odd);
        assertEquals(128, ObjectNames.of("x".repeat(128)).length());
    }
}
