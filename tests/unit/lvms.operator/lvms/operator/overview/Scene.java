package lvms.operator.overview;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.LogicalVolume;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.nativestor.RawDevice;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;
import lvms.operator.claim.Claim;
import lvms.operator.claim.StorageClass;
import lvms.tests.support.Nodes;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A small cluster, written as YAML. Two nodes: n1 works, n2 is what a test says. */
public final class Scene {
    static final Instant NOW = Instant.parse("2026-01-02T12:00:00Z");
    private final List<KubeObject> objects = new ArrayList<>();
    private Set<ResourceType> unread = Set.of();
    private boolean served = true;
    private Installation installation = Installation.ofOperator("lvms-system");

    /** An operator, an LVMCluster with the class ssd, and its agent on n1. */
    public static Scene working() {
        return new Scene()
                .with(
                        """
                        kind: LVMCluster
                        metadata: {name: my, namespace: lvms-system}
                        spec: {storage: {deviceClasses: [{name: ssd}]}}
                        status:
                          state: Ready
                          conditions:
                            - type: VolumeGroupsReady
                              status: "True"
                              reason: R
                              message: m
                              lastTransitionTime: "2026-01-02T11:00:00Z"
                        """)
                .pod("operator-0", "lvms-operator", "n1", "lvms:1", true)
                .pod("agent-1", "vg-manager", "n1", "lvms:1", true)
                .node("n1", true, "1073741824")
                .with(
                        """
                        kind: CSINode
                        metadata: {name: n1}
                        spec: {drivers: [{name: topolvm.io, nodeID: n1}]}
                        """)
                .group("n1", "{name: ssd, status: Ready, devices: [/dev/sdb]}")
                .with(
                        """
                        kind: StorageClass
                        metadata: {name: lvms-ssd}
                        provisioner: topolvm.io
                        volumeBindingMode: WaitForFirstConsumer
                        parameters: {topolvm.io/device-class: ssd}
                        """);
    }

    /**
     * A release of the chart's TopoLVM side: its controller, and its agent on n1 with class ssd.
     */
    public static Scene topolvm() {
        var scene =
                new Scene()
                        .with(
                                "kind: CSIDriver\n"
                                        + "metadata: {name: topolvm.io}\n"
                                        + "spec: {attachRequired: false}")
                        .workload("Deployment", "topolvm-controller", "controller", CONTROLLER)
                        .workload("DaemonSet", "topolvm-node", "node", AGENT)
                        .topolvmPod("topolvm-controller-0", "controller", CONTROLLER, true)
                        .topolvmPod("topolvm-node-1", "node", AGENT, true)
                        .node("n1", true, "1073741824")
                        .with(
                                """
                                kind: CSINode
                                metadata: {name: n1}
                                spec: {drivers: [{name: topolvm.io, nodeID: n1}]}
                                """);
        scene.installation =
                new Installation(Installation.Form.TOPOLVM, "topolvm-system", Driver.TOPOLVM);
        return scene;
    }

    /** The old driver, which we serve: a mark names the group of its LogicalVolumes. */
    Scene oldDriver(String group) {
        return with(
                """
                kind: CSIDriver
                metadata:
                  name: topolvm.cybozu.com
                  annotations: {topolvm.io/logicalvolumes-in: %s}
                spec: {attachRequired: false}
                """
                        .formatted(group));
    }

    /** The old driver, which somebody else serves. */
    Scene foreignOldDriver() {
        return with(
                """
                kind: CSIDriver
                metadata: {name: topolvm.cybozu.com}
                spec: {attachRequired: false}
                """);
    }

    private static final String CONTROLLER =
            "{name: topolvm-controller, image: 'lvms:1',"
                    + " command: [/topolvm-controller, --own-sidecars]}";
    private static final String AGENT =
            "{name: topolvm-node, image: 'lvms:1',"
                    + " command: [/topolvm-node, --own-sidecars, --embed-lvmd]}";

    private static String labels(String component) {
        return "{app.kubernetes.io/component: "
                + component
                + ", app.kubernetes.io/name: topolvm, app.kubernetes.io/instance: topolvm}";
    }

    private Scene workload(String kind, String name, String component, String container) {
        var labels = labels(component);
        return with(
                """
                kind: %s
                metadata: {name: %s, namespace: topolvm-system, labels: %s}
                spec:
                  selector: {matchLabels: %s}
                  template:
                    metadata: {labels: %s}
                    spec: {containers: [%s]}
                """
                        .formatted(kind, name, labels, labels, labels, container));
    }

    Scene topolvmPod(String name, String component, String container, boolean ready) {
        return with(
                """
                kind: Pod
                metadata: {name: %s, namespace: topolvm-system, labels: %s}
                spec: {nodeName: n1, containers: [{name: mesh, image: "mesh:1"}, %s]}
                status: {conditions: [{type: Ready, status: "%s"}]}
                """
                        .formatted(name, labels(component), container, ready ? "True" : "False"));
    }

    public Scene with(String yaml) {
        objects.add(KubeObject.of(Yaml.read(yaml).asObject()));
        return this;
    }

    Scene without(String kind, String name) {
        objects.removeIf(o -> o.kind().equals(kind) && o.name().equals(name));
        return this;
    }

    Scene unread(ResourceType... types) {
        unread = Set.of(types);
        for (var type : types) {
            objects.removeIf(o -> o.kind().equals(type.kind()));
        }
        return this;
    }

