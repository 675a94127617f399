package lvms.deploy.monitoring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.api.Names;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.tests.cluster.workload.Product;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Prometheus itself, beside the pods and with the rights of {@code deploy/monitoring}, reads the
 * pages of operators and agents in a real cluster, and nobody else does.
 */
@Lasts(seconds = 60)
@FullOnly("ScrapeTests read the same pages with the same Prometheus")
class ClusterScrapeTests {
    private static final Path DEFINITIONS =
            Path.of(System.getProperty("lvms.cache"), "prometheus", "definitions-v0.85.0");
    private static final String FOLDER = "deploy/monitoring/own-certificates";
    private static final String MONITORING = "monitoring";

    /** What Prometheus says by itself. */
    private static final Set<String> OF_PROMETHEUS = Set.of("up");

    /** What has no series in this cluster, though its family is on the pages. */
    private static final Set<String> ABSENT =
            Set.of(
                    // no class has RAID
                    "lvms_raid_degraded_count",
                    "lvms_raid_health_status",
                    "lvms_raid_member_count",
                    "lvms_raid_sync_in_progress",
                    "lvms_raid_sync_percent",
                    // nothing has failed, and perhaps nobody has asked for a volume yet
                    "controller_persistentvolume_delete_failed_total",
                    "controller_persistentvolume_delete_total",
                    "controller_persistentvolumeclaim_provision_duration_seconds_bucket",
                    "controller_persistentvolumeclaim_provision_failed_total",
                    "controller_persistentvolumeclaim_provision_total",
                    "csi_plugin_operations_seconds_bucket",
                    "lvms_lvm_command_failures_total",
                    "lvms_volume_event_lag_seconds_bucket",
                    "lvms_volume_operation_failures_total",
                    "lvms_volume_operations_total");

    private static final List<String> READERS =
            List.of("own", "wrong", "tenant", "none", "stranger");

    @TempDir private Path folder;

    @Test
    void prometheusReadsEveryPageAndNobodyElseDoes() throws Exception {
        assumeTrue(Files.isDirectory(DEFINITIONS), "there was no Go to fetch the definitions");
        var product = Product.shared();
        product.kubectl("apply", "--server-side", "--filename=" + DEFINITIONS);
        product.kubectl("create", "namespace", MONITORING);
        try {
            product.kubectl("create", "serviceaccount", "prometheus-k8s", "-n", MONITORING);
            product.kubectl("create", "serviceaccount", "tenant", "-n", MONITORING);
            product.kubectl("apply", "--kustomize=" + FOLDER);
            assertFinds(product);
            scrape(product);
        } finally {
            product.kubectl("delete", "--kustomize=" + FOLDER, "--ignore-not-found");
            product.kubectl("delete", "namespace", MONITORING);
            product.kubectl("delete", "--filename=" + DEFINITIONS);
        }
    }

    private void scrape(Product product) throws Exception {
        for (var name : List.of(Names.OPERATOR, Names.VG_MANAGER)) {
            awaitCertificate(product, name);
        }
        Files.writeString(folder.resolve("wrong"), "nobody's");
        for (var account : List.of("prometheus-k8s", "tenant")) {
            var token = product.kubectl("create", "token", account, "-n", MONITORING).strip();
            Files.writeString(folder.resolve(account), token);
        }
        try (var prometheus = start(product)) {
            long pages =
                    product.pods(Names.OPERATOR).size() + product.pods(Names.VG_MANAGER).size();
            product.patience()
                    .until(
                            "all pages are read",
                            () -> {
                                wakeKubelet(product);
                                return count(prometheus, "up{job=~\"own-.*\"} == 1") == pages;
                            });
            for (var job : READERS.subList(1, READERS.size())) {
                product.patience()
                        .until(
                                "job " + job + " tries",
                                () -> count(prometheus, "up{job=~\"" + job + "-.*\"}") == pages);
                assertEquals(0, count(prometheus, "up{job=~\"" + job + "-.*\"} == 1"), job);
            }
            product.patience()
                    .untilNothingMissing(
                            "each is refused for its own reason", () -> unexpected(prometheus));
            assertEquals(Set.of(), unknown(prometheus));
            product.patience()
                    .untilNothingMissing(
                            "every series is there", () -> String.join(" ", missing(prometheus)));
            for (var expression : Expressions.ofAlerts()) {
                prometheus.query(expression);
            }
        }
    }

    /** What the Prometheus of a cluster needs to find the pods. */
    private static void assertFinds(Product product) throws Exception {
        var account = "--as=system:serviceaccount:" + MONITORING + ":prometheus-k8s";
        var namespace = "--namespace=" + Product.SYSTEM;
        for (var type : List.of("services", "pods", "endpointslices.discovery.k8s.io")) {
            product.kubectl("auth", "can-i", "watch", type, account, namespace);
        }
    }

    private static void awaitCertificate(Product product, String name) throws Exception {
        var secret = ObjectKey.of(Product.SYSTEM, name + "-metrics-cert");
        product.patience()
                .until(
                        "the certificate of " + name,
                        () -> {
                            wakeKubelet(product);
                            return product.kube()
                                    .get(Types.SECRET, secret)
                                    .text("data", "ca.crt")
                                    .isPresent();
                        });
    }

