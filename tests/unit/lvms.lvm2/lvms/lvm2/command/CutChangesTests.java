package lvms.lvm2.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.Identity;
import lvms.lvm2.LvName;
import lvms.tests.runner.LinuxOnly;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/** A change whose process died is known by the file that nobody locks. */
@LinuxOnly
class CutChangesTests {
    private static final Identity<LvName> DATA =
            new Identity<>(new LvName("vg", "data"), "aaaaaa-aaaa-aaaa-aaaa-aaaa-aaaa-aaaaaa");
    private static final List<String> MERGE = List.of("lvconvert", "--merge", "vg/copy");

    @TempDir Path folder;

    @Test
    void aVolumeThatACutChangeWasToActivateIsRemembered() throws Exception {
        var cut = new CutChanges(folder);
        try (var _ = cut.begin(CutChanges.keepingActive(DATA, MERGE))) {
            assertFalse(cut.concern("vg"), "it runs");
            assertEquals(List.of(), cut.keptActive("vg"));
        }
        cut.begin(List.of("lvremove", "vg/other")).close();
        assertTrue(cut.concern("vg"));
        assertFalse(cut.concern("vg2"));
        assertEquals(List.of(DATA), cut.keptActive("vg"));
        assertEquals(List.of(), cut.keptActive("vg2"));
        cut.forget("vg");
        assertEquals(List.of(), cut.keptActive("vg"));
    }

    @Test
    void aChangeThatEndedLeavesNothingToDo() throws Exception {
        var cut = new CutChanges(folder);
        try (var running = cut.begin(CutChanges.keepingActive(DATA, MERGE))) {
            running.ended();
        }
        assertEquals(List.of(), cut.keptActive("vg"));
    }
}
