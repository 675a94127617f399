package lvms.launcher;

import java.util.List;

/** A subcommand. */
interface Command {
    /** The word that selects it. */
    String name();

    /** What it does, for the list of commands; one line. */
    String summary();

    /** The flags it takes. */
    List<Flag> flags();

    /**
     * Runs to its end.
     *
     * @return the exit code: 0 done, 1 failed in operation
     * @throws UsageException the flags or the environment are wrong (exit code 2)
     */
    int run(Flags flags) throws UsageException, InterruptedException;
}
