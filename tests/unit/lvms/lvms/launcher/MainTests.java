package lvms.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;

/**
 * Wrong use is one line on standard error and exit code 2; help that was asked for is not an error.
 */
class MainTests {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... arguments) throws InterruptedException {
        return Main.run(List.of(arguments), new PrintStream(out, true), new PrintStream(err, true));
    }

    @Test
    void anUnknownCommandIsOneLine() throws Exception {
        assertEquals(2, run("explode"));
        assertEquals(
                "lvms: unknown command \"explode\" (lvms help lists the commands)\n",
                err.toString());
        assertEquals("", out.toString());
    }

    @Test
    void anUnknownFlagIsOneLine() throws Exception {
        assertEquals(2, run("version", "--loud"));
        assertEquals(
                "lvms: unknown flag --loud (lvms help version lists the flags)\n", err.toString());
    }

    @Test
    void noWordAtAllShowsTheListOnStandardError() throws Exception {
        assertEquals(2, run());
        assertTrue(err.toString().contains("usage: lvms COMMAND"), err.toString());
    }

    @Test
    void helpListsEveryCommand() throws Exception {
        assertEquals(0, run("help"));
        assertTrue(out.toString().contains("version"), out.toString());
        assertEquals("", err.toString());
    }

    @Test
    void helpOfACommandThatIsNotThereIsWrongUse() throws Exception {
        assertEquals(2, run("help", "explode"));
        assertEquals(1, err.toString().lines().count(), err.toString());
    }

    @Test
    void thePathThatTheKernelPutsInFrontIsNotAnArgument() throws Exception {
        assertEquals(0, run("/opt/lvms/bin/lvms", "version"));
    }

    @Test
    void aProgramNamedAfterACommandIsThatCommand() throws Exception {
        assertEquals(0, run("/opt/lvms/bin/lvms-version"));
    }

    @Test
    void theNameOfTopolvmsProgramIsTheCommandToo() throws Exception {
        assertEquals(1, run("/opt/sbin/lvmd", "health", "--config=/no/such/lvmd.yaml"));
        assertTrue(err.toString().isEmpty(), "it goes to the process's own standard error");
        assertEquals(0, run("/lvmd", "--help"));
        assertTrue(out.toString().startsWith("lvms lvmd: "), out.toString());
        assertEquals(15, out.toString().lines().count(), "flags without effect are not listed");
    }

    @Test
    void aCommandOfTwoWordsIsTheLongerOne() throws Exception {
        assertEquals(0, run("help", "lvmd", "health"));
        assertTrue(out.toString().startsWith("lvms lvmd health: "), out.toString());
    }
}