    /** Looks at its mounted Secrets at once when a pod changes, else within two minutes. */
    private static void wakeKubelet(Product product) throws Exception {
        product.kubectl(
                "annotate",
                "pods",
                "--namespace=" + Product.SYSTEM,
                "--all",
                "--overwrite",
                "test/woken=" + System.nanoTime());
    }

    /** Each job has another token; the stranger trusts another authority. */
    private Prometheus start(Product product) throws Exception {
        var jobs = new ArrayList<ObjectTree>();
        for (var reader : READERS) {
            jobs.add(job(product, reader, Names.OPERATOR));
            jobs.add(job(product, reader, Names.VG_MANAGER));
        }
        for (var name : List.of(Names.OPERATOR, Names.VG_MANAGER)) {
            var secret = ObjectKey.of(Product.SYSTEM, name + "-metrics-cert");
            var authorities = product.kube().get(Types.SECRET, secret).text("data", "ca.crt");
            Files.write(
                    folder.resolve(name + ".crt"),
                    Base64.getDecoder().decode(authorities.orElseThrow()));
        }
        var namespace = product.cluster().networkNamespace();
        return Prometheus.start(
                folder,
                Prometheus.scraping(jobs),
                server(product).getHost(),
                List.of("nsenter", "--net=" + namespace));
    }

    private static URI server(Product product) throws IOException, InterruptedException {
        var words = "jsonpath={.clusters[0].cluster.server}";
        return URI.create(product.kubectl("config", "view", "--minify", "-o", words).strip());
    }

    /** Debian's build finds no pods by itself, so they are named. */
    private ObjectTree job(Product product, String reader, String name) throws Exception {
        var service = name + "-metrics-service";
        var trusted = reader.equals("stranger") ? other(name) : name;
        var job =
                """
                {
                  "job_name": "READER-NAME",
                  "scheme": "https",
                  "honor_labels": true,
                  "tls_config": {"ca_file": "FOLDER/TRUSTED.crt",
                                 "server_name": "SERVICE.SYSTEM.svc"},
                  "static_configs": []
                }
                """
                        .replace("READER", reader)
                        .replace("FOLDER", folder.toString())
                        .replace("TRUSTED", trusted)
                        .replace("SERVICE", service)
                        .replace("SYSTEM", Product.SYSTEM)
                        .replace("NAME", name);
        var tree = Json.parse(job).asObject().toBuilder();
        tree.put("static_configs", targets(product, name));
        if (!reader.equals("none")) {
            tree.put("bearer_token_file", token(reader));
        }
        return tree.build();
    }

    private static ListTree targets(Product product, String name) throws Exception {
        var targets = ListTree.builder();
        for (var pod : product.pods(name)) {
            var address = pod.text("status", "podIP").orElseThrow() + ":8443";
            var node = pod.text("spec", "nodeName").orElseThrow();
            targets.add(
                    ObjectTree.builder()
                            .put("targets", ListTree.ofTexts(List.of(address)))
                            .put("labels", ObjectTree.ofTexts(Map.of("node", node)))
                            .build());
        }
        return targets.build();
    }

    private static String other(String name) {
        return name.equals(Names.OPERATOR) ? Names.VG_MANAGER : Names.OPERATOR;
    }

    private String token(String reader) {
        var file = Set.of("own", "stranger").contains(reader) ? "prometheus-k8s" : reader;
        return folder.resolve(file).toString();
    }

    private static long count(Prometheus prometheus, String expression)
            throws InterruptedException {
        try {
            return prometheus.query(expression).size();
        } catch (IOException e) {
            return -1; // it does not answer yet
        }
    }

    /** Returns a target whose last scrape did not end as its reader's must. */
    private static String unexpected(Prometheus prometheus) throws Exception {
        var targets = prometheus.get("targets?state=active").objects("data", "activeTargets");
        return targets.stream()
                .filter(target -> !endsAsItMust(target))
                .map(ObjectTree::toString)
                .findFirst()
                .orElse("");
    }

    private static boolean endsAsItMust(ObjectTree target) {
        var error = target.text("lastError").orElse("");
        return switch (target.text("labels", "job").orElseThrow().replaceFirst("-.*", "")) {
            case "own" -> error.isEmpty();
            case "tenant" -> error.contains("403");
            case "stranger" -> error.contains("certificate");
            default -> error.contains("401");
        };
    }

    private static Set<String> asked() throws Exception {
        var asked = new TreeSet<String>();
        for (var expression :
                Stream.concat(Expressions.ofAlerts().stream(), Expressions.ofDashboards().stream())
                        .toList()) {
            asked.addAll(Expressions.names(expression));
        }
        asked.removeAll(OF_PROMETHEUS);
        return asked;
    }

    /** Returns what alerts and dashboards ask for and no page can have. */
    private static Set<String> unknown(Prometheus prometheus) throws Exception {
        var unknown = asked();
        var families = prometheus.get("metadata").object("data").orElseThrow();
        for (var family : families.members().keySet()) {
            var type = families.objects(family).getFirst().text("type").orElse("");
            ScrapeTests.names(family, type).forEach(unknown::remove);
        }
        return unknown;
    }

    /** Returns what alerts and dashboards ask for and no page has now. */
    private static Set<String> missing(Prometheus prometheus) throws Exception {
        var missing = asked();
        missing.removeAll(prometheus.get("label/__name__/values").texts("data"));
        missing.removeAll(ABSENT);
        return missing;
    }
}
