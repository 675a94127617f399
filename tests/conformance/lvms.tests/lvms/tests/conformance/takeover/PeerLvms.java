package lvms.tests.conformance.takeover;

import lvms.api.LvmCluster;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.Types;
import lvms.k8s.tls.Authority;
import lvms.tests.cluster.workload.Patience;
import lvms.tests.cluster.workload.Product;
import lvms.tests.runner.Peers;
import lvms.tests.runner.Peers.Manifests;
import lvms.tests.runner.Peers.Program;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** LVMS itself in a cluster that is not OpenShift. */
final class PeerLvms {
    private static final Duration DEADLINE = Duration.ofMinutes(6);
    private static final String ITS_NAMESPACE = "openshift-lvm-storage";
    private static final String ITS_IMAGE = "quay.io/lvms_dev/lvms-operator:latest";
    private static final String IMAGE = "localhost/peer-lvms:1";

    // What OpenShift has by itself, and what LVMS's roles lack elsewhere.
    private static final String SURROUNDINGS =
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata:
              name: apiservers.config.openshift.io
            spec:
              group: config.openshift.io
              scope: Cluster
              names: {kind: APIServer, listKind: APIServerList,
                      plural: apiservers, singular: apiserver}
              versions:
                - name: v1
                  served: true
                  storage: true
                  schema:
                    openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
            ---
            apiVersion: scheduling.k8s.io/v1
            kind: PriorityClass
            metadata:
              name: openshift-user-critical
            value: 1000000000
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata:
              name: peer-lvms-more
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
            subjects:
              - {kind: ServiceAccount, name: lvms-operator, namespace: NAMESPACE}
              - {kind: ServiceAccount, name: vg-manager, namespace: NAMESPACE}
            ---
            """;
    private static final String PROFILE =
            """
            apiVersion: config.openshift.io/v1
            kind: APIServer
            metadata:
              name: cluster
            spec: {}
            """;
    private static final String SECRET =
            """
            apiVersion: v1
            kind: Secret
            metadata:
              name: %s
              namespace: %s
            type: kubernetes.io/tls
            data:
              tls.crt: %s
              tls.key: %s
            ---
            """;

    private final Product product;
    private final String namespace;
    private final Path folder;

    PeerLvms(Product product, String namespace, Path folder) {
        this.product = product;
        this.namespace = namespace;
        this.folder = folder;
    }

    /** Returns its manifests; the test is skipped if they are not there. */
    static Path manifests() {
        return Peers.find().manifest(Manifests.OF_LVMS, "rendered.yaml");
    }

    /** Installs it with an LVMCluster of these device classes, and waits until that is Ready. */
    void install(String cluster) throws Exception {
        Files.createDirectories(folder);
        var image =
                PeerImage.make(
                        IMAGE,
                        PeerImage.NOBODY,
                        Map.of("lvms", Peers.find().program(Program.LVMS_UPSTREAM)),
                        folder.resolve("image"));
        for (var node : product.cluster().nodes()) {
            node.shell("mkdir -p /run/lock /etc/topolvm");
            image.load(node);
        }
        var authority = Authority.make("peer-ca", Duration.ofDays(30));
        apply("surroundings", SURROUNDINGS.replace("NAMESPACE", namespace));
        product.patience()
                .until(
                        "its TLS profile",
                        () ->
                                product.cluster()
                                        .kubectl("apply", "-f", file("profile", PROFILE).toString())
                                        .succeeded());
        apply("manifests", manifests(authority));
        apply("secrets", secrets(authority));
        awaitOperator();
        product.patience()
                .until(
                        "its webhooks answer",
                        () ->
                                product.cluster()
                                        .kubectl("apply", "-f", file("cluster", cluster).toString())
                                        .succeeded());
        awaitReady();
    }

    private String manifests(Authority authority) throws Exception {
        var bundle = Base64.getEncoder().encodeToString(authority.pem().getBytes());
        return Files.readString(manifests())
                .replace(ITS_NAMESPACE, namespace)
                .replace(ITS_IMAGE, IMAGE)
                .replace("clientConfig:\n", "clientConfig:\n    caBundle: " + bundle + "\n");
    }

    private String secrets(Authority authority) throws Exception {
        var names = List.of("lvms-webhook-service." + namespace + ".svc");
        var pair = authority.server("peer", names, List.of());
        var text = new StringBuilder();
        for (var name :
                List.of(
                        "lvms-operator-webhook-server-cert",
                        "lvms-operator-metrics-cert",
                        "vg-manager-metrics-cert")) {
            text.append(
                    SECRET.formatted(
                            name, namespace, base64(pair.chainPem()), base64(pair.keyPem())));
        }
        return text.toString();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes());
    }

    private Path file(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name + ".yaml"), text);
    }

    private void apply(String name, String text) throws Exception {
        product.kubectl(
                "apply",
                "--server-side",
                "--field-manager=its-installer",
                "-f",
                file(name, text).toString());
    }

    private void awaitOperator() throws Exception {
        product.kubectl(
                "rollout",
                "status",
                "--namespace=" + namespace,
                "deployment/lvms-operator",
                "--timeout=240s");
    }

    /** Waits until its LVMCluster is Ready. */
    void awaitReady() throws Exception {
        patience().untilNothingMissing("LVMCluster is Ready", this::missing);
    }

    private String missing() throws Exception {
        var all = product.kube().list(LvmCluster.TYPE, ListOptions.all().namespace(namespace));
        return all.items().stream()
                .filter(c -> !c.text("status", "state").orElse("").equals("Ready"))
                .map(c -> c.object("status").toString())
                .findFirst()
                .orElse("");
    }

    Patience patience() {
        return new Patience(DEADLINE, this::diagnosis);
    }

    private String diagnosis() {
        try {
            var text = new StringBuilder();
            for (var words :
                    List.of(
                            "get pods,daemonsets,deployments -o wide",
                            "get events",
                            "describe lvmvolumegroupnodestatuses",
                            "logs deployment/lvms-operator --tail=60",
                            "logs daemonset/vg-manager --tail=60")) {
                var run =
                        product.cluster()
                                .kubectl(("--namespace=" + namespace + " " + words).split(" "));
                text.append(run.out()).append(run.err());
            }
            return text.toString();
        } catch (Exception e) {
            return "no diagnosis: " + e;
        }
    }

    /** Stops its operator, as a person would. */
    void stop() throws Exception {
        product.kubectl(
                "scale", "--namespace=" + namespace, "deployment/lvms-operator", "--replicas=0");
        patience()
                .until(
                        "its operator has ended",
                        () ->
                                product.kube()
                                        .list(
                                                Types.POD,
                                                ListOptions.all()
                                                        .namespace(namespace)
                                                        .labels(
                                                                "app.kubernetes.io/name"
                                                                        + "=lvms-operator"))
                                        .items()
                                        .isEmpty());
    }
}
