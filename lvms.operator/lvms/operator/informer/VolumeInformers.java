package lvms.operator.informer;

import lvms.k8s.informer.Informer;

/**
 * The caches that grow with the number of volumes and nodes, for everything in the process that
 * follows these types: one of each, since a second one would cost its memory and its watch again.
 *
 * @param logicalVolumes all LogicalVolumes
 * @param nodes all Nodes: metadata with labels, finalizers and capacity annotations; spec
 * @param csiNodes all CSINodes; of the drivers at least ours
 * @param storageClasses all StorageClasses
 * @param claims all PersistentVolumeClaims: at least name, {@code volume.} annotations, class,
 *     requested size and phase
 * @param volumes all PersistentVolumes: of ours at least class, claim and driver, and what is
 *     needed to tell a volume that lacks its node's label
 */
public record VolumeInformers(
        Informer logicalVolumes,
        Informer nodes,
        Informer csiNodes,
        Informer storageClasses,
        Informer claims,
        Informer volumes) {}
