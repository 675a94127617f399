package lvms.launcher;

import java.io.PrintStream;
import java.util.List;

/** TopoLVM's one program for all: the first argument names the program that it is to be. */
final class Hypertopolvm {
    static final String NAME = "hypertopolvm";

    /** TopoLVM's programs; each is a command of that name. */
    static final List<String> PROGRAMS =
            List.of("topolvm-controller", "topolvm-node", "topolvm-scheduler", "lvmd");

    private Hypertopolvm() {}

    static boolean isCalled(List<String> words) {
        return !words.isEmpty() && words.getFirst().equals(NAME);
    }

    /** Returns whether the first word is one of the programs. */
    static boolean knows(List<String> words) {
        return !words.isEmpty() && PROGRAMS.contains(words.getFirst());
    }

    static void printUsage(PrintStream stream) {
        stream.println("usage: hypertopolvm PROGRAM [flags]");
        stream.println();
        Main.COMMANDS.stream()
                .filter(command -> PROGRAMS.contains(command.name()))
                .forEach(
                        command -> stream.printf("  %-20s%s%n", command.name(), command.summary()));
    }
}
