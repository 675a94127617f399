package lvms.tests.lab.machine;

import lvms.lvm2.LvmOptions;
import lvms.lvm2.engine.WorkerTraining;
import lvms.lvm2.system.Program;
import lvms.lvm2.worker.WorkerMain;
import lvms.tests.runner.Runner;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The classes of this JVM in jars, and AOT caches of them, made once for all labs: on a node, where
 * each system call of a class path is slow, a JVM starts in half the time.
 *
 * @param folder absolute; a node sees it at the same path
 */
public record GuestArchive(Path folder) {
    private static final String PROPERTY = "lvms.guest";
    private static final String CLASS_PATH = "class-path";
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    /** JDK 25 keeps adapter code in a cache without a check of the CPU that it was made on. */
    private static final List<String> CACHE_FLAGS =
            List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-AOTAdapterCaching");

    /** Packs and trains. Argument: the folder, which is empty. */
    public static void main(String[] args) throws Exception {
        var archive = new GuestArchive(Path.of(args[0]).toAbsolutePath());
        archive.pack();
        archive.train(
                archive.workers(),
                WorkerTraining.CLASS_PATH_FLAGS,
                List.of(WorkerMain.class.getName(), WorkerMain.SYNCHRONOUS));
        var classes = archive.folder.resolve("training");
        Files.writeString(classes, "guest " + GuestTraining.class.getName() + "\n");
        var runner = List.of(Runner.class.getName(), classes.toString());
        archive.train(archive.programs(), LabJvm.COMMON, runner);
    }

    /** Returns the one that the test command made, or that this JVM was started from. */
    static Optional<GuestArchive> find() {
        return Optional.ofNullable(System.getProperty(PROPERTY))
                .map(folder -> new GuestArchive(Path.of(folder).toAbsolutePath()));
    }

    /** Returns the library's defaults, with workers from the archive if there is one. */
    public static LvmOptions lvmOptions() {
        var defaults = LvmOptions.defaults();
        return defaults.withWorkerFiles(find().map(GuestArchive::workers), defaults.workerFolder());
    }

    private Path workers() {
        return folder.resolve("worker.aot");
    }

    private Path programs() {
        return folder.resolve("program.aot");
    }

    /** Returns the options of a JVM that starts from it. */
    List<String> options() {
        var options = new ArrayList<>(CACHE_FLAGS);
        options.add("-XX:AOTCache=" + programs());
        options.add("-D" + PROPERTY + "=" + folder);
        return options;
    }

    /** Returns the class path that was packed, with jars in place of folders. */
    String classPath() {
        try {
            return Files.readString(folder.resolve(CLASS_PATH));
        } catch (IOException e) {
            throw new UncheckedIOException("the lab's archive is not whole", e);
        }
    }

    private static Stream<Path> entries() {
        var classPath = System.getProperty("java.class.path");
        return Arrays.stream(classPath.split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath());
    }

    private Path packed(Path entry) {
        var name = entry.getParent().getFileName() + "-" + entry.getFileName() + ".jar";
        return Files.isDirectory(entry) ? folder.resolve(name) : entry;
    }

    /** No cache can have folders. */
    private void pack() throws IOException {
        var tool = ToolProvider.findFirst("jar").orElseThrow();
        for (var entry : entries().filter(Files::isDirectory).toList()) {
            var jar = packed(entry).toString();
            var words = List.of("--create", "--no-compress", "--file", jar, "-C", "" + entry, ".");
            if (tool.run(System.out, System.err, words.toArray(String[]::new)) != 0) {
                throw new IOException("cannot pack " + entry);
            }
        }
        Files.writeString(
                folder.resolve(CLASS_PATH),
                entries().map(this::packed).map(Path::toString).collect(Collectors.joining(":")));
    }

    private void train(Path cache, List<String> options, List<String> main) throws Exception {
        var words = new ArrayList<>(List.of(LabJvm.java(), "-XX:AOTCacheOutput=" + cache));
        words.addAll(CACHE_FLAGS);
        words.addAll(options);
        words.addAll(List.of("-cp", classPath()));
        words.addAll(main);
        var trained = Program.of(DEADLINE, words.toArray(String[]::new)).run();
        if (!trained.succeeded() || !Files.exists(cache)) {
            throw new IOException("no " + cache + ": " + trained);
        }
        // The worker's library sets a umask that would keep others from reading it.
        cache.toFile().setReadable(true, false);
    }
}
