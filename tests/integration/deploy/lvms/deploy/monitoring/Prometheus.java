package lvms.deploy.monitoring;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A Prometheus that scrapes pages of this process over HTTPS each second, as it would a pod's. */
final class Prometheus implements AutoCloseable {
    private static final int NOT_READY = 503;
    private static final int ENDS_WITHIN_SECONDS = 20;

    private final Process process;
    private final HttpClient http = HttpClient.newHttpClient();
    private final String address;

    private Prometheus(Process process, String address) {
        this.process = process;
        this.address = address;
    }

    /**
     * Starts it.
     *
     * @param folder holds {@code ca.crt} and the file {@code token}; its own files go there too
     * @param targets ports on loopback, by job
     */
    static Prometheus start(Path folder, Map<String, Integer> targets) throws IOException {
        return start(folder, scraping(jobs(folder, targets)), "127.0.0.1", List.of());
    }

    /**
     * Starts it with a configuration of the caller's.
     *
     * @param host address of this machine that it listens on
     * @param prefix of its command line, such as nsenter(1) with its options
     */
    static Prometheus start(Path folder, ObjectTree config, String host, List<String> prefix)
            throws IOException {
        var address = host + ":" + freePort();
        Rules.read().save(folder);
        var file = Files.writeString(folder.resolve("prometheus.json"), Json.write(config));
        var builder =
                Tool.command(
                        "prometheus",
                        "--config.file=" + file,
                        "--storage.tsdb.path=" + folder.resolve("data"),
                        "--web.listen-address=" + address);
        builder.command().addAll(0, prefix);
        var process =
                builder.redirectErrorStream(true)
                        .redirectOutput(folder.resolve("prometheus.log").toFile())
                        .start();
        return new Prometheus(process, address);
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static List<ObjectTree> jobs(Path folder, Map<String, Integer> targets) {
        return targets.entrySet().stream()
                .map(target -> job(folder, target.getKey(), target.getValue()))
                .toList();
    }

    /** Returns a configuration with these jobs and our alerts, for each second. */
    static ObjectTree scraping(List<ObjectTree> jobs) {
        var eachSecond = Map.of("scrape_interval", "1s", "evaluation_interval", "1s");
        return ObjectTree.builder()
                .put("global", ObjectTree.ofTexts(eachSecond))
                .put("rule_files", ListTree.ofTexts(List.of("rules.json")))
                .put("scrape_configs", ListTree.of(jobs))
                .build();
    }

    private static ObjectTree job(Path folder, String name, int port) {
        var labels = ObjectTree.ofTexts(Map.of("node", Cluster.NODE));
        var target =
                ObjectTree.builder()
                        .put("targets", ListTree.ofTexts(List.of("localhost:" + port)))
                        .put("labels", labels)
                        .build();
        return ObjectTree.builder()
                .put("job_name", name)
                .put("scheme", "https")
                .put("honor_labels", true)
                .put("bearer_token_file", folder.resolve("token").toString())
                .put(
                        "tls_config",
                        ObjectTree.ofTexts(Map.of("ca_file", folder.resolve("ca.crt").toString())))
                .put("static_configs", ListTree.of(target))
                .build();
    }

    /** Evaluates an expression; fails if Prometheus refuses it. */
    List<ObjectTree> query(String expression) throws IOException, InterruptedException {
        var text = URLEncoder.encode(expression, StandardCharsets.UTF_8);
        return get("query?query=" + text).objects("data", "result");
    }

    /**
     * Asks for a page of its API.
     *
     * @throws IOException if it does not answer yet
     */
    ObjectTree get(String path) throws IOException, InterruptedException {
        var uri = URI.create("http://" + address + "/api/v1/" + path);
        var answer = http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        if (answer.statusCode() == NOT_READY) {
            throw new IOException(answer.body());
        }
        if (answer.statusCode() != 200) {
            throw new AssertionError(path + ": " + answer.body());
        }
        return Json.parse(answer.body()).asObject();
    }

    /** Returns whether it answers, and has scraped this job. */
    boolean scrapes(String job) throws InterruptedException {
        try {
            return !query("up{job=\"" + job + "\"} == 1").isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        http.close();
        process.destroy();
        process.onExit().orTimeout(ENDS_WITHIN_SECONDS, TimeUnit.SECONDS).join();
    }
}
