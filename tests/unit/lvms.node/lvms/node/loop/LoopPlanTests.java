package lvms.node.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.listing.LoopDevice;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A file that was there once is never made anew, and none is taken that may be another one. */
class LoopPlanTests {
    private static final long GIB = 1L << 30;
    private static final Path FILE = Path.of("/var/loops/data@a@0123456789ab.img");
    private static final Optional<Path> LOOP3 = Optional.of(Path.of("/dev/loop3"));

    private static LoopDevice wish(String name, String path, int sizeGb) {
        return new LoopDevice(name, Optional.of(path), OptionalInt.of(sizeGb), true);
    }

    private static LoopPlan plan(boolean known, OptionalLong size, Optional<Path> device) {
        return new LoopPlan(wish("a", "/var/loops", 2), FILE, known, size, device);
    }

    private static String refusal(LoopPlan plan) {
        return assertInstanceOf(LoopPlan.Step.Refuse.class, plan.next()).why();
    }

    @Test
    void makesWhatNeverWas() {
        assertEquals(
                new LoopPlan.Step.Make(2 * GIB),
                plan(false, OptionalLong.empty(), Optional.empty()).next());
    }

    @Test
    void makesNothingInThePlaceOfWhatIsGone() {
        var why = refusal(plan(true, OptionalLong.empty(), Optional.empty()));
        assertTrue(
                why.startsWith(
                        "its file /var/loops/data@a@0123456789ab.img is gone, and no new one is"
                                + " made in its place"),
                why);
    }

    @Test
    void attachesWhatItKnows() {
        var plan = plan(true, OptionalLong.of(2 * GIB), Optional.empty());
        assertEquals(new LoopPlan.Step.Attach(), plan.next());
        assertEquals("", plan.note());
    }

    /** A pass that was killed after it had made the file, or a node status that was lost. */
    @Test
    void attachesAFileOfItsNameAndSizeThatNobodyRemembers() {
        assertEquals(
                new LoopPlan.Step.Attach(),
                plan(false, OptionalLong.of(2 * GIB), Optional.empty()).next());
    }

    @Test
    void takesNoFileOfAnotherSizeThatNobodyRemembers() {
        var why = refusal(plan(false, OptionalLong.of(GIB), Optional.empty()));
        assertTrue(
                why.startsWith("there is a file /var/loops/data@a@0123456789ab.img of 1073741824"),
                why);
    }

    @Test
    void aFileKeepsItsSizeWhateverIsAskedForLater() {
        var plan = plan(true, OptionalLong.of(GIB), Optional.empty());
        assertEquals(new LoopPlan.Step.Attach(), plan.next());
        assertTrue(plan.note().endsWith("keeps its 1073741824 bytes, whatever the class says"));
    }

    @Test
    void usesWhatIsAttached() {
        assertEquals(
                new LoopPlan.Step.Use(LOOP3.get()),
                plan(true, OptionalLong.of(2 * GIB), LOOP3).next());
    }

    @ParameterizedTest(name = "name \"{0}\", path \"{1}\", {2} GiB: {3}")
    @CsvSource({
        "a, /var/loops, 2, true",
        "loop_1.x, /var/loops/, 2, true",
        "../a, /var/loops, 2, false",
        "a/b, /var/loops, 2, false",
        "'a b', /var/loops, 2, false",
        "-a, /var/loops, 2, false",
        "a, var/loops, 2, false",
        "a, /, 2, false",
        "a, /var/.., 2, false",
        "a, /var/loops, 0, false"
    })
    void refusesNamesAndFoldersThatCouldLeadAstray(
            String name, String path, int sizeGb, boolean good) {
        assertEquals(good, LoopNames.problem(wish(name, path, sizeGb)).isEmpty());
    }

    @Test
    void filesAreNamedAfterTheGroupAndTheDevice() {
        var names = new LoopNames("node1");
        var file = names.file("data", wish("a", "/var/x/../loops/", 2));
        assertTrue(file.toString().matches("/var/loops/data@a@[0-9a-f]{12}\\.img"), file::toString);
        assertTrue(names.isOurs("data", "a", file));
        assertFalse(names.isOurs("data", "b", file));
        assertFalse(names.isOurs("more", "a", file));
        assertFalse(names.isOurs("data", "a", Path.of("/var/loops/6f9619ff-8b86-d011")));
    }

    /** Nodes may have the folder in common, as one of an NFS server. */
    @Test
    void theFileOfAnotherNodeIsNotTaken() {
        var wish = wish("a", "/var/loops", 2);
        var file = new LoopNames("node1").file("data", wish);
        assertFalse(new LoopNames("node2").file("data", wish).equals(file));
        assertFalse(new LoopNames("node2").isOurs("data", "a", file));
    }

    @Test
    void aNameThatFitsNoFileIsRefused() {
        var longest = wish("a".repeat(100), "/var/loops", 2);
        assertTrue(LoopNames.problem(longest).isEmpty());
        var file = new LoopNames("node1").file("v".repeat(127), longest);
        assertTrue(file.getFileName().toString().length() + ".part".length() <= 255);
        assertTrue(LoopNames.problem(wish("a".repeat(101), "/var/loops", 2)).isPresent());
    }
}
