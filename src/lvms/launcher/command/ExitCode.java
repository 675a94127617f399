package lvms.launcher.command;

import java.util.List;

/**
 * What an exit code of a subcommand means.
 *
 * @param code the number
 * @param meaning one line for the help
 */
public record ExitCode(int code, String meaning) {
    /** The codes of every subcommand that has none of its own. */
    public static final List<ExitCode> USUAL =
            List.of(
                    new ExitCode(0, "done, or told to end"),
                    new ExitCode(1, "failed; the log or one line on standard error says why"),
                    new ExitCode(
                            2, "wrong flags or environment; one line on standard error says what"));
}
