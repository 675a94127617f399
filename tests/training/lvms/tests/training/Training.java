package lvms.tests.training;

import lvms.lvm2.engine.WorkerTraining;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Makes the AOT caches of an image. Arguments: the image's folder.
 *
 * <p>Adapter code is left out of the caches: JDK 25 keeps it without a check of the CPU that it was
 * made on.
 */
public final class Training {
    private static final List<String> WITHOUT_MACHINE_CODE =
            List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-AOTAdapterCaching");
    private static final String NO_PROBES = "--health-probe-bind-address=127.0.0.1:0";
    private static final Duration LOAD = Duration.ofSeconds(3);
    private static final Duration DUMP = Duration.ofMinutes(2);

    private final Path image;

    private Training(Path image) {
        this.image = image;
    }

    /** Trains every kind of process. */
    public static void main(String[] args) throws Exception {
        new Training(Path.of(args[0]).toAbsolutePath()).all();
    }

    private void all() throws Exception {
        run("worker", WorkerTraining.words());
        var folder = Files.createTempDirectory("lvms-training");
        try (var cluster = Cluster.start()) {
            var operator =
                    start(
                            "operator",
                            launcher(
                                    "lvms-operator",
                                    NO_PROBES,
                                    "--csi-socket=" + folder.resolve("csi/csi.sock")),
                            cluster.environment(Cluster.NAMESPACE));
            cluster.ask();
            Thread.sleep(LOAD);
            end("operator", operator);
            // In a namespace without volume groups, so that no disk of this machine is looked at
            // for one.
            var agent =
                    start(
                            "vgmanager",
                            launcher(
                                    "lvms-vgmanager",
                                    NO_PROBES,
                                    "--kubelet-root=" + folder.resolve("kubelet"),
                                    "--lock-file=" + folder.resolve("lock/vgmanager.lock"),
                                    "--lvmd-config=" + folder.resolve("lvmd.yaml")),
                            cluster.environment("default"));
            Thread.sleep(LOAD);
            end("vgmanager", agent);
        }
    }

    /** A launcher's words without the cache that is to be made. */
    private List<String> launcher(String name, String... arguments) throws IOException {
        var words = new ArrayList<>(Launcher.words(image, name, arguments));
        words.removeIf(word -> word.startsWith("-XX:AOTCache="));
        return words;
    }

    private void run(String kind, List<String> words) throws Exception {
        var process = start(kind, words, Map.of());
        process.getOutputStream().close();
        finish(kind, process);
    }

    private Process start(String kind, List<String> words, Map<String, String> environment)
            throws IOException {
        var command = new ArrayList<String>();
        command.add(image.resolve("bin/java").toString());
        command.add("-XX:AOTCacheOutput=" + cache(kind));
        command.addAll(WITHOUT_MACHINE_CODE);
        command.addAll(words);
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.redirectOutput(new File("out/training-" + kind + ".log"));
        builder.environment().putAll(environment);
        return builder.start();
    }

    private void end(String kind, Process process) throws Exception {
        process.destroy();
        finish(kind, process);
    }

    private void finish(String kind, Process process) throws Exception {
        if (!process.waitFor(DUMP.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        var cache = cache(kind);
        if (!Files.exists(cache)) {
            throw new IllegalStateException(
                    "no AOT cache of the " + kind + ": see out/training-" + kind + ".log");
        }
        // The worker's library sets a umask that would keep others from reading it.
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rw-r--r--"));
    }

    private Path cache(String kind) {
        return image.resolve("lib/" + kind + ".aot");
    }
}
