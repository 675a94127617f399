package lvms.launcher.command;

import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.UsageException;
import lvms.launcher.flag.Variable;

import java.util.List;

/** A subcommand. */
public interface Command {
    /** The word that selects it. */
    String name();

    /** What it does, for the list of commands; one line. */
    String summary();

    /** The flags it takes. */
    List<Flag> flags();

    /** The words that follow its name, all of them needed, such as {@code NAME}. */
    default List<String> operands() {
        return List.of();
    }

    /** The environment variables it reads. */
    default List<Variable> variables() {
        return List.of();
    }

    default List<ExitCode> exitCodes() {
        return ExitCode.USUAL;
    }

    /**
     * Runs the subcommand to its end.
     *
     * @return one of its exit codes
     * @throws UsageException if the flags or the environment are wrong: exit code 2
     */
    int run(Flags flags) throws UsageException, InterruptedException;
}
