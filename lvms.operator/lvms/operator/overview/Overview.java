package lvms.operator.overview;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.operator.uninstall.InstalledNamespace;
import lvms.operator.unit.NodeEligibility;
import lvms.operator.volume.ClosedClasses;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The objects of an installation as the API server has them. An empty list of an unread kind says
 * nothing.
 *
 * @param namespace where the installation is
 * @param clusters LVMClusters of all namespaces
 * @param groups LVMVolumeGroups
 * @param statuses what the nodes report about their volume groups
 * @param volumes LogicalVolumes
 * @param persistentVolumes PersistentVolumes of the driver
 * @param byHandle the same by their volume handle; of two with one handle, the first
 * @param contents VolumeSnapshotContents of the driver
 * @param nodes all nodes
 * @param csiNodes the drivers of each node
 * @param pods pods of operator and node agents
 * @param unread kinds that the caller may not read
 * @param gaps what is missing here, one line each
 * @param now when they were read
 */
public record Overview(
        String namespace,
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
        Set<ResourceType> unread,
        List<String> gaps,
        Instant now) {
    static final Driver DRIVER = Driver.TOPOLVM;

    /**
     * Reads the cluster.
     *
     * @param kube with the caller's rights
     */
    public static Overview read(KubeClient kube, InstantSource clock)
            throws ApiException, InterruptedException {
        var reads = new TolerantReads(kube);
        var clusters = reads.list(LvmCluster.TYPE, ListOptions.all(), LvmCluster::of);
        var persistentVolumes =
                sorted(reads.list(Types.PV, ListOptions.all())).stream()
                        .filter(pv -> isOurs(pv.text("spec", "csi", "driver")))
                        .toList();
        var namespace =
                InstalledNamespace.find(
                        kube, clusters.stream().map(LvmCluster::namespace).toList());
        var inside = ListOptions.all().namespace(namespace);
        return new Overview(
                namespace,
                clusters,
                reads.list(LvmVolumeGroup.TYPE, inside, LvmVolumeGroup::of).stream()
                        .sorted(Comparator.comparing(LvmVolumeGroup::name))
                        .toList(),
                reads
                        .list(LvmVolumeGroupNodeStatus.TYPE, inside, LvmVolumeGroupNodeStatus::of)
                        .stream()
                        .sorted(Comparator.comparing(LvmVolumeGroupNodeStatus::node))
                        .toList(),
                sorted(reads.list(LogicalVolume.TYPE, ListOptions.all())).stream()
                        .map(LogicalVolume::tolerant)
                        .toList(),
                persistentVolumes,
                persistentVolumes.stream()
                        .collect(Collectors.toMap(Overview::handle, pv -> pv, (a, _) -> a)),
                reads.listIfServed(Types.VOLUME_SNAPSHOT_CONTENT).stream()
                        .filter(content -> isOurs(content.text("spec", "driver")))
                        .toList(),
                sorted(reads.list(Types.NODE, ListOptions.all())),
                reads.list(Types.CSI_NODE, ListOptions.all()),
                sorted(reads.list(Types.POD, inside)).stream()
                        .flatMap(pod -> ProductPod.of(pod).stream())
                        .toList(),
                reads.unread(),
                reads.gaps(),
                clock.instant());
    }

    private static boolean isOurs(Optional<String> driver) {
        return driver.filter(DRIVER.name()::equals).isPresent();
    }

    private static List<KubeObject> sorted(List<KubeObject> objects) {
        return objects.stream().sorted(Comparator.comparing(KubeObject::name)).toList();
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

    /** Whether kubelet has the driver on the node. */
    boolean registered(String node) {
        return csiNodes.stream()
                .filter(csi -> csi.name().equals(node))
                .flatMap(csi -> csi.objects("spec", "drivers").stream())
                .anyMatch(driver -> isOurs(driver.text("name")));
    }

    /** Whether an LVMCluster wants an agent on the node, and waits for it. */
    boolean wanted(KubeObject node) {
        return clusters.stream()
                .map(c -> NodeEligibility.of(node, c.tolerations(), c.nodeSelector()))
                .anyMatch(NodeEligibility.VALID::equals);
    }

    Optional<ProductPod> agentOn(String node) {
        return pods.stream().filter(pod -> pod.isAgent() && pod.node().equals(node)).findFirst();
    }

    /** What a node says it has free for a class, in bytes. */
    OptionalLong free(String node, String deviceClass) {
        return node(node)
                .flatMap(n -> n.annotation(DRIVER.capacityAnnotation(deviceClass)))
                .filter(text -> text.matches("\\d{1,18}"))
                .map(text -> OptionalLong.of(Long.parseLong(text)))
                .orElse(OptionalLong.empty());
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
