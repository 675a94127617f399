package lvms.tests.conformance.takeover;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tls.Authority;
import lvms.tests.cluster.workload.Patience;
import lvms.tests.cluster.workload.Product;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What TopoLVM's chart renders with the extender, the webhook and lvmd in the node service, with
 * our image in place of TopoLVM's programs, and the standard sidecars beside them.
 */
final class TopolvmChart {
    static final String NAMESPACE = "topolvm-system";

    private static final Path RIGHTS_ALONE = Path.of("tests/integration/topolvm-alone-roles.yaml");
    private static final Path OPERATOR = Path.of("deploy/base/operator.yaml");
    private static final Duration DEADLINE = Duration.ofMinutes(4);
    private static final String SIDECARS = "localhost/peer-sidecars:1";
    private static final Pattern DOCUMENT = Pattern.compile("(?m)^---\n");
    private static final Pattern CONTAINER =
            Pattern.compile("image: \"ghcr[^\"]+\"(.*?\n +- )/([a-z-]+)\n", Pattern.DOTALL);

    private static final Set<String> OURS =
            Set.of("topolvm-controller", "topolvm-node", "topolvm-scheduler", "lvmd");

    private static final String SECRET =
            """
            apiVersion: v1
            kind: Secret
            metadata: {name: topolvm-mutatingwebhook, namespace: topolvm-system}
            type: kubernetes.io/tls
            data: {tls.crt: %s, tls.key: %s}
            """;

    private static final String BINDINGS =
            """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: topolvm-alone}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: topolvm-controller}
            subjects: [{kind: ServiceAccount, name: topolvm-controller, namespace: topolvm-system}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: topolvm-alone, namespace: topolvm-system}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: topolvm-controller}
            subjects: [{kind: ServiceAccount, name: topolvm-controller, namespace: topolvm-system}]
            """;

    /** What the chart was rendered for. */
    enum Rendered {
        /** Its defaults: lvmd in a DaemonSet of its own, no webhook, no extender. */
        DEFAULT("topolvm/rendered-default.yaml", "daemonset/topolvm-lvmd-0"),
        /** With webhook and extender; lvmd is moved into the node service. */
        SCHEDULER("topolvm/rendered-scheduler.yaml", "daemonset/topolvm-scheduler");

        private final Path file;
        private final String part;

        Rendered(String file, String part) {
            this.file = PeerLvms.FOLDER.resolve(file);
            this.part = part;
        }

        Path file() {
            return file;
        }
    }

    private final Product product;
    private final Rendered rendered;
    private final Path folder;
    private String bundle = "";

    TopolvmChart(Product product, Rendered rendered, Path folder) {
        this.product = product;
        this.rendered = rendered;
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
        TopolvmSite.prepare(product, folder);
        product.kubectl("label", "node", "node1", "node-role.kubernetes.io/control-plane=");
        var namespace = ObjectKey.cluster(NAMESPACE);
        product.kube().create(Types.NAMESPACE, KubeObject.create(Types.NAMESPACE, namespace));
        if (rendered == Rendered.SCHEDULER) {
            certify();
        }
        apply("manifests", manifests());
        awaitWorkloads();
    }

    private void certify() throws Exception {
        var authority = Authority.make("webhook-ca", Duration.ofDays(30));
        bundle = base64(authority.pem());
        var pair =
                authority.server(
                        "webhook", List.of("topolvm-controller.topolvm-system.svc"), List.of());
        apply("secret", SECRET.formatted(base64(pair.chainPem()), base64(pair.keyPem())));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes());
    }

    /** As rendered, but for what says where this cluster's things are. */
    private String manifests() throws IOException {
        return DOCUMENT.splitAsStream(Files.readString(rendered.file))
                .filter(text -> !text.contains("apiVersion: cert-manager.io/"))
                .filter(text -> rendered == Rendered.DEFAULT || !isLvmd(text))
                .map(this::fitted)
                .collect(Collectors.joining("---\n"));
    }

    private static boolean isLvmd(String text) {
        return text.contains("name: topolvm-lvmd-0\n  namespace")
                && text.contains("kind: DaemonSet");
    }

    private String fitted(String document) {
        var ours = image();
        var text =
                CONTAINER
                        .matcher(document)
                        .replaceAll(
                                match ->
                                        "image: "
                                                + (OURS.contains(match.group(2)) ? ours : SIDECARS)
                                                + match.group(1)
                                                + "/"
                                                + match.group(2)
                                                + "\n");
        if (text.contains("kind: ConfigMap") && text.contains("volume-group: myvg1\n")) {
            return TopolvmSite.classes(text);
        }
        if (rendered == Rendered.DEFAULT) {
            return text;
        }
        if (text.contains("kind: MutatingWebhookConfiguration")) {
            return text.replace(
                    "clientConfig:\n", "clientConfig:\n      caBundle: " + bundle + "\n");
        }
        if (text.contains("kind: DaemonSet") && text.contains("/topolvm-node\n")) {
            return embedded(text);
        }
        return text.replace("listen: \"localhost:9251\"", "listen: \":9251\"") // not our host's
                .replace("replicas: 2", "replicas: 1"); // two nodes leave no room for a third
    }

    /** As node.lvmdEmbedded renders it. */
    private static String embedded(String text) {
        return text.replace("--lvmd-socket=/run/topolvm/lvmd.sock", "--embed-lvmd")
                .replace(
                        "    spec:\n      serviceAccountName: topolvm-node\n",
                        "    spec:\n      serviceAccountName: topolvm-node\n      hostPID: true\n")
                .replace(
                        "name: lvmd-socket-dir\n              mountPath: /run/topolvm",
                        "name: lvmd-socket-dir\n              mountPath: /etc/topolvm")
                .replace(
                        "hostPath:\n"
                                + "            path: /run/topolvm\n"
                                + "            type: DirectoryOrCreate",
                        "configMap: {name: topolvm-lvmd-0}");
    }

    private static String image() {
        try {
            var found =
                    Pattern.compile("image: (localhost/lvms:\\S+)")
                            .matcher(Files.readString(OPERATOR));
            if (!found.find()) {
                throw new IllegalStateException("no image in " + OPERATOR);
            }
            return found.group(1);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
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
                DOCUMENT.splitAsStream(manifests())
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
                List.of("deployment/topolvm-controller", "daemonset/topolvm-node", rendered.part)) {
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

    /** Returns who holds a Lease; empty if nobody does. */
    String holder(String lease) throws Exception {
        return product.kube()
                .find(Types.LEASE, ObjectKey.of(NAMESPACE, lease))
                .flatMap(object -> object.text("spec", "holderIdentity"))
                .orElse("");
    }
}
