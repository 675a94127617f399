package lvms.lvm2.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.Optional;

/** Features are chosen by the version LVM prints, not by the name of a library. */
class LvmVersionTests {
    @Test
    void findsTheVersionAmongTheOthers() {
        var output =
                """
                  LVM version:     2.03.16(2) (2022-05-18)
                  Library version: 1.02.185 (2022-05-18)
                  Driver version:  4.48.0
                """;
        var version = LvmVersion.find(output).orElseThrow();
        assertEquals("2.03.16(2)", version.text());
        assertTrue(version.atLeast(2, 3, 16) && version.atLeast(2, 2, 180));
        assertFalse(version.atLeast(2, 3, 17));
    }

    @Test
    void findsNoneWhereThereIsNone() {
        assertEquals(Optional.empty(), LvmVersion.find("sh: lvm: not found"));
        assertEquals(Optional.empty(), LvmVersion.ofText(""));
    }
}
