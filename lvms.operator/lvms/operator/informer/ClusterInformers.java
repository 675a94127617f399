package lvms.operator.informer;

import com.google.gson.JsonObject;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.k8s.client.KubeClient;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the controllers follow. Each may be shared with others.
 *
 * @param clusters LVMClusters of all namespaces, to tell people when one lies in a wrong place
 * @param volumeGroups LVMVolumeGroups of the operator's namespace
 * @param nodeStatuses LVMVolumeGroupNodeStatuses of the operator's namespace
 * @param daemonSets DaemonSets of the operator's namespace
 * @param logicalVolumes all LogicalVolumes
 * @param nodes all nodes: metadata with labels, finalizers and capacity annotations; taints
 * @param csiNodes all CSINodes
 * @param csiDrivers all CSIDrivers
 * @param storageClasses all StorageClasses
 * @param claims all PersistentVolumeClaims: metadata, class, requested size, phase
 * @param volumes all PersistentVolumes: metadata, class, claim, driver, node affinity
 */
public record ClusterInformers(
        Informer clusters,
        Informer volumeGroups,
        Informer nodeStatuses,
        Informer daemonSets,
        Informer logicalVolumes,
        Informer nodes,
        Informer csiNodes,
        Informer csiDrivers,
        Informer storageClasses,
        Informer claims,
        Informer volumes) {
    /** Returns informers of their own, not started yet. */
    public static ClusterInformers of(KubeClient kube, String namespace) {
        var own =
                new VolumeInformers(
                        everywhere(kube, LogicalVolume.TYPE),
                        Informer.of(kube, Types.NODE).transform(ClusterInformers::trimNode).build(),
                        everywhere(kube, Types.CSI_NODE),
                        everywhere(kube, Types.STORAGE_CLASS),
                        Informer.of(kube, Types.PVC).transform(ClusterInformers::trimClaim).build(),
                        Informer.of(kube, Types.PV)
                                .transform(ClusterInformers::trimVolume)
                                .build());
        return of(kube, namespace, own);
    }

    /** Returns informers, not started yet, of which those of volumes are shared with others. */
    public static ClusterInformers of(KubeClient kube, String namespace, VolumeInformers shared) {
        return new ClusterInformers(
                everywhere(kube, LvmCluster.TYPE),
                within(kube, LvmVolumeGroup.TYPE, namespace),
                within(kube, LvmVolumeGroupNodeStatus.TYPE, namespace),
                within(kube, Types.DAEMON_SET, namespace),
                shared.logicalVolumes(),
                shared.nodes(),
                shared.csiNodes(),
                everywhere(kube, Types.CSI_DRIVER),
                shared.storageClasses(),
                shared.claims(),
                shared.volumes());
    }

    private static Informer everywhere(KubeClient kube, ResourceType type) {
        return Informer.of(kube, type).transform(ClusterInformers::trim).build();
    }

    private static Informer within(KubeClient kube, ResourceType type, String namespace) {
        return Informer.of(kube, type)
                .namespace(namespace)
                .transform(ClusterInformers::trim)
                .build();
    }

    private static KubeObject trim(KubeObject object) {
        return object.without("metadata", "managedFields");
    }

    /** Drops what nobody here reads; the status of a Node, with its images, is most of it. */
    public static KubeObject trimNode(KubeObject node) {
        var spec = new JsonObject();
        node.value("spec", "taints").ifPresent(taints -> spec.add("taints", taints));
        var annotations = new JsonObject();
        for (Map.Entry<String, String> entry : node.annotations().entrySet()) {
            if (entry.getKey().startsWith(Driver.TOPOLVM.capacityPrefix())) {
                annotations.addProperty(entry.getKey(), entry.getValue());
            }
        }
        return trim(node)
                .without("status")
                .with(spec, "spec")
                .with(annotations, "metadata", "annotations");
    }

    public static KubeObject trimClaim(KubeObject claim) {
        return keep(
                trim(claim),
                List.of(
                        List.of("spec", "storageClassName"),
                        List.of("spec", "resources"),
                        List.of("status", "phase")));
    }

    public static KubeObject trimVolume(KubeObject volume) {
        return keep(
                trim(volume),
                List.of(
                        List.of("spec", "storageClassName"),
                        List.of("spec", "claimRef"),
                        List.of("spec", "csi", "driver"),
                        List.of("spec", "nodeAffinity")));
    }

    private static KubeObject keep(KubeObject object, List<List<String>> paths) {
        var kept = object.without("spec").without("status");
        for (var path : paths) {
            var steps = path.toArray(String[]::new);
            var value = object.value(steps);
            if (value.isPresent()) {
                kept = kept.with(value.get(), steps);
            }
        }
        return kept;
    }

    /** Returns all of them. */
    public List<Informer> all() {
        return Stream.of(
                        clusters,
                        volumeGroups,
                        nodeStatuses,
                        daemonSets,
                        logicalVolumes,
                        nodes,
                        csiNodes,
                        csiDrivers,
                        storageClasses,
                        claims,
                        volumes)
                .toList();
    }
}
