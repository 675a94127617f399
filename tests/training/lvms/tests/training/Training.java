package lvms.tests.training;

import lvms.lvm2.engine.WorkerTraining;
import lvms.lvm2.worker.WorkerMain;
import lvms.node.FleetAgents;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Makes the AOT caches of an image. Arguments: the image's folder.
 *
 * <p>The worker has one of its own, since LVM locks its memory. The servers share one, made of the
 * classes that any of them loads: most are the same, and JDK 25 can make no AOT cache of two runs,
 * but can load an archive of a list of classes as one.
 *
 * <p>Adapter code is left out of the caches: JDK 25 keeps it without a check of the CPU that it was
 * made on.
 */
public final class Training {
    private static final List<String> WITHOUT_MACHINE_CODE =
            List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-AOTAdapterCaching");
    private static final String LVMD =
            """
            socket-name: /run/topolvm/lvmd.sock
            device-classes:
              - name: vg1
                volume-group: lvms-training-absent
                default: true
            """;
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
        worker();
        var folder = Files.createTempDirectory("lvms-training");
        try {
            servers(folder);
        } finally {
            remove(folder);
        }
    }

    private void servers(Path folder) throws Exception {
        var lists =
                List.of(
                        folder.resolve("operator.classes"),
                        folder.resolve("agent.classes"),
                        folder.resolve("volume.classes"));
        try (var cluster = Cluster.start();
                var scraper = Scraper.of(folder)) {
            volume(cluster, folder, lists.get(2));
            var operator =
                    start(
                            "operator",
                            recorded(
                                    lists.get(0),
                                    "lvms-operator",
                                    and(
                                            scraper.flags("diagnostics-address"),
                                            NO_PROBES,
                                            "--csi-socket=" + folder.resolve("csi/csi.sock"))),
                            cluster.environment(Cluster.NAMESPACE));
            cluster.ask();
            scraper.scrape(cluster.token("prometheus"));
            Thread.sleep(LOAD);
            end(operator);
            // In a namespace without volume groups, so that no disk of this machine is looked at
            // for one. It has a device class by its file, whose group does not exist.
            var lvmd = Files.writeString(folder.resolve("lvmd.yaml"), LVMD);
            var agent =
                    start(
                            "vgmanager",
                            recorded(
                                    lists.get(1),
                                    "lvms-vgmanager",
                                    and(
                                            scraper.flags("diagnosticsAddr"),
                                            NO_PROBES,
                                            "--kubelet-root=" + folder.resolve("kubelet"),
                                            "--lock-file=" + folder.resolve("lock/vgmanager.lock"),
                                            "--lvmd-config=" + lvmd)),
                            cluster.environment("default"));
            scraper.scrape(cluster.token("prometheus"));
            Thread.sleep(LOAD);
            end(agent);
        }
        server(folder, lists);
    }

    /**
     * An agent over an LVM in memory makes a volume, is called by kubelet, and removes the volume:
     * this machine may have no LVM, and none of its disks is for us. It runs from the class path,
     * so what it loads of the JDK is not typical.
     */
    private static void volume(Cluster cluster, Path folder, Path list) throws Exception {
        var agents = folder.resolve("agents");
        var words =
                List.of(
                        "-XX:DumpLoadedClassList=" + list,
                        "--enable-native-access=ALL-UNNAMED",
                        "--class-path",
                        System.getProperty("java.class.path"),
                        FleetAgents.class.getName(),
                        cluster.kubeconfig().toString(),
                        agents.toString(),
                        "0",
                        "1",
                        "0",
                        "0",
                        "0");
        var agent = start(Path.of(System.getProperty("java.home")), "volume", words, Map.of());
        var node = FleetAgents.nodeName(0);
        var volume = cluster.makeVolume(node, FleetAgents.DEVICE_CLASS);
        new Kubelet(agents.resolve(node).resolve("k")).work(volume);
        cluster.removeVolume();
        agent.getOutputStream().close();
        await(agent);
        Files.write(list, ClassLists.of(list, List.of("lvms/", "io/grpc/", "com/google/")));
    }

    private static String[] and(List<String> flags, String... more) {
        return Stream.concat(flags.stream(), Stream.of(more)).toArray(String[]::new);
    }

    private static void remove(Path folder) throws IOException {
        try (var tree = Files.walk(folder)) {
            for (var path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /** A launcher's words without a cache, and with a list of the classes that it loads. */
    private List<String> recorded(Path list, String name, String... arguments) throws IOException {
        var words = launcher(name, arguments);
        words.addFirst("-XX:DumpLoadedClassList=" + list);
        return words;
    }

    private List<String> launcher(String name, String... arguments) throws IOException {
        var words = new ArrayList<>(Launcher.words(image, name, arguments));
        words.removeIf(word -> word.startsWith("-XX:AOTCache="));
        return words;
    }

    private void worker() throws Exception {
        var words = new ArrayList<>(WITHOUT_MACHINE_CODE);
        words.addAll(WorkerTraining.words());
        words.addFirst("-XX:AOTCacheOutput=" + cache("worker"));
        words.add(WorkerMain.SYNCHRONOUS);
        var process = start("worker", words, Map.of());
        process.getOutputStream().close();
        finish("worker", process);
    }

    private void server(Path folder, List<Path> lists) throws Exception {
        var all = Files.write(folder.resolve("server.classes"), ClassLists.union(lists));
        var words = launcher("lvms-operator");
        words.addAll(
                0,
                List.of(
                        "-Xshare:dump",
                        "-XX:SharedClassListFile=" + all,
                        "-XX:SharedArchiveFile=" + cache("server")));
        finish("server", start("server", words, Map.of()));
    }

    private Process start(String kind, List<String> words, Map<String, String> environment)
            throws IOException {
        return start(image, kind, words, environment);
    }

    private static Process start(
            Path runtime, String kind, List<String> words, Map<String, String> environment)
            throws IOException {
        var command = new ArrayList<String>();
        command.add(runtime.resolve("bin/java").toString());
        command.addAll(words);
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.redirectOutput(new File("out/training-" + kind + ".log"));
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static void end(Process process) throws InterruptedException {
        process.destroy();
        await(process);
    }

    private void finish(String kind, Process process) throws Exception {
        await(process);
        var cache = cache(kind);
        if (!Files.exists(cache)) {
            throw new IllegalStateException(
                    "no AOT cache of the " + kind + ": see out/training-" + kind + ".log");
        }
        // The worker's library sets a umask that would keep others from reading it.
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rw-r--r--"));
    }

    private static void await(Process process) throws InterruptedException {
        if (!process.waitFor(DUMP.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }

    private Path cache(String kind) {
        return image.resolve("lib/" + kind + ".aot");
    }
}
