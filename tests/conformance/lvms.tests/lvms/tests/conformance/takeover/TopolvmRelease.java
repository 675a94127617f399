package lvms.tests.conformance.takeover;

import lvms.deploy.chart.Helm;
import lvms.tests.cluster.workload.Product;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** TopoLVM itself with the standard sidecars, as a release of its chart. */
final class TopolvmRelease {
    private static final Path RENDERED = PeerLvms.FOLDER.resolve("topolvm/rendered-default.yaml");
    private static final Pattern DOCUMENT = Pattern.compile("(?m)^---\n");
    private static final String IMAGE = "localhost/peer-topolvm:1";

    /** The values of the chart that say what its rendered objects say. */
    private static final String VALUES =
            """
            controller: {replicaCount: 1}
            lvmd:
              deviceClasses:
                - {name: ssd, volume-group: myvg1, default: true, spare-gb: 1}
                - name: thin
                  volume-group: myvg2
                  type: thin
                  thin-pool: {name: pool0, overprovision-ratio: 5}
            """;

    private final Product product;
    private final Helm helm;
    private final Path folder;

    TopolvmRelease(Product product, Path folder) throws IOException {
        this.product = product;
        this.helm = new Helm(product.cluster().kubeconfig(), folder);
        this.folder = folder;
    }

    /** Installs TopoLVM by what its chart renders. */
    void install() throws Exception {
        var programs = TopolvmSite.sidecars();
        for (var name : List.of("lvmd", "topolvm-node", "topolvm-controller")) {
            programs.put(name, PeerLvms.FOLDER.resolve("hypertopolvm.xz"));
        }
        Files.createDirectories(folder);
        var image = PeerImage.make(IMAGE, PeerImage.ROOT, programs, folder.resolve("image"));
        for (var node : product.cluster().nodes()) {
            image.load(node);
        }
        TopolvmSite.prepare(product, folder);
        helm.succeed(Helm.command("install", theirChart(), "--create-namespace", "--wait"));
        awaitAgents();
    }

    /** Swaps the chart and keeps the values. */
    void upgrade() throws Exception {
        var values = Files.writeString(folder.resolve("values.yaml"), VALUES);
        helm.succeed(Helm.command("upgrade", "--values=" + values, "--wait", "--timeout=4m"));
        awaitAgents();
    }

    /** Goes back to the first revision. */
    void rollback() throws Exception {
        helm.succeed(
                "rollback", "topolvm", "1", "--namespace=topolvm-system", "--wait", "--timeout=4m");
        awaitAgents();
    }

    /** Helm's own waiting is content with no agent at all on one node. */
    private void awaitAgents() throws IOException, InterruptedException {
        product.kubectl(
                "rollout", "status", "daemonset", "--namespace=topolvm-system", "--timeout=180s");
    }

    private Path theirChart() throws IOException {
        var chart = folder.resolve("theirs");
        Files.createDirectories(chart.resolve("templates"));
        Files.writeString(
                chart.resolve("Chart.yaml"), "{apiVersion: v2, name: topolvm, version: 17.1.0}\n");
        var objects =
                DOCUMENT.splitAsStream(Files.readString(RENDERED))
                        .map(TopolvmRelease::fitted)
                        .collect(Collectors.joining("---\n"));
        Files.writeString(chart.resolve("templates/all.yaml"), objects);
        return chart;
    }

    /** As rendered, but with the image that is here. */
    private static String fitted(String document) {
        if (document.contains("kind: ConfigMap") && document.contains("volume-group: myvg1\n")) {
            return TopolvmSite.classes(document);
        }
        return document.replaceAll("image: \"ghcr[^\"]+\"", "image: " + IMAGE)
                .replace("replicas: 2", "replicas: 1"); // one node leaves no room for another
    }
}
