package lvms.tests.conformance.takeover;

import lvms.api.Driver;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Patience;
import lvms.tests.cluster.workload.Product;
import lvms.tests.runner.Peers;
import lvms.tests.runner.Peers.Manifests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What TopoLVM's chart renders with the extender, the webhook and lvmd in the node service, with
 * our image in place of TopoLVM's programs, and the standard sidecars beside them.
 */
final class TopolvmChart {
    static final String NAMESPACE = WebhookCertificate.NAMESPACE;

    private static final Path RIGHTS_ALONE = Path.of("tests/integration/topolvm-alone-roles.yaml");
    private static final Duration DEADLINE = Duration.ofMinutes(4);
    private static final String SIDECARS = "localhost/peer-sidecars:1";

    private static final Set<String> OURS =
            Set.of("topolvm-controller", "topolvm-node", "topolvm-scheduler", "lvmd");

    private static final String BINDINGS =
            """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: topolvm-alone}
            roleRef:
              {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: topolvm-controller}
            subjects: [{kind: ServiceAccount, name: topolvm-controller, namespace: topolvm-system}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: topolvm-alone, namespace: topolvm-system}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: topolvm-controller}
            subjects: [{kind: ServiceAccount, name: topolvm-controller, namespace: topolvm-system}]
            """;

    /** What the chart was rendered for. */
    enum Kind {
        /** Its defaults: lvmd in a DaemonSet of its own, no webhook, no extender. */
        DEFAULT("rendered-default.yaml", "daemonset/topolvm-lvmd-0"),
        /** With webhook and extender; lvmd is moved into the node service. */
        SCHEDULER("rendered-scheduler.yaml", "daemonset/topolvm-scheduler");

        private final String file;
        private final String part;

        Kind(String file, String part) {
            this.file = file;
            this.part = part;
        }

        /** Returns its file; the test is skipped if it is not there. */
        Path file() {
            return Peers.find().manifest(Manifests.OF_TOPOLVM, file);
        }
    }

    private final Product product;
    private final Kind kind;
    private final Path folder;
    private WebhookCertificate certificate;

    TopolvmChart(Product product, Kind kind, Path folder) {
        this.product = product;
        this.kind = kind;
        this.folder = folder;
    }

    /** Installs it, and waits until its pods are ready and all nodes have the driver. */
    void install() throws Exception {
        Files.createDirectories(folder);
        var image =
                PeerImage.make(
                        SIDECARS, PeerImage.ROOT, TopolvmSite.sidecars(), folder.resolve("image"));
        for (var node : product.cluster().nodes()) {
            image.load(node);
        }
        TopolvmSite.prepare(product, folder, Driver.TOPOLVM);
        product.kubectl("label", "node", "node1", "node-role.kubernetes.io/control-plane=");
        certificate = WebhookCertificate.make(product, folder);
        apply("manifests", manifests());
        awaitWorkloads();
    }

    /** As rendered, but for what says where this cluster's things are. */
    private String manifests() throws IOException {
        return objects().collect(Collectors.joining("---\n"));
    }

    private Stream<String> objects() throws IOException {
        return Rendered.objects(kind.file())
                .filter(text -> kind == Kind.DEFAULT || !isLvmd(text))
                .map(this::fitted);
    }

    private static boolean isLvmd(String text) {
        return text.contains("name: topolvm-lvmd-0\n  namespace")
                && text.contains("kind: DaemonSet");
    }

    private String fitted(String object) {
        var text = certificate.trusted(Rendered.withImages(object, TopolvmChart::image));
        if (text.contains("kind: ConfigMap") && text.contains("volume-group: myvg1\n")) {
            return TopolvmSite.classes(text);
        }
        if (kind == Kind.DEFAULT) {
            return text;
        }
        if (text.contains("kind: DaemonSet") && text.contains("/topolvm-node\n")) {
            return Rendered.embedded(text);
        }
        return text.replace("listen: \"localhost:9251\"", "listen: \":9251\"") // not our host's
                .replace("replicas: 2", "replicas: 1"); // two nodes leave no room for a third
    }

    private static String image(String program) {
        return OURS.contains(program) ? Rendered.ourImage() : SIDECARS;
    }

    /** Takes the sidecars away and lets our programs do their work, with the rights for that. */
    void replaceSidecars() throws Exception {
        apply(
                "rights",
                Files.readString(RIGHTS_ALONE).replace("lvms-system", NAMESPACE)
                        + "---\n"
                        + BINDINGS);
        apply(
                "alone",
                objects()
                        .filter(
                                text ->
                                        text.contains("kind: Deployment")
                                                || text.contains("/topolvm-node\n"))
                        .map(TopolvmChart::alone)
                        .collect(Collectors.joining("---\n")));
        awaitWorkloads();
    }

    private static String alone(String text) {
        int sidecars =
                Math.max(
                        text.indexOf("        - name: csi-registrar\n"),
                        text.indexOf("        - name: csi-provisioner\n"));
        var own =
                text.substring(0, sidecars)
                        + text.substring(text.indexOf("\n      volumes:\n") + 1);
        return own.replace("/topolvm-node\n", "/topolvm-node\n            - --own-sidecars\n")
                .replace(
                        "/topolvm-controller\n",
                        "/topolvm-controller\n            - --own-sidecars\n")
                .replace(
                        "port: healthz",
                        text.contains("kind: Deployment") ? "port: readyz" : "port: healthz")
                .replace(
                        "            - name: pod-volumes-dir\n",
                        "            - name: registration-dir\n"
                                + "              mountPath: /var/lib/kubelet/plugins_registry\n"
                                + "            - name: pod-volumes-dir\n");
    }

    private void apply(String name, String text) throws Exception {
        var file = Files.writeString(folder.resolve(name + ".yaml"), text);
        product.kubectl("apply", "--server-side", "--force-conflicts", "-f", file.toString());
    }

    private void awaitWorkloads() throws Exception {
        for (var workload :
                List.of("deployment/topolvm-controller", "daemonset/topolvm-node", kind.part)) {
            patience().untilNothingMissing(workload + " is ready", () -> missing(workload));
        }
        for (var node : product.cluster().nodes()) {
            patience()
                    .until(
                            "the driver is registered on " + node,
                            () ->
                                    product.kube()
                                            .find(Types.CSI_NODE, ObjectKey.cluster(node.name()))
                                            .filter(o -> o.toJson().contains("\"topolvm.io\""))
                                            .isPresent());
        }
    }

    private String missing(String workload) throws Exception {
        var said =
                product.kubectl(
                        "rollout", "status", "--watch=false", "--namespace=" + NAMESPACE, workload);
        return said.contains("successfully rolled out") ? "" : said;
    }

    Patience patience() {
        return new Patience(DEADLINE, this::diagnosis);
    }

    private String diagnosis() {
        var text = new StringBuilder();
        for (var words :
                List.of(
                        "get pods -o wide",
                        "get events",
                        "describe pods",
                        "logs deployment/topolvm-controller --all-containers --tail=60",
                        "logs daemonset/topolvm-node --all-containers --tail=60")) {
            try {
                var run =
                        product.cluster()
                                .kubectl(("--namespace=" + NAMESPACE + " " + words).split(" "));
                text.append(run.out()).append(run.err());
            } catch (IOException | InterruptedException e) {
                text.append(e);
            }
        }
        return text.toString();
    }
}
