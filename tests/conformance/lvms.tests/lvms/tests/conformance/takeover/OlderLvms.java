package lvms.tests.conformance.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.k8s.client.ListOptions;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * LVMS up to 4.15: TopoLVM's programs and the usual sidecars in workloads of LVMS. Groups, pools,
 * lvmd.yaml and objects are made as its operator and its vg-manager made them, whose programs are
 * not there; pods that only sleep have their places.
 *
 * <p>TopoLVM's programs are its own with the standard sidecars, or ours, which take its command
 * lines and need no sidecars.
 */
final class OlderLvms {
    private static final Path MANIFESTS =
            Path.of("tests/conformance/lvms.tests/lvms/tests/conformance/takeover/older-lvms.yaml");
    private static final Path OUR_DEFINITIONS = Path.of("deploy/base/crds");
    private static final Duration DEADLINE = Duration.ofMinutes(4);
    private static final String IMAGE = "localhost/peer-older-lvms:1";
    private static final String OUR_PROGRAMS = "localhost/peer-older-topolvm:1";

    /** The agent of ours that takes the place of both node parts. */
    private static final String OUR_NODE_PART = "/lvms-vgmanager";

    private static final String ITS_NODE_PART = "--embed-lvmd";
    private static final ObjectKey CLUSTER_NAME = ObjectKey.of("", "my-lvmcluster");
    private static final String KINDS =
            "deployments,daemonsets,services,serviceaccounts,roles,rolebindings,leases,"
                    + "clusterroles,clusterrolebindings,csistoragecapacities";
    private static final Pattern DOCUMENT = Pattern.compile("(?m)^---\n");

    /** With TopoLVM's command lines: what the sidecars did, each program does itself. */
    private static final Map<String, String> OUR_CONTAINERS =
            Map.of(
                    "Deployment/topolvm-controller",
                    """
                    - name: topolvm-controller
                      image: %1$s
                      command:
                        - /hypertopolvm
                        - topolvm-controller
                        - --enable-webhooks=false
                        - --leader-election-namespace=%2$s
                        - --own-sidecars
                      readinessProbe: {httpGet: {path: /metrics, port: 8080}}
                      volumeMounts: [{name: socket-dir, mountPath: /run/topolvm}]
                    """,
                    "DaemonSet/topolvm-node",
                    """
                    - name: topolvm-node
                      image: %1$s
                      command:
                        - /hypertopolvm
                        - topolvm-node
                        - --embed-lvmd
                        - --config=/etc/topolvm/lvmd.yaml
                        - --own-sidecars
                        - --csi-socket=/var/lib/kubelet/plugins/topolvm.io/node/csi-topolvm.sock
                      securityContext: {privileged: true, runAsUser: 0}
                      env:
                        - name: NODE_NAME
                          valueFrom: {fieldRef: {fieldPath: spec.nodeName}}
                      readinessProbe: {httpGet: {path: /healthz, port: 9808}}
                      volumeMounts:
                        - name: node-plugin-dir
                          mountPath: /var/lib/kubelet/plugins/topolvm.io/node
                        - {name: lvmd-config-dir, mountPath: /etc/topolvm}
                        - name: registration-dir
                          mountPath: /var/lib/kubelet/plugins_registry
                        - name: pod-volumes-dir
                          mountPath: /var/lib/kubelet/pods
                          mountPropagation: Bidirectional
                        - name: csi-plugin-dir
                          mountPath: /var/lib/kubelet/plugins/kubernetes.io/csi
                          mountPropagation: Bidirectional
                        - {name: device-dir, mountPath: /dev}
                    """);

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
    private final boolean ours;
    private final Path folder;
    private final Handover handover;

    /**
     * @param labels whether its objects have the owned-by labels, which came with 4.14
     * @param ours whether our programs do the work of TopoLVM's and of the sidecars
     */
    OlderLvms(Product product, String namespace, boolean labels, boolean ours, Path folder) {
        this.product = product;
        this.namespace = namespace;
        this.labels = labels;
        this.ours = ours;
        this.folder = folder;
        this.handover = new Handover(product, namespace);
    }

