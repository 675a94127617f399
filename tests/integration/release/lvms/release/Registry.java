package lvms.release;

import lvms.tests.cluster.Programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** A registry on this machine that keeps its content in a folder, and speaks plain HTTP. */
final class Registry implements AutoCloseable {
    private static final long DEADLINE_SECONDS = 60;
    private static final Path CACHE = Path.of(System.getProperty("lvms.cache"));

    /** A program that is one. */
    enum Kind {
        /** distribution 3, of the pinned Go module. */
        DISTRIBUTION,
        /** What Debian has: distribution 2.8. */
        DEBIAN;

        /** Builds the program, or unpacks Debian's package; nothing is installed. */
        Path program() throws Exception {
            if (this == DEBIAN) {
                var folder = Files.createDirectories(CACHE.resolve("docker-registry"));
                Shell.run(folder, "apt-get download docker-registry && dpkg-deb -x *.deb .")
                        .require();
                return folder.resolve("usr/bin/docker-registry");
            }
            Shell.run(Path.of("").toAbsolutePath(), "./build.sh programs registry").require();
            return Programs.find().registry();
        }
    }

    private final Path folder;
    private final Path program;
    private final int port;
    private Process process;

    Registry(Path program, Path folder) throws IOException {
        this.program = program;
        this.folder = Files.createDirectories(folder);
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
    }

    /** Starts it, or starts it again. */
    void start(boolean readOnly) throws Exception {
        close();
        var config =
                """
                version: 0.1
                storage:
                  filesystem: {rootdirectory: %s}
                  maintenance: {readonly: {enabled: %s}}
                http: {addr: "%s"}
                """
                        .formatted(folder.resolve("data"), readOnly, host());
        var file = Files.writeString(folder.resolve("config.yml"), config);
        process =
                new ProcessBuilder(program.toString(), "serve", file.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile())
                        .start();
        until(process, folder.resolve("log"), this::answers);
    }

    /** Awaits what a program does when it has begun. */
    static void until(Process program, Path log, Callable<Boolean> begun) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (!begun.call()) {
            if (!program.isAlive() || System.nanoTime() > end) {
                throw new AssertionError(Files.readString(log));
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private boolean answers() throws InterruptedException {
        try {
            return get("/v2/").statusCode() == 200;
        } catch (IOException _) {
            return false;
        }
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        try (var client = HttpClient.newHttpClient()) {
            var request =
                    HttpRequest.newBuilder(URI.create("http://" + host() + path))
                            .header("Accept", MediaType.INDEX + ", " + MediaType.MANIFEST)
                            .build();
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }

    /** Stores a list of manifests. */
    void put(String path, String index) throws IOException, InterruptedException {
        try (var client = HttpClient.newHttpClient()) {
            var request =
                    HttpRequest.newBuilder(URI.create("http://" + host() + path))
                            .header("Content-Type", MediaType.INDEX)
                            .PUT(HttpRequest.BodyPublishers.ofString(index))
                            .build();
            var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 201) {
                throw new IOException(path + ": " + answer.statusCode() + " " + answer.body());
            }
        }
    }

    String host() {
        return "127.0.0.1:" + port;
    }

    /** Returns where it keeps a blob. */
    Path stored(String digest) throws IOException {
        var hex = digest.substring(Descriptor.PREFIX.length());
        try (var files = Files.walk(folder.resolve("data"))) {
            return files.filter(f -> f.endsWith(Path.of(hex, "data"))).findFirst().orElseThrow();
        }
    }

    /** Returns an environment in which skopeo knows that this one speaks plain HTTP. */
    List<String> trusting() throws IOException {
        var home = folder.resolve("home");
        var settings = Files.createDirectories(home.resolve(".config/containers"));
        Files.writeString(
                settings.resolve("registries.conf"),
                "[[registry]]\nlocation = \"%s\"\ninsecure = true\n".formatted(host()));
        return List.of("HOME=" + home, "XDG_RUNTIME_DIR=" + home);
    }

    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly().onExit().join();
        }
    }
}
