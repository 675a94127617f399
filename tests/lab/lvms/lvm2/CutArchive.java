package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.device.Program;
import lvms.lvm2.engine.WorkerTraining;
import lvms.lvm2.worker.WorkerMain;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;

/**
 * The classes of a guest in a jar, and AOT caches of it: on a node, where each system call of a
 * class path is slow, a JVM starts in half the time, and each cut costs one or three JVMs.
 *
 * @param classPath of all JVMs of the guest
 * @param worker the cache of workers
 * @param server the cache of all others
 */
record CutArchive(String classPath, Path worker, Path server) {
    private static final String WORKER = "lvms.cut.worker";
    private static final String SERVER = "lvms.cut.server";
    private static final List<String> CACHE_FLAGS =
            List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-AOTAdapterCaching");
    private static final List<String> SERVER_FLAGS =
            List.of(
                    "-Xmx64m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:-UsePerfData",
                    "--enable-native-access=ALL-UNNAMED");

    /** Packs and trains, in a folder of its own. */
    static CutArchive make(Path folder) throws Exception {
        var jar = folder.resolve("guest.jar");
        var words = new ArrayList<>(List.of("--create", "--file", jar.toString()));
        for (var main : List.of(Lvm.class, CutGuest.class)) {
            var place = Path.of(main.getProtectionDomain().getCodeSource().getLocation().toURI());
            words.addAll(List.of("-C", place.toString(), "lvms/lvm2"));
        }
        var tool = ToolProvider.findFirst("jar").orElseThrow();
        assertEquals(0, tool.run(System.out, System.err, words.toArray(String[]::new)));
        var archive =
                new CutArchive(
                        jar + File.pathSeparator + libraries(),
                        folder.resolve("worker.aot"),
                        folder.resolve("server.aot"));
        train(archive.classPath, archive.worker, WorkerTraining.CLASS_PATH_FLAGS, WorkerMain.class);
        train(archive.classPath, archive.server, SERVER_FLAGS, CutTraining.class);
        return archive;
    }

    private static String libraries() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.matches(".*/(gson|com.google.gson|junit|opentest4j)[^/]*"))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static void train(String classPath, Path cache, List<String> flags, Class<?> main)
            throws Exception {
        var words = new ArrayList<>(List.of(java(), "-XX:AOTCacheOutput=" + cache));
        words.addAll(CACHE_FLAGS);
        words.addAll(flags);
        words.addAll(List.of("-cp", classPath, main.getName()));
        var trained = Program.of(Duration.ofMinutes(2), words.toArray(String[]::new)).run();
        assertTrue(Files.exists(cache), "no AOT cache: " + trained);
        cache.toFile().setReadable(true, false);
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin/java").toString();
    }

    /** Returns the words that start a class of the guest. */
    List<String> command(Class<?> main, String... arguments) {
        var words = new ArrayList<>(List.of(java(), "-XX:AOTCache=" + server));
        words.addAll(CACHE_FLAGS);
        words.addAll(SERVER_FLAGS);
        words.addAll(List.of("-D" + WORKER + "=" + worker, "-D" + SERVER + "=" + server));
        words.addAll(List.of("-cp", classPath, main.getName()));
        words.addAll(List.of(arguments));
        return words;
    }

    /** Returns the archive that this JVM was started from. */
    static CutArchive ofGuest() {
        return new CutArchive(
                System.getProperty("java.class.path"),
                Path.of(System.getProperty(WORKER)),
                Path.of(System.getProperty(SERVER)));
    }
}
