package lvms.tests.lab.machine;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Short programs of the machine itself, such as ip(8). */
public final class HostProgram {
    private static final long DEADLINE_SECONDS = 60;

    private HostProgram() {}

    /** Runs a command line, words separated by single spaces, and returns its output. */
    static String run(String commandLine) throws IOException, InterruptedException {
        return run(List.of(commandLine.split(" ")));
    }

    /** Runs a command and returns both its outputs; a status other than 0 is a failure. */
    public static String run(List<String> command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        var output = new String(process.getInputStream().readAllBytes());
        if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(command + " did not end in " + DEADLINE_SECONDS + " s");
        }
        if (process.exitValue() != 0) {
            throw new IOException(
                    command + ": status " + process.exitValue() + ": " + output.strip());
        }
        return output;
    }
}
