package lvms.tests.conformance.takeover;

import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;
import lvms.tests.cluster.Programs;
import lvms.tests.cluster.workload.Product;
import lvms.tests.lab.machine.HostProgram;
import lvms.tests.runner.Peers;
import lvms.tests.runner.Peers.Program;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * LVMS up to 4.15: TopoLVM's own programs and the usual sidecars in workloads of LVMS. Groups,
 * pools, lvmd.yaml and objects are made as its operator and its vg-manager made them, whose
 * programs are not there; pods that only sleep have their places.
 */
final class OlderLvms {
    private static final Path MANIFESTS =
            Path.of("tests/conformance/lvms.tests/lvms/tests/conformance/takeover/older-lvms.yaml");
    private static final Duration DEADLINE = Duration.ofMinutes(4);
    private static final String IMAGE = "localhost/peer-older-lvms:1";
    private static final ObjectKey CLUSTER_NAME = ObjectKey.of("", "my-lvmcluster");
    private static final Pattern DOCUMENT = Pattern.compile("(?m)^---\n");

    private static final String SPEC =
            """
            storage:
              deviceClasses:
                - name: vg1
                  default: true
                  fstype: xfs
                  deviceSelector: {paths: [/dev/ubdc]}
                  thinPoolConfig: {name: thin-pool-1, sizePercent: 90, overprovisionRatio: 5}
                - name: vg2
                  fstype: ext4
                  deviceSelector: {paths: [/dev/ubdd]}
                  thinPoolConfig: {name: thin-pool-1, sizePercent: 90, overprovisionRatio: 5}
            """;

    private static final String ON_THE_NODE =
            """
            mkdir -p /run/lock
            for pair in vg1:/dev/ubdc vg2:/dev/ubdd; do
                vgcreate ${pair%%:*} --addtag @lvms ${pair#*:}
                lvcreate -l 90%FREE -c 128 -Z y -T ${pair%%:*}/thin-pool-1
            done
            mkdir -p /etc/topolvm
            umask 077
            cat >/etc/topolvm/lvmd.yaml <<'END'
            device-classes:
            - default: true
              lvcreate-options: null
              name: vg1
              spare-gb: null
              stripe: null
              stripe-size: ""
              thin-pool:
                name: thin-pool-1
                overprovision-ratio: 5
              type: thin
              volume-group: vg1
            - default: false
              lvcreate-options: null
              name: vg2
              spare-gb: null
              stripe: null
              stripe-size: ""
              thin-pool:
                name: thin-pool-1
                overprovision-ratio: 5
              type: thin
              volume-group: vg2
            lvcreate-option-classes: null
            socket-name: /run/topolvm/lvmd.sock
            END
            """;

    private final Product product;
    private final String namespace;
    private final boolean labels;
    private final Path folder;

    /**
     * @param labels whether its objects have the owned-by labels, which came with 4.14
     */
    OlderLvms(Product product, String namespace, boolean labels, Path folder) {
        this.product = product;
        this.namespace = namespace;
        this.labels = labels;
        this.folder = folder;
    }

    /** Installs it, and waits until its driver is registered. */
    void install() throws Exception {
        Files.createDirectories(folder);
        var image = PeerImage.make(IMAGE, PeerImage.NOBODY, programs(), folder.resolve("image"));
        for (var node : product.cluster().nodes()) {
            image.load(node);
            node.shell(ON_THE_NODE);
        }
        product.kube()
                .create(
                        Types.NAMESPACE,
                        KubeObject.create(Types.NAMESPACE, ObjectKey.cluster(namespace))
                                .with(
                                        Yaml.read(
                                                "{pod-security.kubernetes.io/enforce: privileged}"),
                                        "metadata",
                                        "labels"));
        apply("definitions", definitions());
        product.patience()
                .until("LVMClusters are served", () -> product.kube().serves(LvmCluster.TYPE));
        var object =
                KubeObject.create(LvmCluster.TYPE, key())
                        .with(Yaml.read(SPEC), "spec")
                        .with(
                                Yaml.read("[" + Names.CLUSTER_FINALIZER + "]"),
                                "metadata",
                                "finalizers");
        product.kube().create(LvmCluster.TYPE, object);
        apply("manifests", manifests());
        awaitWorkloads();
        awaitRegistered();
    }