    /** Installs it, and waits until its driver is registered. */
    void install() throws Exception {
        Files.createDirectories(folder);
        var image = PeerImage.make(IMAGE, PeerImage.NOBODY, programs(), folder.resolve("image"));
        for (var node : product.cluster().nodes()) {
            image.load(node);
            node.shell(
                    "ctr --namespace k8s.io images tag %s %s"
                            .formatted(Rendered.ourImage(), OUR_PROGRAMS));
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

    private Map<String, Path> programs() throws Exception {
        var busybox = Path.of("/bin/busybox");
        if (ours) {
            return Map.of("busybox", busybox);
        }
        HostProgram.run(List.of("./build.sh", "programs", "csi-provisioner", "csi-resizer"));
        var built = Programs.find();
        return Map.of(
                "hypertopolvm", Peers.find().program(Program.HYPERTOPOLVM),
                "csi-node-driver-registrar", Peers.find().program(Program.NODE_DRIVER_REGISTRAR),
                "csi-provisioner", built.sidecar("csi-provisioner"),
                "csi-resizer", built.sidecar("csi-resizer"),
                "busybox", busybox);
    }

    /** The types of LVMS as they are now, or ours, which both hold all that they did then. */
    private String definitions() throws Exception {
        if (ours) {
            try (var files = Files.list(OUR_DEFINITIONS)) {
                var texts = new ArrayList<String>();
                for (var file : files.sorted().toList()) {
                    texts.add(Files.readString(file));
                }
                return String.join("---\n", texts);
            }
        }
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
        var text =
                Files.readString(MANIFESTS)
                        .replace("ITS_NAMESPACE", namespace)
                        .replace("IMAGE", IMAGE)
                        .replace("UID", cluster.object().uid())
                        .replace("LABELS", labels ? owned : "{}")
                        .replace(
                                "GROUP_FINALIZER",
                                labels
                                        ? Names.nodeCleanupFinalizer("node1")
                                        : Names.LEGACY_VOLUME_GROUP_FINALIZER);
        return DOCUMENT.splitAsStream(text)
                .map(document -> ours ? withOurPrograms(document) : document)
                .collect(Collectors.joining("---\n"));
    }

    private String withOurPrograms(String document) {
        var object = KubeObject.of(Yaml.read(document).asObject());
        var containers = OUR_CONTAINERS.get(object.kind() + "/" + object.name());
        return containers == null
                ? document
                : Yaml.write(
                        object.with(
                                        Yaml.read(containers.formatted(OUR_PROGRAMS, namespace)),
                                        "spec",
                                        "template",
                                        "spec",
                                        "containers")
                                .json());
    }

    private void apply(String name, String text) throws Exception {
        var file = Files.writeString(folder.resolve(name + ".yaml"), text);
        product.kubectl("apply", "--server-side", "--field-manager=lvms", "-f", file.toString());
    }

    private void actAsItsOperator(String line) {
        if (line.startsWith("wait until DaemonSet " + namespace + "/vg-manager")) {
            try {
                restoreAgents();
            } catch (Exception e) {
                throw new AssertionError(line, e);
            }
        }
    }

    private void restoreAgents() throws Exception {
        var agents =
                DOCUMENT.splitAsStream(manifests())
                        .filter(text -> text.contains("\nkind: DaemonSet\n"))
                        .filter(text -> text.contains("\n  name: vg-manager\n"))
                        .collect(Collectors.joining());
        apply("agents", agents);
    }

    /** Waits until all of its pods are ready. */
    private void awaitWorkloads() throws Exception {
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
    private void awaitRegistered() throws Exception {
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

    /** Lets our operator and agents take its place. */
    void take() throws Exception {
        handover.take();
        product.patience()
                .untilNothingMissing(
                        "LVMCluster is Ready", () -> missing(LvmCluster.of(cluster())));
        requireOneNodePart(OUR_NODE_PART);
    }

    private KubeObject cluster() throws Exception {
        return product.kube().get(LvmCluster.TYPE, key());
    }

    private static String missing(LvmCluster cluster) {
        var status = cluster.object().object("status");
        return cluster.object().text("status", "state").orElse("").equals("Ready")
                ? ""
                : status.toString();
    }

    /** Gives the place back, and acts as its operator, whose program is not there. */
    void back() throws Exception {
        handover.back(this::actAsItsOperator);
        awaitWorkloads();
        awaitRegistered();
        requireOneNodePart(ITS_NODE_PART);
    }

    /** Burns the way back. */
    void confirm() throws Exception {
        handover.confirm();
    }

    /** Whoever serves the driver on the node has the only socket there, and the only pod. */
    private void requireOneNodePart(String program) throws Exception {
        var sockets = "ls /var/lib/kubelet/plugins_registry | grep topolvm";
        assertEquals("topolvm.io-reg.sock", product.cluster().node("node1").shell(sockets).strip());
        var pods = product.kube().list(Types.POD, ListOptions.all().namespace(namespace)).items();
        var serving =
                pods.stream()
                        .map(pod -> pod.json().toString())
                        .flatMap(
                                pod ->
                                        Stream.of(OUR_NODE_PART, ITS_NODE_PART)
                                                .filter(pod::contains))
                        .toList();
        assertEquals(List.of(program), serving);
    }

    /** Fails if anything of it is left but a Lease that nobody removes. */
    void requireNothingLeft() throws Exception {
        var left =
                product.kubectl("get", KINDS, "--namespace=" + namespace, "--output=name")
                        .lines()
                        .filter(name -> name.contains("topolvm"))
                        .toList();
        assertTrue(
                left.stream().allMatch("lease.coordination.k8s.io/1136b8a6.topolvm.io"::equals),
                left.toString());
    }
}
