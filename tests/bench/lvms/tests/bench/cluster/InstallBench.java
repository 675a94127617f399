package lvms.tests.bench.cluster;

import lvms.deploy.chart.Helm;
import lvms.tests.cluster.workload.Product;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * From a cluster without a driver to a running pod with a volume, by each way of installing. One
 * node, which has the image, a blank disk for each class and no webhooks.
 */
final class InstallBench {
    private static final String ROW = "| %-28s | %9.1f | %9.1f | %9.1f |%n";

    private final BenchCluster bench;

    private InstallBench(BenchCluster bench) {
        this.bench = bench;
    }

    /** Something that ends when the operator is ready. */
    private interface Step {
        void take() throws Exception;
    }

    /** Prints the table. */
    public static void main(String[] args) throws Exception {
        try (var bench = BenchCluster.start()) {
            new InstallBench(bench).all();
        }
        System.exit(0);
    }

    private void all() throws Exception {
        var product = bench.product();
        var home = Files.createDirectories(Path.of("out/bench/install").toAbsolutePath());
        var helm = new Helm(product.cluster().kubeconfig(), home);
        System.out.println(
                "| seconds from the first command | operator ready | cluster Ready | pod Ready |");
        System.out.println("| --- | ---: | ---: | ---: |");
        row("kubectl apply -k, the guard too", product::installManifests);
        product.uninstall();
        row("helm install --set mode=lvms", () -> install(helm));
        product.removeCluster();
        helm.succeed("uninstall", "lvms", "--namespace=" + Product.SYSTEM, "--wait");
    }

    private void install(Helm helm) throws Exception {
        bench.product().kubectl("create", "namespace", Product.SYSTEM);
        bench.product()
                .kubectl(
                        "label",
                        "namespace",
                        Product.SYSTEM,
                        "pod-security.kubernetes.io/enforce=privileged");
        helm.succeed(
                "install",
                "lvms",
                Helm.chart().toString(),
                "--namespace=" + Product.SYSTEM,
                "--set=mode=lvms",
                "--wait");
    }

    private void row(String way, Step installation) throws Exception {
        long start = System.nanoTime();
        installation.take();
        double installed = since(start);
        bench.product().applyCluster();
        bench.product().awaitReady();
        double ready = since(start);
        try (var watched = Watched.open(bench.kube())) { // now its types are there
            var crowd = new Crowd(bench.kube(), watched);
            crowd.pods(Product.THIN_CLASS, 1);
            System.out.printf(ROW, way, installed, ready, since(start));
            crowd.removePods();
            crowd.removeClaims();
        }
    }

    private static double since(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }
}
