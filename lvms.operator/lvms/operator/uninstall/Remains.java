package lvms.operator.uninstall;

import lvms.api.Drivers;
import lvms.api.LogicalVolume;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is left of an installation, as the API server says.
 *
 * @param namespace where the installation is
 * @param foreign whether the CSIDriver, and so every volume, is another installation's
 * @param installed objects that the manifests name
 * @param missing objects that the manifests name and that do not exist
 * @param guard policies and bindings of the guard
 * @param clusters LVMClusters
 * @param groups LVMVolumeGroups
 * @param statuses LVMVolumeGroupNodeStatuses
 * @param logicalVolumes LogicalVolumes
 * @param volumes PersistentVolumes of the drivers
 * @param contents VolumeSnapshotContents of the driver
 * @param snapshots VolumeSnapshots of the driver that restores keep from being deleted
 * @param claims claims of these volumes, and of StorageClasses of the driver
 * @param pods pods with volumes
 * @param agents pods of operator and node agents
 * @param daemonSets the DaemonSet of the node agents, if it exists
 * @param classes StorageClasses, VolumeSnapshotClasses, the CSIDriver and the
 *     SecurityContextConstraints that an LVMCluster made
 * @param nodes all nodes
 * @param registrations CSINodes that name the driver
 * @param drivers the driver, the old one if its volumes were converted, and that of raw devices
 * @param marks what agents may have left on nodes
 * @param nativeStor what users of NativeStor have besides
 */
record Remains(
        String namespace,
        boolean foreign,
        List<Item> installed,
        List<Manifests.Entry> missing,
        List<Item> guard,
        List<Item> clusters,
        List<Item> groups,
        List<Item> statuses,
        List<Item> logicalVolumes,
        List<Item> volumes,
        List<Item> contents,
        List<Item> snapshots,
        List<Item> claims,
        List<KubeObject> pods,
        List<Item> agents,
        List<Item> daemonSets,
        List<Item> classes,
        List<Item> nodes,
        List<Item> registrations,
        Drivers drivers,
        NodeMarks marks,
        NativeStorRemains nativeStor) {

    /** Objects that have to go before what is needed for it may go. */
    List<Item> unfinished() {
        return Stream.of(
                        contents,
                        volumes,
                        logicalVolumes,
                        groups,
                        statuses,
                        clusters,
                        nativeStor.clusters())
                .flatMap(List::stream)
                .toList();
    }

    /** Returns the LVMVolumeGroups that a cluster made. */
    List<Item> groupsOf(Item cluster) {
        return groups.stream()
                .filter(
                        group ->
                                group.object().ownerReferences().stream()
                                        .anyMatch(o -> o.uid().equals(cluster.object().uid())))
                .toList();
    }

    /** Returns why no node agent can ever work here again; empty if one can. */
    Optional<String> doom() {
        return installed.stream()
                .filter(item -> item.type() == Types.NAMESPACE || item.type() == Types.CRD)
                .filter(item -> item.object().terminating())
                .findFirst()
                .map(item -> item.text() + " is being deleted");
    }

    /** Returns the claim that holds a volume: the very one, not another of its name. */
    Optional<Item> claimOf(Item volume) {
        var uid = volume.object().text("spec", "claimRef", "uid").orElse("");
        return claims.stream().filter(claim -> claim.object().uid().equals(uid)).findFirst();
    }

    /** Whether no claim has or had a volume: nothing removes what it stands for when it goes. */
    boolean isUnbound(Item volume) {
        var phase = volume.object().text("status", "phase").orElse("");
        return claimOf(volume).isEmpty() && !phase.equals("Bound") && !phase.equals("Released");
    }

    /** Returns the LogicalVolume that a PersistentVolume stands for. */
    Optional<Item> behind(Item volume) {
        var handle = volume.object().text("spec", "csi", "volumeHandle").orElse("");
        var all = logicalVolumes.stream().map(Remains::volume).toList();
        var uids = LogicalVolume.withId(all, handle).stream().map(LogicalVolume::uid).toList();
        return logicalVolumes.stream()
                .filter(item -> uids.contains(item.object().uid()))
                .findFirst();
    }

    /** Returns the pods that use the claim that a volume names, even one that is gone. */
    List<String> usersOf(Item volume) {
        var namespace = volume.object().text("spec", "claimRef", "namespace").orElse("");
        var name = volume.object().text("spec", "claimRef", "name").orElse("");
        return pods.stream()
                .filter(pod -> pod.namespace().equals(namespace) && uses(pod, name))
                .map(pod -> pod.key().toString())
                .toList();
    }

    private static boolean uses(KubeObject pod, String claim) {
        return pod.objects("spec", "volumes").stream()
                .anyMatch(
                        volume ->
                                volume.text("persistentVolumeClaim", "claimName")
                                                .filter(claim::equals)
                                                .isPresent()
                                        || volume.object("ephemeral").isPresent()
                                                && claim.equals(
                                                        pod.name()
                                                                + "-"
                                                                + volume.text("name").orElse("")));
    }

    /** Returns the LogicalVolumes that no PersistentVolume and no snapshot's content names. */
    List<Item> orphans() {
        var named =
                Stream.concat(
                                volumes.stream()
                                        .map(v -> v.object().text("spec", "csi", "volumeHandle")),
                                contents.stream()
                                        .map(c -> c.object().text("status", "snapshotHandle")))
                        .flatMap(Optional::stream)
                        .collect(Collectors.toSet());
        return logicalVolumes.stream()
                .filter(item -> !item.object().terminating())
                .filter(item -> !named.contains(volume(item).status().volumeId()))
                .toList();
    }

    static LogicalVolume volume(Item item) {
        return LogicalVolume.tolerant(item.object());
    }

    /** Returns the nodes that exist, and whether they are ready. */
    Map<String, Boolean> readiness() {
        return nodes.stream().collect(Collectors.toMap(Item::name, Remains::ready));
    }

    private static boolean ready(Item node) {
        return node.object().condition("Ready").map(Condition::holds).orElse(true);
    }

    /** Returns the nodes whose disks hold a volume or a group. */
    Set<String> nodesInUse() {
        var ofVolumes = logicalVolumes.stream().map(item -> volume(item).spec().nodeName());
        var ofGroups = groups.stream().flatMap(item -> Marks.nodesOf(item.object()).stream());
        return Stream.concat(ofVolumes, ofGroups)
                .filter(Predicate.not(String::isEmpty))
                .collect(Collectors.toCollection(java.util.TreeSet::new));
    }
}
