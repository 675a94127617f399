package lvms.launcher;

import lvms.deploy.Patience;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One of our programs as a process, called by a name; what it writes is in a file. */
final class Program implements AutoCloseable {
    /** For a JVM whose tests end before its better code would pay. */
    static final List<String> SHORT_LIVED = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final Process process;
    private final Path log;

    private Program(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Starts {@code bin/NAME WORD...}. */
    static Program start(Path folder, String name, Map<String, String> environment, String... words)
            throws Exception {
        var line = new ArrayList<String>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(SHORT_LIVED);
        line.add("--enable-native-access=ALL-UNNAMED");
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        line.add("/bin/" + name);
        line.addAll(List.of(words));
        var log = folder.resolve(name + ".log");
        var builder =
                new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        return new Program(builder.start(), log);
    }

    /** Returns a port of loopback that nobody uses at this moment. */
    static int freePort() throws IOException {
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    String log() throws Exception {
        return Files.readString(log);
    }

    /** Waits for a line that holds the text; returns what follows the text in it. */
    String says(String text) throws Exception {
        Patience.until(
                text, () -> log().contains(text) && log().lastIndexOf('\n') > log().indexOf(text));
        var rest = log().substring(log().indexOf(text) + text.length());
        return rest.lines().findFirst().orElse("");
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Tells it to end, as kubelet does; returns its exit code. */
    int end() throws Exception {
        process.destroy();
        return code();
    }

    /** Waits until it has ended; returns its exit code. */
    int code() throws Exception {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new AssertionError("it does not end: " + log());
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
