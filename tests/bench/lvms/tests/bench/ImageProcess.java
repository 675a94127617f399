package lvms.tests.bench;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A process of the image, which ends when it is closed.
 *
 * @param ready from its start until it was ready
 */
public record ImageProcess(Process process, Duration ready) implements AutoCloseable {
    private static final Duration START_DEADLINE = Duration.ofSeconds(60);

    /** Starts a process whose errors go to {@code out/bench-NAME.log}. */
    static Process start(
            Setting setting, String name, List<String> words, Map<String, String> environment)
            throws IOException {
        var command = new ArrayList<>(words);
        command.addAll(command.indexOf("--module"), setting.options());
        command.addFirst(setting.image().resolve("bin/java").toString());
        var builder = new ProcessBuilder(command);
        builder.redirectError(new File("out/bench-" + name + ".log"));
        builder.environment().putAll(environment);
        var process = builder.start();
        // Whoever ends the benchmark early does not want its servers.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        return process;
    }

    /** Starts a server and waits until the page of its health answers well. */
    public static ImageProcess server(
            Setting setting,
            String name,
            List<String> words,
            Map<String, String> environment,
            URI probe)
            throws IOException, InterruptedException {
        return server(setting, name, words, environment, probe, START_DEADLINE);
    }

    /**
     * The same with another deadline.
     *
     * @throws NotReady if it has ended, or is not ready by then; it does not run any more
     */
    public static ImageProcess server(
            Setting setting,
            String name,
            List<String> words,
            Map<String, String> environment,
            URI probe,
            Duration deadline)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        var process = start(setting, name, words, environment);
        try (var http = HttpClient.newHttpClient()) {
            while (!answersWell(http, probe)) {
                var passed = Duration.ofNanos(System.nanoTime() - start);
                if (!process.isAlive()) {
                    throw NotReady.ended(name, process.exitValue(), passed);
                }
                if (passed.compareTo(deadline) > 0) {
                    process.destroyForcibly().waitFor();
                    throw NotReady.late(name, passed);
                }
                Thread.sleep(5);
            }
        }
        return new ImageProcess(process, Duration.ofNanos(System.nanoTime() - start));
    }

    private static boolean answersWell(HttpClient http, URI probe) throws InterruptedException {
        var request = HttpRequest.newBuilder(probe).timeout(Duration.ofSeconds(5)).build();
        try {
            return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException _) {
            return false; // nobody listens yet
        }
    }

    public static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Lets the process settle, and reads what it costs. */
    public Figures figures(Duration settle) throws IOException, InterruptedException {
        return Figures.of(process.pid(), ready, settle);
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
