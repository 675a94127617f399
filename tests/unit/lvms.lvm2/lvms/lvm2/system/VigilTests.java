package lvms.lvm2.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.lvm2.system.Vigil.Whose;
import lvms.tests.runner.LinuxOnly;
import lvms.tests.runner.Needs;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;

/** A deadline is for what hangs, and not for what takes long. */
@Timeout(120)
@Safety(26)
@Needs("sh")
@LinuxOnly
class VigilTests {
    private static final Duration DEADLINE = Duration.ofSeconds(2);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    /** Writes as long as it works, since a program that gets no CPU does no work either. */
    private static final String WORK =
            "i=0; while [ $i -lt 24 ]; do head -c 3000000 /dev/zero | cksum >/dev/null;"
                    + " sleep 0.2; i=$((i + 1)); done; echo whole";

    private static Program shell(String script) {
        return Program.of(DEADLINE, "sh", "-c", script);
    }

    @Test
    void aHelperAtWorkIsNotKilled() throws Exception {
        var helper = shell("sh -c '" + WORK + "'; :");
        assertEquals("whole\n", helper.runWhileWorking(Whose.HELPERS, LONGEST).stdout());
    }

    @Test
    void aHelperThatHangsIs() {
        var helper = shell("sleep 1000; :");
        assertThrows(Program.Late.class, () -> helper.runWhileWorking(Whose.HELPERS, LONGEST));
    }

    @Test
    void theWorkOfTheProgramItselfCountsOnlyIfAsked() throws Exception {
        var busy = shell("while :; do :; done");
        assertThrows(Program.Late.class, () -> busy.runWhileWorking(Whose.HELPERS, LONGEST));
        var done = shell("i=0; while [ $i -lt 3000000 ]; do i=$((i + 1)); done");
        assertEquals(0, done.runWhileWorking(Whose.ALL, LONGEST).status());
    }

    @Test
    void nothingWorksForEver() {
        var busy = shell("while :; do :; done");
        assertThrows(
                Program.Late.class,
                () -> busy.runWhileWorking(Whose.ALL, DEADLINE.multipliedBy(2)));
    }
}
