package lvms.tests.conformance.takeover;

import static java.nio.charset.StandardCharsets.UTF_8;

import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tls.Authority;
import lvms.tests.cluster.Programs;
import lvms.tests.cluster.workload.Product;
import lvms.tests.lab.machine.HostProgram;
import lvms.tests.runner.Peers;
import lvms.tests.runner.Peers.Manifests;
import lvms.tests.runner.Peers.Program;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * NativeStor itself on one node, with TopoLVM 0.10.2 and the usual sidecars. Its Job makes the
 * volume group, its DaemonSet the ConfigMap and the RawDevices. Two things are not its own:
 * PodSecurityPolicies, which no Kubernetes of today knows, it is told not to make; and where its
 * operator makes Deployments and CSIDriver, its library for JSON falls over the maps of the Go that
 * built it. So these are made here, and its operator is put to sleep before.
 */
final class NativeStorPeer {
    static final String NAMESPACE = "nativestor-system";
    static final ObjectKey CLUSTER = ObjectKey.of(NAMESPACE, "sample");

    private static final Path FOLDER =
            Path.of("tests/conformance/lvms.tests/lvms/tests/conformance/takeover");
    private static final Duration DEADLINE = Duration.ofMinutes(6);
    private static final Pattern DOCUMENT = Pattern.compile("(?m)^---\n");
    private static final String IMAGE = "localhost/peer-nativestor:1";
    private static final String IMAGE_ASLEEP = "localhost/peer-nativestor-asleep:1";
    private static final String ASLEEP = "#!/busybox sh\nexec /busybox sleep 1000000\n";
    private static final String ITS_IMAGE = "docker.io/alaudapublic/nativestor:2.4.0";

    // The variable that its manifest sets is not the one that it reads.
    private static final String POLICIES = "name: IS_OPERATOR_HUB\n          value: \"0\"";
    private static final String NO_POLICIES =
            "name: TOPOLVM_IS_OPERATOR_HUB\n          value: \"false\"";

    private static final String SECRET =
            """
            apiVersion: v1
            kind: Secret
            metadata: {name: mutatingwebhook, namespace: nativestor-system}
            type: kubernetes.io/tls
            data: {tls.crt: %s, tls.key: %s}
            """;

    private final Product product;
    private final Path folder;

    NativeStorPeer(Product product, Path folder) {
        this.product = product;
        this.folder = folder;
    }

    /** Skips the test unless its programs and manifests are there. */
    static void require() {
        Peers.find().require(Program.NATIVESTOR_OPERATOR, Program.NODE_DRIVER_REGISTRAR);
        installer();
    }

    private static Path installer() {
        return Peers.find().manifest(Manifests.OF_NATIVESTOR, "operator.yaml");
    }

    /** Installs it, and waits until its driver is registered. */
    void install() throws Exception {
        Files.createDirectories(folder);
        var image = PeerImage.make(IMAGE, PeerImage.ROOT, programs(), folder.resolve("image"));
        for (var node : product.cluster().nodes()) {
            node.shell("mkdir -p /run/lock");
            image.load(node);
        }
        apply("operator", operator());
        product.patience()
                .until(
                        "TopolvmClusters are served",
                        () -> product.kube().serves(TopolvmCluster.TYPE));
        secret();
        apply("users", manifests("nativestor.yaml"));
        awaitVolumeGroup();
        putToSleep();
        apply(
                "programs",
                manifests("nativestor-programs.yaml")
                        .replace("OPERATOR_UID", uid("deployment/nativestor"))
                        .replace("CLUSTER_UID", uid("topolvmcluster/" + CLUSTER.name())));
        awaitServing();
    }

    private static String manifests(String file) throws Exception {
        return Files.readString(FOLDER.resolve(file)).replace("PEER", IMAGE);
    }

    /** Its Job and its DaemonSet have said what there is, and its operator has passed it on. */
    private void awaitVolumeGroup() throws Exception {
        product.patience(DEADLINE, NAMESPACE)
                .untilNothingMissing(
                        "the volume group is made and told of",
                        () -> {
                            var config =
                                    product.kube()
                                            .find(
                                                    Types.CONFIG_MAP,
                                                    ObjectKey.of(NAMESPACE, "lvmdconfig-node1"))
                                            .map(KubeObject::toJson)
                                            .orElse("");
                            var told = product.kube().get(TopolvmCluster.TYPE, CLUSTER).toJson();
                            boolean done =
                                    config.contains("\"lvmd.yaml\"")
                                            && config.contains("\"devices\"")
                                            && told.contains("create successful");
                            return done ? "" : config + told;
                        });
    }

