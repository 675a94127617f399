package lvms.tests.bench;

import lvms.lvm2.engine.WorkerTraining;
import lvms.lvm2.worker.Frames;
import lvms.tests.bench.gate.Ratios;
import lvms.tests.training.Cluster;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Start and idle memory of operator, node agent and LVM worker, each started from the image beside
 * an API server in memory. No volume group is made and none is looked for: the agent has a device
 * class by its file, whose group does not exist, and its volumes need nothing.
 */
public final class MemoryBench {
    private final Setting setting;
    private final Path folder;

    private MemoryBench(Setting setting, Path folder) {
        this.setting = setting;
        this.folder = folder;
    }

    /** Prints the table. */
    public static void main(String[] args) throws Exception {
        var bench = new MemoryBench(Setting.of(args), Files.createTempDirectory("lvms-bench"));
        bench.all();
    }

    private void all() throws Exception {
        System.out.println(Figures.head());
        var ready = new ArrayList<Double>(); // of the operator
        var ratios = Ratios.of("memory");
        for (int volumes : setting.volumes()) {
            try (var cluster = Cluster.start()) {
                cluster.askForClasses();
                Volumes.make(cluster, volumes);
                var suffix = ", " + volumes + " volumes";
                ready.add(
                        print(ratios, "operator" + suffix, () -> operator(cluster)).readyMillis());
                print(ratios, "node agent" + suffix, () -> agent(cluster));
            }
        }
        print(ratios, "LVM worker", this::worker);
        if (ready.size() > 1) {
            ratios.add(
                    "operator, ready with %d volumes / with %d"
                            .formatted(setting.volumes().getLast(), setting.volumes().getFirst()),
                    ready.getLast() / ready.getFirst());
        }
        ratios.write();
    }

    private interface Run {
        Figures make() throws IOException, InterruptedException;
    }

    private Figures print(Ratios ratios, String what, Run run)
            throws IOException, InterruptedException {
        var figures = new ArrayList<Figures>();
        for (int i = 0; i < setting.runs(); i++) {
            figures.add(run.make());
        }
        var median = Figures.median(figures);
        System.out.println(median.row(what));
        ratios.add(what + ", RSS MiB", median.residentMib());
        ratios.add(what + ", anonymous MiB", median.anonymousMib());
        return median;
    }

    private Figures operator(Cluster cluster) throws IOException, InterruptedException {
        int port = ImageProcess.freePort();
        var words = ImageWords.operator(setting.image(), folder, port);
        return server("operator", words, cluster.environment(Cluster.NAMESPACE), port, "");
    }

    private Figures agent(Cluster cluster) throws IOException, InterruptedException {
        int port = ImageProcess.freePort();
        var words = ImageWords.agent(setting.image(), folder, port);
        return server(
                "vgmanager",
                words,
                cluster.environment("default"),
                port,
                ImageWords.WITHOUT_KUBELET);
    }

    private Figures server(
            String name,
            List<String> words,
            Map<String, String> environment,
            int port,
            String query)
            throws IOException, InterruptedException {
        var probe = URI.create("http://127.0.0.1:" + port + "/readyz" + query);
        try (var server = ImageProcess.server(setting, name, words, environment, probe)) {
            return server.figures(setting.settle());
        }
    }

    /** Ready is the first answer: the version of the library. */
    private Figures worker() throws IOException, InterruptedException {
        long start = System.nanoTime();
        var words = WorkerTraining.withCache(setting.image().resolve("lib/worker.aot"));
        var process = ImageProcess.start(setting, "worker", words, Map.of("MALLOC_ARENA_MAX", "1"));
        try (var in = new DataInputStream(process.getInputStream());
                var out = new DataOutputStream(process.getOutputStream())) {
            Frames.readAnswer(in);
            var ready = Duration.ofNanos(System.nanoTime() - start);
            Frames.writeCommandLine(out, "version");
            Frames.readAnswer(in);
            return Figures.of(process.pid(), ready, setting.settle());
        } finally {
            process.waitFor();
        }
    }
}