    private ObjectKey key() {
        return ObjectKey.of(namespace, CLUSTER_NAME.name());
    }

    private static Map<String, Path> programs() throws Exception {
        HostProgram.run(List.of("./build.sh", "programs", "csi-provisioner", "csi-resizer"));
        var built = Programs.find();
        return Map.of(
                "hypertopolvm", Peers.find().program(Program.HYPERTOPOLVM),
                "csi-node-driver-registrar", Peers.find().program(Program.NODE_DRIVER_REGISTRAR),
                "csi-provisioner", built.sidecar("csi-provisioner"),
                "csi-resizer", built.sidecar("csi-resizer"),
                "busybox", Path.of("/bin/busybox"));
    }

    /** The types of LVMS as they are now, which hold all that they did then. */
    private static String definitions() throws Exception {
        var rendered = Files.readString(PeerLvms.manifests());
        return DOCUMENT.splitAsStream(rendered)
                .filter(text -> text.contains("\nkind: CustomResourceDefinition\n"))
                .collect(Collectors.joining("---\n"));
    }

    private String manifests() throws Exception {
        var cluster = LvmCluster.of(product.kube().get(LvmCluster.TYPE, key()));
        var owned =
                Names.ownedBy(cluster).entrySet().stream()
                        .map(label -> label.getKey() + ": \"" + label.getValue() + "\"")
                        .collect(Collectors.joining(", ", "{", "}"));
        return Files.readString(MANIFESTS)
                .replace("ITS_NAMESPACE", namespace)
                .replace("IMAGE", IMAGE)
                .replace("UID", cluster.object().uid())
                .replace("LABELS", labels ? owned : "{}")
                .replace(
                        "GROUP_FINALIZER",
                        labels
                                ? Names.nodeCleanupFinalizer("node1")
                                : Names.LEGACY_VOLUME_GROUP_FINALIZER);
    }

    private void apply(String name, String text) throws Exception {
        var file = Files.writeString(folder.resolve(name + ".yaml"), text);
        product.kubectl("apply", "--server-side", "--field-manager=lvms", "-f", file.toString());
    }

    /** Makes vg-manager again, as its operator would. */
    void restoreAgents() throws Exception {
        var agents =
                DOCUMENT.splitAsStream(manifests())
                        .filter(text -> text.contains("\nkind: DaemonSet\n"))
                        .filter(text -> text.contains("\n  name: vg-manager\n"))
                        .collect(Collectors.joining());
        apply("agents", agents);
    }

    /** Waits until all of its pods are ready. */
    void awaitWorkloads() throws Exception {
        for (var workload :
                List.of(
                        "deployment/topolvm-controller",
                        "daemonset/topolvm-node",
                        "daemonset/vg-manager",
                        "deployment/lvms-operator")) {
            product.patience(DEADLINE, namespace)
                    .untilNothingMissing(workload + " is ready", () -> missing(workload));
        }
    }

    private String missing(String workload) throws Exception {
        var said =
                product.kubectl(
                        "rollout", "status", "--watch=false", "--namespace=" + namespace, workload);
        return said.contains("successfully rolled out") ? "" : said;
    }

    /** Waits until kubelet knows its driver. */
    void awaitRegistered() throws Exception {
        product.patience()
                .until(
                        "the driver is registered",
                        () ->
                                product.kube()
                                        .find(Types.CSI_NODE, ObjectKey.cluster("node1"))
                                        .map(node -> node.json().toString())
                                        .filter(text -> text.contains("\"topolvm.io\""))
                                        .isPresent());
    }
}
