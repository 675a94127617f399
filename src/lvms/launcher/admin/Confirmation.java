package lvms.launcher.admin;

import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.UsageException;

import java.time.Duration;

/** What commands that change much ask for: a word, and how long a step may last. */
final class Confirmation {
    private static final String YES = "yes";
    private static final String TIMEOUT = "timeout";
    private static final int MOST_SECONDS = 86_400;

    private Confirmation() {}

    static Flag yes() {
        return new Flag(YES, Flag.Kind.SWITCH, "false", "do not ask for confirmation");
    }

    static Flag timeout() {
        return new Flag(TIMEOUT, Flag.Kind.TEXT, "300", "seconds to wait for each object");
    }

    static Duration patience(Flags flags) throws UsageException {
        var text = flags.text(TIMEOUT);
        if (!text.matches("[1-9]\\d{0,4}") || Integer.parseInt(text) > MOST_SECONDS) {
            throw new UsageException(
                    "flag --" + TIMEOUT + "=" + text + ": must be seconds, 1 to " + MOST_SECONDS);
        }
        return Duration.ofSeconds(Integer.parseInt(text));
    }

    /**
     * Asks the person at the terminal, unless the flag says yes.
     *
     * @throws UsageException if nobody says yes
     */
    static void require(Flags flags) throws UsageException {
        if (flags.on(YES)) {
            return;
        }
        var console = System.console();
        if (console == null || !console.isTerminal()) {
            throw new UsageException("nobody can confirm here: add --" + YES);
        }
        if (!"yes".equals(console.readLine("type yes to go on: "))) {
            throw new UsageException("not confirmed: nothing was done");
        }
    }
}
