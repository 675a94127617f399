package lvms.tests.bench.fleet;

import lvms.node.EngineTimes;
import lvms.node.FleetAgents;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A process with many agents, which ends when it is closed or when this JVM ends. */
final class AgentProcess implements AutoCloseable {
    private static final int BASE_MIB = 256;
    private static final int AGENT_MIB = 12;

    private final Process process;
    private volatile int inSync;

    private AgentProcess(Process process) {
        this.process = process;
        Thread.ofVirtual().name("agents").start(this::follow);
    }

    /**
     * Starts agents of nodes whose numbers follow each other.
     *
     * @param folder for their files, sockets and log
     */
    static AgentProcess start(Path kubeconfig, Path folder, int first, int count, EngineTimes times)
            throws IOException {
        var command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx" + (BASE_MIB + AGENT_MIB * count) + "m",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "--class-path",
                        System.getProperty("java.class.path"),
                        FleetAgents.class.getName(),
                        kubeconfig.toString(),
                        folder.toString(),
                        Integer.toString(first),
                        Integer.toString(count),
                        Long.toString(times.creation().toMillis()),
                        Long.toString(times.removal().toMillis()),
                        Long.toString(times.report().toMillis()));
        var log = new File(Files.createDirectories(folder).toFile(), "agents-" + first + ".log");
        return new AgentProcess(new ProcessBuilder(command).redirectError(log).start());
    }

    private void follow() {
        try (BufferedReader lines = process.inputReader()) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                inSync = Integer.parseInt(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            inSync = 0;
        }
    }

    /** Returns how many of its agents follow the API server. */
    int inSync() {
        return inSync;
    }

    /** Returns its resident memory. */
    double residentMib() throws IOException {
        for (var line :
                Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
            if (line.startsWith("VmRSS:")) {
                return Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024;
            }
        }
        throw new IOException("process " + process.pid() + " has no memory");
    }

    /** Kills it: no agent says farewell. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
