package lvms.launcher;

import lvms.launcher.admin.CheckCommand;
import lvms.launcher.admin.DisksCommand;
import lvms.launcher.admin.DoctorCommand;
import lvms.launcher.admin.ExplainCommand;
import lvms.launcher.admin.GatherCommand;
import lvms.launcher.admin.ReportCommand;
import lvms.launcher.admin.StatusCommand;
import lvms.launcher.admin.SupportBundleCommand;
import lvms.launcher.admin.TakeoverCommand;
import lvms.launcher.admin.UninstallCommand;
import lvms.launcher.admin.VolumesCommand;
import lvms.launcher.command.Command;
import lvms.launcher.command.ExitCode;
import lvms.launcher.command.VersionCommand;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.TopolvmFlags;
import lvms.launcher.flag.UsageException;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * {@code lvms COMMAND [flags]}. Exit codes: 0 done, 1 failed in operation, 2 wrong use, with one
 * line on standard error that says what is wrong.
 */
public final class Main {
    static final List<Command> COMMANDS =
            List.of(
                    new OperatorCommand(),
                    new VgManagerCommand(),
                    new LvmdCommand(),
                    new LvmdHealthCommand(),
                    new TopolvmControllerCommand(),
                    new TopolvmNodeCommand(),
                    new TopolvmSchedulerCommand(),
                    new CheckCommand("check"),
                    new CheckCommand("install --check"),
                    new StatusCommand(),
                    new VolumesCommand(),
                    new DisksCommand(),
                    new DoctorCommand(),
                    new ExplainCommand(),
                    new ReportCommand(),
                    new SupportBundleCommand(),
                    new TakeoverCommand(TakeoverCommand.Verb.PLAN),
                    new TakeoverCommand(TakeoverCommand.Verb.RUN),
                    new TakeoverCommand(TakeoverCommand.Verb.BACK),
                    new TakeoverCommand(TakeoverCommand.Verb.CONFIRM),
                    new GatherCommand(),
                    new UninstallCommand(),
                    new VersionCommand());

    private static final int PREFIX = "lvms-".length();

    private Main() {}

    /** Runs a command and exits with its code. */
    public static void main(String[] args) throws InterruptedException {
        System.exit(run(List.of(args), System.out, System.err));
    }

    static int run(List<String> arguments, PrintStream out, PrintStream err)
            throws InterruptedException {
        var words = withoutProgram(arguments);
        if (Hypertopolvm.isCalled(words)) {
            words = words.subList(1, words.size());
            if (!Hypertopolvm.knows(words)) {
                Hypertopolvm.printUsage(err);
                return 1;
            }
        }
        if (words.isEmpty()) {
            printCommands(err);
            return 2;
        }
        try {
            if (isHelp(words.getFirst())) {
                help(words, out);
                return 0;
            }
            var command = command(words);
            var rest = words.subList(command.name().split(" ").length, words.size());
            if (rest.stream().anyMatch(Main::isHelp)) {
                printFlags(command, out);
                return 0;
            }
            var flags = flags(command, rest);
            if (TopolvmFlags.askVersion(command.flags(), flags)) {
                out.println(command.name() + " version " + VersionCommand.version());
                return 0;
            }
            return command.run(flags);
        } catch (UsageException e) {
            err.println("lvms: " + e.getMessage());
            return 2;
        }
    }

    private static Flags flags(Command command, List<String> arguments) throws UsageException {
        try {
            return Flags.parse(command.flags(), command.operands(), arguments);
        } catch (UsageException e) {
            throw new UsageException(
                    e.getMessage() + " (lvms help " + command.name() + " lists the flags)");
        }
    }

    /**
     * Drops the path that a {@code #!} line puts in front. A program that is called {@code
     * lvms-NAME}, or NAME like TopoLVM's programs, is the command of that name.
     */
    private static List<String> withoutProgram(List<String> arguments) {
        if (arguments.isEmpty() || arguments.getFirst().indexOf('/') < 0) {
            return arguments;
        }
        var program = Path.of(arguments.getFirst()).getFileName().toString();
        var rest = arguments.subList(1, arguments.size());
        var command = program.startsWith("lvms-") ? program.substring(PREFIX) : program;
        boolean named =
                program.startsWith("lvms-")
                        || program.equals(Hypertopolvm.NAME)
                        || isCommand(command);
        return named ? Stream.concat(Stream.of(command), rest.stream()).toList() : rest;
    }

    private static boolean isHelp(String word) {
        return word.equals("help") || word.equals("--help") || word.equals("-h");
    }

    private static boolean isCommand(String name) {
        return COMMANDS.stream().anyMatch(command -> command.name().equals(name));
    }

    /** Finds the command that the first words name; the longest name wins. */
    private static Command command(List<String> words) throws UsageException {
        var line = String.join(" ", words) + ' ';
        return COMMANDS.stream()
                .filter(command -> line.startsWith(command.name() + ' '))
                .max(Comparator.comparingInt(command -> command.name().length()))
                .orElseThrow(
                        () ->
                                new UsageException(
                                        "unknown command \""
                                                + words.getFirst()
                                                + "\" (lvms help lists the commands)"));
    }

    private static void help(List<String> words, PrintStream out) throws UsageException {
        if (words.size() > 1) {
            printFlags(command(words.subList(1, words.size())), out);
        } else {
            printCommands(out);
        }
    }

    private static void printCommands(PrintStream stream) {
        stream.println("lvms gives Kubernetes pods local volumes from LVM.");
        stream.println();
        stream.println("usage: lvms COMMAND [flags]");
        stream.println();
        COMMANDS.forEach(
                command -> stream.printf("  %-19s%s%n", command.name(), command.summary()));
        stream.printf(
                "  %-19s%s%n", "help", "this list; lvms help COMMAND lists the flags of a command");
    }

    private static void printFlags(Command command, PrintStream out) {
        var line = String.join(" ", command.operands());
        out.println(
                "lvms "
                        + command.name()
                        + (line.isEmpty() ? "" : " " + line)
                        + ": "
                        + command.summary());
        command.flags().stream()
                .filter(flag -> !flag.meaning().isEmpty())
                .forEach(
                        flag -> {
                            var fallback =
                                    flag.fallback().isEmpty()
                                            ? ""
                                            : " (default " + flag.fallback() + ")";
                            out.printf("  %-30s%s%s%n", flag.text(), flag.meaning(), fallback);
                        });
        command.variables()
                .forEach(
                        variable ->
                                out.printf(
                                        "  $%-29s%s%s%n",
                                        variable.name(),
                                        variable.meaning(),
                                        variable.required() ? " (required)" : ""));
        if (!command.exitCodes().equals(ExitCode.USUAL)) {
            command.exitCodes()
                    .forEach(exit -> out.printf("  exit %-25d%s%n", exit.code(), exit.meaning()));
        }
    }
}
