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
    private final int port;

    private Prometheus(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * Starts it.
     *
     * @param folder holds {@code ca.crt} and the file {@code token}; its own files go there too
     * @param targets ports on loopback, by job
     */
    static Prometheus start(Path folder, Map<String, Integer> targets) throws IOException {
        int port = freePort();
        Rules.read().save(folder);
        var config = Files.writeString(folder.resolve("prometheus.json"), config(folder, targets));
        var process =
                Tool.command(
                                "prometheus",
                                "--config.file=" + config,
                                "--storage.tsdb.path=" + folder.resolve("data"),
                                "--web.listen-address=127.0.0.1:" + port)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("prometheus.log").toFile())
                        .start();
        return new Prometheus(process, port);
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static String config(Path folder, Map<String, Integer> targets) {
        var jobs =
                targets.entrySet().stream()
                        .map(target -> job(folder, target.getKey(), target.getValue()))
                        .toList();
        return Json.write(
                ObjectTree.builder()
                        .put(
                                "global",
                                ObjectTree.ofTexts(
                                        Map.of(
                                                "scrape_interval",
                                                "1s",
                                                "evaluation_interval",
                                                "1s")))
                        .put("rule_files", ListTree.ofTexts(List.of("rules.json")))
                        .put("scrape_configs", ListTree.of(jobs))
                        .build());
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
        var uri = URI.create("http://127.0.0.1:" + port + "/api/v1/" + path);
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
