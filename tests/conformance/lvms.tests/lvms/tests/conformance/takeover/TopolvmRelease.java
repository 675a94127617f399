package lvms.tests.conformance.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.deploy.chart.Helm;
import lvms.operator.takeover.Takeover;
import lvms.tests.cluster.workload.Product;
import lvms.tests.runner.Peers;
import lvms.tests.runner.Peers.Manifests;
import lvms.tests.runner.Peers.Program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** TopoLVM itself with the standard sidecars, as a release of its chart. */
public final class TopolvmRelease {
    /** The programs of the release that are TopoLVM's, or ours in their place. */
    public static final String CONTROLLER = "topolvm-controller";

    public static final String NODE = "topolvm-node";

    /** The class that the chart makes with the present name. */
    static final String PRESENT_CLASS = "present";

    private static final String PRESENT_NAME = "rendered-scheduler.yaml";
    private static final String OLD_NAME = "rendered-legacy.yaml";
    private static final String IMAGE = "localhost/peer-topolvm:1";

    /** One node leaves no room for another pod, which the affinity keeps from it. */
    private static final String ONE_AT_A_TIME =
            "replicas: 1\n  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}";

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

    private static final String WITH_WEBHOOK =
            VALUES
                    + """
                    scheduler: {enabled: true}
                    webhook:
                      certManager: false
                      secretName: %s
                      caBundle: %s
                      podMutatingWebhook:
                        enabled: true
                        objectSelector: {matchLabels: {%s: %s}}
                    """;

    private static final String WITH_OLD_NAME = VALUES + "useLegacy: true\n";

    /** A class keeps its provisioner, so the class of the present name has another. */
    private static final String WITH_PRESENT_NAME =
            VALUES
                    + """
                    storageClasses:
                      - name: %s
                        storageClass:
                          fsType: ext4
                          volumeBindingMode: WaitForFirstConsumer
                          allowVolumeExpansion: true
                          additionalParameters: {topolvm.io/device-class: ssd}
                    """
                            .formatted(PRESENT_CLASS);

    private final Product product;
    private final Helm helm;
    private final Path folder;
    private final Driver driver;
    private WebhookCertificate certificate;

    /** Prepares it; the present name has the webhook, the old one has not. */
    public TopolvmRelease(Product product, Path folder, Driver driver) throws IOException {
        this.product = product;
        this.helm = new Helm(product.cluster().kubeconfig(), folder);
        this.folder = folder;
        this.driver = driver;
    }

    /** Skips the test unless TopoLVM's programs and manifests are there. */
    static void require() {
        for (var file : List.of(PRESENT_NAME, OLD_NAME)) {
            Peers.find().require(Manifests.OF_TOPOLVM, file);
        }
        Peers.find().require(Program.HYPERTOPOLVM);
        TopolvmSite.requireSidecars();
    }

    /** Returns which programs are missing to have TopoLVM itself; empty if none is. */
    public static String missing() {
        return Peers.find()
                .missing(
                        Program.HYPERTOPOLVM,
                        Program.NODE_DRIVER_REGISTRAR,
                        Program.LIVENESS_PROBE);
    }

    /** Installs TopoLVM by what its chart renders. */
    public void install() throws Exception {
        var programs = TopolvmSite.sidecars();
        for (var name : List.of("lvmd", NODE, CONTROLLER)) {
            programs.put(name, Peers.find().program(Program.HYPERTOPOLVM));
        }
        Files.createDirectories(folder);
        var image = PeerImage.make(IMAGE, PeerImage.ROOT, programs, folder.resolve("image"));
        for (var node : product.cluster().nodes()) {
            image.load(node);
        }
        TopolvmSite.prepare(product, folder, driver);
        certificate = WebhookCertificate.make(product, folder);
        helm.succeed(Helm.command("install", theirChart(Set.of()), "--wait"));
        awaitAgents();
    }

    /** What the plan calls a danger is taken away by the command, as an administrator does it. */
    void protect() throws Exception {
        var takeover = new Takeover(product.kube(), "topolvm", WebhookCertificate.NAMESPACE);
        var plan = takeover.plan();
        assertEquals(List.of(), plan.obstacles());
        var notes = String.join("\n", plan.notes());
        assertTrue(notes.contains("DANGER"), notes);
        takeover.run(plan, Duration.ofMinutes(1), System.out::println);
        var left = String.join("\n", takeover.plan().notes());
        assertTrue(!left.contains("DANGER"), left);
    }

    /** Puts our image in the place of TopoLVM's for some programs, and back for the others. */
    public void mix(Set<String> ours) throws Exception {
        helm.succeed(Helm.command("upgrade", theirChart(ours), "--wait", "--timeout=4m"));
        awaitAgents();
    }

    /** Swaps the chart and keeps the values. */
    public void upgrade() throws Exception {
        upgrade(
                driver.equals(Driver.LEGACY)
                        ? WITH_OLD_NAME
                        : WITH_WEBHOOK.formatted(
                                WebhookCertificate.SECRET,
                                certificate.bundle(),
                                PodWebhook.LABEL,
                                PodWebhook.VALUE));
    }

    /** Is of our chart, and has the present name from now on. */
    void renamed() throws Exception {
        upgrade(WITH_PRESENT_NAME);
    }

    private void upgrade(String values) throws Exception {
        var file = Files.writeString(folder.resolve("values.yaml"), values);
        helm.succeed(Helm.command("upgrade", "--values=" + file, "--wait", "--timeout=4m"));
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

    private Path theirChart(Set<String> ours) throws IOException {
        var chart = folder.resolve("theirs");
        Files.createDirectories(chart.resolve("templates"));
        Files.writeString(
                chart.resolve("Chart.yaml"), "{apiVersion: v2, name: topolvm, version: 17.1.0}\n");
        var objects =
                Rendered.objects(rendered())
                        .map(object -> fitted(object, ours))
                        .collect(Collectors.joining("---\n"));
        Files.writeString(chart.resolve("templates/all.yaml"), objects);
        return chart;
    }

    private Path rendered() {
        return Peers.find()
                .manifest(
                        Manifests.OF_TOPOLVM,
                        driver.equals(Driver.LEGACY) ? OLD_NAME : PRESENT_NAME);
    }

    /** As rendered, but with the images that are here. */
    private String fitted(String object, Set<String> ours) {
        if (object.contains("kind: ConfigMap") && object.contains("volume-group: myvg1\n")) {
            return TopolvmSite.classes(object);
        }
        var text =
                Rendered.withImages(
                        certificate.trusted(object),
                        program -> ours.contains(program) ? Rendered.ourImage() : IMAGE);
        if (ours.contains(NODE) && text.contains("/" + NODE + "\n")) {
            text = Rendered.embedded(text);
        }
        return text.replace(
                        "    failurePolicy: Fail\n",
                        "    failurePolicy: Fail\n    objectSelector: {matchLabels: {%s: %s}}\n"
                                .formatted(PodWebhook.LABEL, PodWebhook.VALUE))
                .replace("replicas: 2", ONE_AT_A_TIME);
    }
}
