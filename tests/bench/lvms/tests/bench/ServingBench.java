package lvms.tests.bench;

import lvms.api.LvmCluster;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.testkit.tls.Trust;
import lvms.k8s.tls.Authority;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.tests.training.Cluster;
import lvms.tests.training.Launcher;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * What metrics and webhooks cost operator and node agent: without the ports, with ports that nobody
 * uses, and with a scrape each second; then how large a scrape is, how long it takes, and how long
 * a review takes beside a write of the API server in memory.
 */
public final class ServingBench {
    private static final int ASKED = 500;
    private static final int SCRAPED = 50;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration UNTIL_OPEN = Duration.ofSeconds(30);

    private final Setting setting;
    private final Path folder;
    private final HttpClient reader;

    private ServingBench(Setting setting, Path folder, HttpClient reader) {
        this.setting = setting;
        this.folder = folder;
        this.reader = reader;
    }

    /** One state of a process's ports. */
    private enum Ports {
        OFF,
        UNUSED,
        USED
    }

    /**
     * A process of ours.
     *
     * @param probe what is behind {@code /readyz}
     */
    private record Kind(
            String name, String addressFlag, List<String> words, String namespace, String probe) {}

    /** Prints the tables. */
    public static void main(String[] args) throws Exception {
        var folder = Files.createTempDirectory("lvms-bench");
        var authority = Authority.make("bench", Duration.ofDays(1));
        authority.server("bench", List.of("localhost"), List.of()).save(folder, "tls");
        var trust = Trust.only(authority.pem().getBytes(StandardCharsets.US_ASCII));
        try (var reader =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .sslContext(trust)
                        .build()) {
            new ServingBench(Setting.of(args), folder, reader).all();
        }
    }

    private void all() throws Exception {
        for (int volumes : setting.volumes()) {
            try (var cluster = Cluster.start()) {
                cluster.askForClasses();
                Volumes.make(cluster, volumes);
                System.out.println(Figures.head());
                for (var kind : List.of(operator(), agent())) {
                    for (var ports : Ports.values()) {
                        measure(cluster, kind, ports, volumes);
                    }
                }
            }
        }
    }

    private Kind operator() {
        return new Kind(
                "operator",
                "--diagnostics-address",
                List.of("lvms-operator", "--csi-socket=" + folder.resolve("csi.sock")),
                Cluster.NAMESPACE,
                "");
    }

    private Kind agent() throws IOException {
        var lvmd = Files.writeString(folder.resolve("lvmd.yaml"), ImageWords.LVMD);
        return new Kind(
                "vgmanager",
                "--diagnosticsAddr",
                List.of(
                        "lvms-vgmanager",
                        "--kubelet-root=" + folder.resolve("kubelet"),
                        "--lock-file=" + folder.resolve("lock/vgmanager.lock"),
                        "--lvmd-config=" + lvmd),
                "default",
                ImageWords.WITHOUT_KUBELET);
    }

    private void measure(Cluster cluster, Kind kind, Ports ports, int volumes) throws Exception {
        var figures = new ArrayList<Figures>();
        for (int i = 0; i < setting.runs(); i++) {
            boolean last = i == setting.runs() - 1;
            figures.add(run(cluster, kind, ports, last && ports == Ports.USED));
        }
        var what = kind.name() + " " + ports.name().toLowerCase(Locale.ROOT);
        System.out.println(Figures.median(figures).row(what + ", " + volumes));
    }

