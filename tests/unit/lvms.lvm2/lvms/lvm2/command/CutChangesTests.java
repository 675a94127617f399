package lvms.lvm2.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.Identity;
import lvms.lvm2.LvName;
import lvms.tests.runner.LinuxOnly;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

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
    void whatWentOnBeforeLvmIsRememberedUntilItIsMended() throws Exception {
        var cut = new CutChanges(folder);
        var other = new LvName("vg", "other");
        cut.begin(CutChanges.keepingActive(DATA, MERGE)).close();
        var note = cut.all().iterator().next();
        CutChanges.resumed(note, Set.of(DATA.name()));
        CutChanges.resumed(note, Set.of(DATA.name(), other));
        long lines = Files.readAllLines(note).size();
        CutChanges.resumed(note, Set.of(other));
        assertEquals(lines, Files.readAllLines(note).size(), "it is known");
        assertEquals(Set.of(DATA.name(), other), cut.resumed("vg"::equals));
        assertEquals(Set.of(), cut.resumed("vg2"::equals));
        assertEquals(List.of(DATA), cut.keptActive("vg"));
        cut.forget("vg");
        assertEquals(Set.of(), cut.resumed("vg"::equals));
        assertThrows(
                NoSuchFileException.class, () -> CutChanges.resumed(note, Set.of(DATA.name())));
    }

    @Test
    void aHoldNamesItsVolumes() throws Exception {
        var words = CutChanges.holding(List.of(DATA.name()));
        assertEquals(Set.of(DATA.name()), CutChanges.held(words));
        assertEquals(Set.of(), CutChanges.held(MERGE));
        assertEquals(Set.of(), CutChanges.held(List.of()));
        new CutChanges(folder).begin(words).close();
        var note = new CutChanges(folder).all().iterator().next();
        CutChanges.resumed(note, Set.of(new LvName("vg", "other")));
        assertEquals(Set.of(DATA.name()), CutChanges.held(Files.readAllLines(note)));
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
