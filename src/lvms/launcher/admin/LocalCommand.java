package lvms.launcher.admin;

import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.UsageException;
import lvms.launcher.lvm.LvmSearch;
import lvms.lvm2.LvmException;
import lvms.lvm2.command.LvmCommands;
import lvms.node.deviceclass.LvmdConfigFile;
import lvms.node.doctor.Diagnosis;
import lvms.node.doctor.MachineReader;
import lvms.node.host.HostLvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/** What the commands that show this machine have in common: their flags, and what they need. */
final class LocalCommand {
    static final String LOCAL = "local";
    private static final String OUTPUT = "o";

    /** Kept, since the log manager forgets loggers that nobody holds. */
    private static final Logger LOGGER = Logger.getLogger("lvms");

    private LocalCommand() {}

    static List<Flag> flags() {
        return List.of(local(), output());
    }

    /** The flag that chooses between the machine and the cluster. */
    static Flag local() {
        return new Flag(LOCAL, Flag.Kind.SWITCH, "false", "show this machine, not the cluster");
    }

    /** The flag that chooses between people and programs. */
    static Flag output() {
        return new Flag(OUTPUT, Flag.Kind.TEXT, "table", "table or json");
    }

    /** Returns whether JSON is asked for. */
    static boolean json(Flags flags) throws UsageException {
        var output = flags.text(OUTPUT);
        if (!output.equals("table") && !output.equals("json")) {
            throw new UsageException("flag -o=" + output + ": must be table or json");
        }
        return output.equals("json");
    }

    /** Returns, in one line, what prevents reading LVM. */
    static Optional<String> obstacle() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)
                    ? Optional.empty()
                    : Optional.of(
                            "only root can use LVM: use sudo, or kubectl exec into the node"
                                    + " agent's pod");
        } catch (IOException e) {
            return Optional.of("/proc is not there: " + e.getMessage());
        }
    }

    /** Prints what was found. */
    @FunctionalInterface
    interface Show {
        /** Returns the exit code. */
        int show(Diagnosis diagnosis) throws InterruptedException;
    }

    /**
     * Looks at this machine; what prevents that is one line.
     *
     * @param trouble exit code if it cannot be looked at
     * @param show prints what was found, and returns the exit code
     */
    static int diagnose(int trouble, Show show) throws InterruptedException {
        var obstacle = obstacle();
        if (obstacle.isPresent()) {
            return failed(trouble, obstacle.get());
        }
        var choice = choice();
        try (var lvm = LvmCommands.open(choice.options())) {
            var reader =
                    new MachineReader(lvm, choice.options(), choice.reason(), LvmdConfigFile.PATH);
            return show.show(Diagnosis.of(reader.read()));
        } catch (LvmException | IOException e) {
            return failed(trouble, noLvm(e));
        }
    }

    /** Silences the log, which is meant for servers: a person gets one line. */
    static void quiet() {
        LOGGER.setLevel(Level.SEVERE);
    }

    /** How LVM is run here. */
    static HostLvm.Choice choice() {
        quiet();
        return LvmSearch.choice(HostLvm.look());
    }

    /** Ends with one line on standard error. */
    static int failed(int code, String why) {
        System.err.println("lvms: " + why);
        return code;
    }

    /** A failure to reach LVM at all, in words. */
    static String noLvm(Exception failure) {
        return "LVM cannot be used on this machine: " + failure.getMessage() + " (package lvm2)";
    }
}