    private Figures run(Cluster cluster, Kind kind, Ports ports, boolean times) throws Exception {
        int health = ImageProcess.freePort();
        int metrics = ImageProcess.freePort();
        int webhooks = ImageProcess.freePort();
        var words = new ArrayList<>(kind.words());
        words.add("--health-probe-bind-address=127.0.0.1:" + health);
        words.add(kind.addressFlag() + "=" + (ports == Ports.OFF ? "0" : ":" + metrics));
        words.add("--metrics-cert-dir=" + folder);
        if (kind.name().equals("operator")) {
            words.add("--webhook-bind-address=" + (ports == Ports.OFF ? "0" : ":" + webhooks));
            words.add("--webhook-cert-dir=" + folder);
        }
        var name = words.removeFirst();
        var command = Launcher.words(setting.image(), name, words.toArray(String[]::new));
        var probe = URI.create("http://127.0.0.1:" + health + "/readyz" + kind.probe());
        var environment = Map.copyOf(cluster.environment(kind.namespace()));
        try (var process = ImageProcess.server(setting, kind.name(), command, environment, probe)) {
            if (ports != Ports.USED) {
                return process.figures(setting.settle());
            }
            var page = page(cluster, metrics);
            var scraper = Thread.ofVirtual().start(() -> scrapeEachSecond(page));
            var figures = process.figures(setting.settle());
            scraper.interrupt();
            scraper.join();
            if (times) {
                times(cluster, kind, page, webhooks);
            }
            return figures;
        }
    }

    private static HttpRequest page(Cluster cluster, int port) {
        return HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/metrics"))
                .header("Authorization", "Bearer " + cluster.token("prometheus"))
                .build();
    }

    private void scrapeEachSecond(HttpRequest page) {
        try {
            while (true) {
                scrape(page);
                Thread.sleep(SECOND);
            }
        } catch (InterruptedException _) {
            return; // it was measured
        } catch (IOException e) {
            throw new IllegalStateException("no scrape", e);
        }
    }

    private String scrape(HttpRequest page) throws IOException, InterruptedException {
        var answer = reader.send(page, BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("status " + answer.statusCode());
        }
        return answer.body();
    }

    private void times(Cluster cluster, Kind kind, HttpRequest page, int webhooks)
            throws Exception {
        var text = scrape(page);
        var seconds = CallTimes.of(SCRAPED, () -> scrape(page));
        System.out.println(
                kind.name()
                        + ": scrape of "
                        + text.length() / 1024
                        + " KiB, "
                        + text.lines().filter(line -> !line.startsWith("#")).count()
                        + " series, "
                        + seconds);
        if (kind.name().equals("operator")) {
            var review = review(cluster, webhooks);
            System.out.println("review of an update: " + CallTimes.of(ASKED, () -> judged(review)));
            System.out.println("write without it: " + CallTimes.of(ASKED, write(cluster)));
        }
    }

    private HttpRequest review(Cluster cluster, int port) throws Exception {
        var object = cluster.client().list(LvmCluster.TYPE, ListOptions.all()).items().getFirst();
        var former = Json.parse("[{\"key\": \"bench\", \"operator\": \"Exists\"}]");
        var request =
                ObjectTree.builder()
                        .put("uid", "bench")
                        .put("operation", "UPDATE")
                        .put("name", object.name())
                        .put("namespace", object.namespace())
                        .put("object", object.json())
                        .put("oldObject", object.with(former, "spec", "tolerations").json())
                        .build();
        var body =
                ObjectTree.builder()
                        .put("apiVersion", "admission.k8s.io/v1")
                        .put("kind", "AdmissionReview")
                        .put("request", request)
                        .build();
        var path = "/validate-lvm-topolvm-io-v1alpha1-lvmcluster";
        return HttpRequest.newBuilder(URI.create("https://localhost:" + port + path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(Json.write(body)))
                .timeout(UNTIL_OPEN)
                .build();
    }

    private Void judged(HttpRequest review) throws IOException, InterruptedException {
        var answer = reader.send(review, BodyHandlers.ofString());
        var verdict = Json.parse(answer.body()).asObject().flag("response", "allowed");
        if (!verdict.equals(Optional.of(true))) {
            throw new IOException(answer.body());
        }
        return null;
    }

    private static Callable<KubeObject> write(Cluster cluster) throws Exception {
        var kube = cluster.client();
        var key = kube.list(LvmCluster.TYPE, ListOptions.all()).items().getFirst().key();
        return () -> {
            var number = Tree.of(Long.toString(System.nanoTime()));
            var patch = ObjectTree.EMPTY.with(number, "metadata", "annotations", "bench");
            return kube.mergePatch(LvmCluster.TYPE, key, patch);
        };
    }
}
