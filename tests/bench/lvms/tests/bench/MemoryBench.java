package lvms.tests.bench;

import lvms.k8s.client.ApiException;
import lvms.lvm2.engine.WorkerTraining;
import lvms.lvm2.worker.Frames;
import lvms.tests.bench.gate.Ratios;
import lvms.tests.training.Cluster;
import lvms.tests.training.Kubelet;

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
                print(ratios, "node agent" + suffix, () -> agent(cluster, _ -> {}));
                print(ratios, "node agent, called" + suffix, () -> agent(cluster, this::call));
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
        Figures make() throws IOException, ApiException, InterruptedException;
    }

    /** What happens to a process that is ready. */
    private interface Visit {
        void make(Cluster cluster) throws IOException, ApiException, InterruptedException;
    }

    /** Kubelet registers the agent and calls it, after the agent was asked for a volume. */
    private void call(Cluster cluster) throws IOException, ApiException, InterruptedException {
        cluster.refuseVolume();
        new Kubelet(folder.resolve("kubelet")).work("absent");
    }

    private Figures print(Ratios ratios, String what, Run run)
            throws IOException, ApiException, InterruptedException {
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
        var environment = cluster.environment(Cluster.NAMESPACE);
        try (var server = server("operator", words, environment, port, "")) {
            return server.figures(setting.settle());
        }
    }

    private Figures agent(Cluster cluster, Visit visit)
            throws IOException, ApiException, InterruptedException {
        int port = ImageProcess.freePort();
        var words = ImageWords.agent(setting.image(), folder, port);
        var environment = cluster.environment("default");
        try (var server =
                server("vgmanager", words, environment, port, ImageWords.WITHOUT_KUBELET)) {
            visit.make(cluster);
            return server.figures(setting.settle());
        }
    }

    private ImageProcess server(
            String name,
            List<String> words,
            Map<String, String> environment,
            int port,
            String query)
            throws IOException, InterruptedException {
        var probe = URI.create("http://127.0.0.1:" + port + "/readyz" + query);
        return ImageProcess.server(setting, name, words, environment, probe);
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