    /**
     * Gives its operator a program of the same name that does nothing: the real one takes the
     * capacity off the Nodes each time it starts.
     */
    private void putToSleep() throws Exception {
        var program = Files.writeString(folder.resolve("topolvm"), ASLEEP);
        var busybox = Path.of("/bin/busybox");
        var image =
                PeerImage.make(
                        IMAGE_ASLEEP,
                        PeerImage.ROOT,
                        Map.of("topolvm", program, "busybox", busybox),
                        folder.resolve("asleep"));
        for (var node : product.cluster().nodes()) {
            image.load(node);
        }
        product.kubectl(
                "set",
                "image",
                "--namespace=" + NAMESPACE,
                "deployment/nativestor",
                "nativestor-operator=" + IMAGE_ASLEEP);
        product.patience(DEADLINE, NAMESPACE)
                .untilNothingMissing("its operator sleeps", () -> missing("nativestor"));
    }

    private String uid(String object) throws Exception {
        return product.kubectl(
                "get", "--namespace=" + NAMESPACE, object, "--output=jsonpath={.metadata.uid}");
    }

    private static String operator() throws Exception {
        var all =
                Files.readString(installer())
                        .replace(ITS_IMAGE, IMAGE)
                        .replace(POLICIES, NO_POLICIES);
        return DOCUMENT.splitAsStream(all)
                .filter(text -> !text.contains("kind: PodSecurityPolicy"))
                .collect(Collectors.joining("---\n"));
    }

    private static Map<String, Path> programs() throws Exception {
        HostProgram.run(
                List.of(
                        "./build.sh",
                        "programs",
                        "hypertopolvm",
                        "csi-provisioner",
                        "csi-resizer"));
        var built = Programs.find();
        var topolvm = built.oldTopolvm();
        return Map.of(
                "topolvm",
                Peers.find().program(Program.NATIVESTOR_OPERATOR),
                "lvmd",
                topolvm,
                "topolvm-node",
                topolvm,
                "topolvm-controller",
                topolvm,
                "csi-node-driver-registrar",
                Peers.find().program(Program.NODE_DRIVER_REGISTRAR),
                "csi-provisioner",
                built.sidecar("csi-provisioner"),
                "csi-resizer",
                built.sidecar("csi-resizer"),
                "busybox",
                Path.of("/bin/busybox"));
    }

    private void secret() throws Exception {
        var host = "controller." + NAMESPACE + ".svc";
        var pair =
                Authority.make("peer-ca", Duration.ofDays(30))
                        .server("peer", List.of(host), List.of());
        apply("secret", SECRET.formatted(base64(pair.chainPem()), base64(pair.keyPem())));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    private void apply(String name, String text) throws Exception {
        var file = Files.writeString(folder.resolve(name + ".yaml"), text);
        product.kubectl("apply", "--filename=" + file);
    }

    /** Waits until its programs are ready and kubelet knows its driver. */
    void awaitServing() throws Exception {
        var patience = product.patience(DEADLINE, NAMESPACE);
        for (var name : List.of("topolvm-controller", "topolvm-node-node1")) {
            patience.untilNothingMissing(name + " is ready", () -> missing(name));
        }
        patience.until(
                "the driver is registered",
                () ->
                        product.kube()
                                .find(Types.CSI_NODE, ObjectKey.cluster("node1"))
                                .map(KubeObject::toJson)
                                .filter(text -> text.contains("\"topolvm.cybozu.com\""))
                                .isPresent());
    }

    private String missing(String name) throws Exception {
        var said =
                product.cluster()
                        .kubectl(
                                "rollout",
                                "status",
                                "--watch=false",
                                "--namespace=" + NAMESPACE,
                                "deployment/" + name);
        return said.out().contains("successfully rolled out") ? "" : said.out() + said.err();
    }
}
