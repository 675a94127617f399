package lvms.operator.overview;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.LogicalVolume;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.operator.unit.NodeEligibility;
import lvms.operator.volume.ClosedClasses;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The objects of an installation as the API server has them. An empty list of an unread kind says
 * nothing.
 *
 * @param installation what is installed, and where
 * @param drivers the drivers whose volumes are in the cluster
 * @param oldServed the old one of them, if a mark says that we serve it
 * @param clusters LVMClusters of all namespaces
 * @param groups LVMVolumeGroups
 * @param statuses what the nodes report about their volume groups
 * @param volumes LogicalVolumes
 * @param persistentVolumes PersistentVolumes of these drivers
 * @param byHandle those of any driver by their volume handle; of two with one handle, the first
 * @param contents VolumeSnapshotContents of any driver
 * @param nodes all nodes
 * @param csiNodes the drivers of each node
 * @param pods pods of operator and node agents
 * @param nativeStor what users of NativeStor have besides
 * @param unread kinds that the caller may not read
 * @param gaps what is missing here, one line each
 * @param now when they were read
 */
public record Overview(
        Installation installation,
        Drivers drivers,
        Optional<Driver> oldServed,
        List<LvmCluster> clusters,
        List<LvmVolumeGroup> groups,
        List<LvmVolumeGroupNodeStatus> statuses,
        List<LogicalVolume> volumes,
        List<KubeObject> persistentVolumes,
        Map<String, KubeObject> byHandle,
        List<KubeObject> contents,
        List<KubeObject> nodes,
        List<KubeObject> csiNodes,
        List<ProductPod> pods,
        NativeStorOverview nativeStor,
        Set<ResourceType> unread,
        List<String> gaps,
        Instant now) {
    /** Kinds that TopoLVM's programs do without. */
    static final List<ResourceType> OPERATORS =
            List.of(LvmCluster.TYPE, LvmVolumeGroup.TYPE, LvmVolumeGroupNodeStatus.TYPE);

    /**
     * Reads the cluster.
     *
     * @param kube with the caller's rights
     */
    public static Overview read(KubeClient kube, InstantSource clock)
            throws ApiException, InterruptedException {
        var reads = new TolerantReads(kube);
        var clusters = reads.listIfServed(LvmCluster.TYPE, ListOptions.all(), LvmCluster::of);
        var installation = Installation.find(kube, reads, clusters);
        if (!installation.isTopolvm()) {
            for (var type : OPERATORS) {
                reads.requireAny(List.of(type));
            }
        }
        var csiDrivers = reads.list(Types.CSI_DRIVER, ListOptions.all());
        var drivers = Drivers.registered(csiDrivers);
        var persistentVolumes = sorted(reads.list(Types.PV, ListOptions.all()));
        var inside = ListOptions.all().namespace(installation.namespace());
        return new Overview(
                installation,
                drivers,
                Drivers.oldServed(csiDrivers),
                clusters,
                reads.listIfServed(LvmVolumeGroup.TYPE, inside, LvmVolumeGroup::of).stream()
                        .sorted(Comparator.comparing(LvmVolumeGroup::name))
                        .toList(),
                reads
                        .listIfServed(
                                LvmVolumeGroupNodeStatus.TYPE, inside, LvmVolumeGroupNodeStatus::of)
                        .stream()
                        .sorted(Comparator.comparing(LvmVolumeGroupNodeStatus::node))
                        .toList(),
                volumes(reads, drivers),
                persistentVolumes.stream().filter(pv -> drivers.ofVolume(pv).isPresent()).toList(),
                byHandle(persistentVolumes),
                reads.listIfServed(Types.VOLUME_SNAPSHOT_CONTENT),
                sorted(reads.list(Types.NODE, ListOptions.all())),
                reads.list(Types.CSI_NODE, ListOptions.all()),
                ProductPod.of(sorted(reads.list(Types.POD, inside))),
                installation.isTopolvm() ? NativeStorOverview.NONE : NativeStorOverview.read(reads),
                reads.unread(),
                reads.gaps(),
                clock.instant());
    }

    private static List<LogicalVolume> volumes(TolerantReads reads, Drivers drivers)
            throws ApiException, InterruptedException {
        var found = new ArrayList<LogicalVolume>();
        for (var type : drivers.logicalVolumes()) {
            found.addAll(
                    reads.listIfServed(type, ListOptions.all(), LogicalVolume::tolerant).stream()
                            .sorted(Comparator.comparing(LogicalVolume::name))
                            .toList());
        }
        if (found.isEmpty()) {
            reads.requireAny(drivers.logicalVolumes());
        }
        return List.copyOf(found);
    }

    private static Map<String, KubeObject> byHandle(List<KubeObject> persistentVolumes) {
        return persistentVolumes.stream()
                .filter(pv -> !handle(pv).isEmpty())
                .collect(Collectors.toMap(Overview::handle, pv -> pv, (a, _) -> a));
    }

    private static List<KubeObject> sorted(List<KubeObject> objects) {
        return objects.stream().sorted(Comparator.comparing(KubeObject::name)).toList();
    }

    public String namespace() {
        return installation.namespace();
    }

    /** Whether everything of these kinds was read. */
    boolean knows(ResourceType... types) {
        return Set.of(types).stream().noneMatch(unread::contains);
    }

    Optional<KubeObject> node(String name) {
        return nodes.stream().filter(node -> node.name().equals(name)).findFirst();
    }

    static boolean ready(KubeObject node) {
        return node.condition("Ready").map(Condition::holds).orElse(false);
    }

    /** The drivers that kubelet has on the node. */
    Set<Driver> registered(String node) {
        return csiNodes.stream()
                .filter(csi -> csi.name().equals(node))
                .flatMap(csi -> csi.objects("spec", "drivers").stream())
                .flatMap(driver -> driver.text("name").flatMap(drivers::named).stream())
                .collect(Collectors.toSet());
    }

    /** Whether the operator carries TopolvmClusters out. */
    public boolean obeysNativeStor() {
        return pods.stream()
                .filter(pod -> pod.program().equals(Names.OPERATOR))
                .flatMap(pod -> pod.object().objects("spec", "containers").stream())
                .anyMatch(container -> container.texts("args").contains(NativeStorOverview.FLAG));
    }

    /** Whether a cluster wants an agent on the node, or a DaemonSet of TopoLVM has one there. */
    boolean wanted(KubeObject node) {
        return installation.isTopolvm()
                ? agentOn(node.name()).isPresent()
                : clusters.stream()
                                .map(
                                        c ->
                                                NodeEligibility.of(
                                                        node, c.tolerations(), c.nodeSelector()))
                                .anyMatch(NodeEligibility.VALID::equals)
                        || nativeStor.wants(namespace(), node.name());
    }

    Optional<ProductPod> agentOn(String node) {
        return pods.stream().filter(pod -> pod.isAgent() && pod.node().equals(node)).findFirst();
    }

    /** What a node says it has free for a class, in bytes. */
    OptionalLong free(String node, String deviceClass) {
        return node(node).stream()
                .flatMap(n -> drivers.all().stream().flatMap(d -> capacity(n, d, deviceClass)))
                .findFirst()
                .filter(text -> text.matches("\\d{1,18}"))
                .map(text -> OptionalLong.of(Long.parseLong(text)))
                .orElse(OptionalLong.empty());
    }

    private static Stream<String> capacity(KubeObject node, Driver driver, String deviceClass) {
        return node.annotation(driver.capacityAnnotation(deviceClass)).stream();
    }

    /** The classes that a node announces by its annotations, in order; not the default's alias. */
    List<String> announced(KubeObject node) {
        return node.annotations().keySet().stream()
                .flatMap(key -> drivers.all().stream().flatMap(d -> d.classOf(key).stream()))
                .filter(name -> !name.equals(Driver.DEFAULT_CLASS_KEY))
                .distinct()
                .sorted()
                .toList();
    }

    /** Whether a new volume of this size has room on a node. */
    boolean fits(String node, String deviceClass, long bytes) {
        return free(node, deviceClass).orElse(-1) >= bytes && !closed(node, deviceClass);
    }

    /** Whether a person wants no new volumes of a class on a node. */
    boolean closed(String node, String deviceClass) {
        return node(node).filter(n -> ClosedClasses.closed(n, deviceClass)).isPresent();
    }

    List<LogicalVolume> volumesOf(String node, String deviceClass) {
        return volumes.stream()
                .filter(v -> v.spec().nodeName().equals(node))
                .filter(v -> v.spec().deviceClass().equals(deviceClass))
                .toList();
    }

    Optional<KubeObject> persistentVolumeOf(LogicalVolume volume) {
        return Optional.ofNullable(byHandle.get(volume.volumeName()));
    }

    /** The LogicalVolume that a PersistentVolume stands for. */
    Optional<LogicalVolume> volumeOf(KubeObject persistentVolume) {
        return LogicalVolume.withId(volumes, handle(persistentVolume)).stream().findFirst();
    }

    /** The name in LVM of the volume that a PersistentVolume stands for. */
    static String handle(KubeObject persistentVolume) {
        return persistentVolume.text("spec", "csi", "volumeHandle").orElse("");
    }

    /** The claim that a PersistentVolume has or had last, {@code namespace/name}. */
    static Optional<String> claimOf(KubeObject volume) {
        return volume.object("spec", "claimRef")
                .map(ref -> ref.text("namespace").orElse("") + "/" + ref.text("name").orElse(""));
    }

    Duration age(KubeObject object) {
        return since(object.creationTimestamp());
    }

    Duration since(Optional<Instant> time) {
        return time.map(t -> Duration.between(t, now)).orElse(Duration.ZERO);
    }
}