    public Scene node(String name, boolean ready, String free) {
        return with(
                """
                kind: Node
                metadata: {name: %s, annotations: {capacity.topolvm.io/ssd: "%s"}}
                status: {conditions: [{type: Ready, status: "%s"}]}
                """
                        .formatted(name, free, ready ? "True" : "Unknown"));
    }

    public Scene pod(String name, String program, String node, String image, boolean ready) {
        return with(
                """
                kind: Pod
                metadata:
                  name: %s
                  namespace: lvms-system
                  labels: {app.kubernetes.io/name: %s}
                spec: {nodeName: %s, containers: [{name: c, image: "%s"}]}
                status:
                  conditions: [{type: Ready, status: "%s"}]
                  containerStatuses:
                    - name: c
                      state: %s
                """
                        .formatted(
                                name,
                                program,
                                node,
                                image,
                                ready ? "True" : "False",
                                ready
                                        ? "{running: {}}"
                                        : "{waiting: {reason: ErrImagePull, message: no such"
                                                + " image}}"));
    }

    public Scene group(String node, String groups) {
        return with(
                "kind: LVMVolumeGroupNodeStatus\n"
                        + ("metadata: {name: " + node + ", namespace: lvms-system}\n")
                        + ("spec: {nodeStatus: [" + groups + "]}\n"));
    }

    public Scene volume(String name, String node, String status) {
        return with(
                """
                apiVersion: topolvm.io/v1
                kind: LogicalVolume
                metadata: {name: %s, uid: %s-uid, creationTimestamp: "2026-01-02T11:00:00Z"}
                spec: {name: %s, nodeName: %s, size: 1Gi, deviceClass: ssd}
                status: %s
                """
                        .formatted(name, name, name, node, status));
    }

    public Scene persistentVolume(String name, String handle, String phase, String claim) {
        return persistentVolume(name, handle, phase, claim, "topolvm.io");
    }

    public Scene persistentVolume(
            String name, String handle, String phase, String claim, String driver) {
        return with(
                """
                kind: PersistentVolume
                metadata: {name: %s}
                spec:
                  capacity: {storage: 1Gi}
                  accessModes: [ReadWriteOnce]
                  csi: {driver: %s, volumeHandle: %s}
                  claimRef: {namespace: default, name: %s}
                status: {phase: %s, lastPhaseTransitionTime: "2026-01-02T09:00:00Z"}
                """
                        .formatted(name, driver, handle, claim, phase));
    }

    private List<KubeObject> all(String kind) {
        return objects.stream().filter(o -> o.kind().equals(kind)).toList();
    }

    /** Without the types of NativeStor. */
    Scene withoutNativeStor() {
        served = false;
        return this;
    }

    public Overview overview() {
        var pvs = all("PersistentVolume");
        var drivers = Drivers.registered(all("CSIDriver"));
        return new Overview(
                installation,
                drivers,
                Drivers.oldServed(all("CSIDriver")),
                all("LVMCluster").stream().map(LvmCluster::of).toList(),
                all("LVMVolumeGroup").stream().map(LvmVolumeGroup::of).toList(),
                all("LVMVolumeGroupNodeStatus").stream().map(LvmVolumeGroupNodeStatus::of).toList(),
                all("LogicalVolume").stream().map(LogicalVolume::tolerant).toList(),
                pvs.stream().filter(pv -> drivers.ofVolume(pv).isPresent()).toList(),
                pvs.stream().collect(Collectors.toMap(Overview::handle, pv -> pv, (a, _) -> a)),
                all("VolumeSnapshotContent"),
                all("Node"),
                all("CSINode"),
                ProductPod.of(all("Pod")),
                new NativeStorOverview(
                        all("TopolvmCluster").stream().map(TopolvmCluster::of).toList(),
                        all("RawDevice").stream().map(RawDevice::of).toList(),
                        served),
                unread,
                List.of(),
                NOW);
    }

    /** The explanation of the only claim. */
    Explanation explanation() {
        Predicate<KubeObject> user = pod -> !pod.objects("spec", "volumes").isEmpty();
        return ClaimExplanation.of(
                new ClaimSurroundings(
                        new Claim(all("PersistentVolumeClaim").getFirst()),
                        all("StorageClass").stream().map(StorageClass::of).toList(),
                        all("Pod").stream().filter(user).toList(),
                        all("Event"),
                        overview(),
                        unread,
                        List.of()));
    }

    /** Writes everything to a server, status included. */
    public void create(KubeClient kube) throws Exception {
        for (var object : objects) {
            var type = TYPES.stream().filter(t -> t.kind().equals(object.kind())).findFirst();
            var typed = object.with(type.orElseThrow().apiVersion(), "apiVersion");
            var made = typed.without("status").without("metadata", "uid");
            if (type.get() == Types.NODE) {
                Nodes.create(kube, made);
            } else {
                kube.create(type.get(), made);
            }
            var status = object.object("status");
            if (status.isPresent()) {
                var patch = KubeObject.of(ObjectTree.EMPTY).with(status.get(), "status");
                kube.mergePatchStatus(type.get(), object.key(), patch.json());
            }
        }
    }

    private static final List<ResourceType> TYPES =
            List.of(
                    LvmCluster.TYPE,
                    LvmVolumeGroupNodeStatus.TYPE,
                    LogicalVolume.TYPE,
                    Types.PV,
                    Types.NODE,
                    Types.CSI_NODE,
                    Types.CSI_DRIVER,
                    Types.DEPLOYMENT,
                    Types.DAEMON_SET,
                    Types.POD,
                    Types.STORAGE_CLASS);

    static ObjectKey claim() {
        return ObjectKey.of("default", "data");
    }
}
