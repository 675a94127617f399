package lvms.operator.topolvmcluster.rule;

import lvms.api.nativestor.ClusterStorage;

/**
 * Which parts of a TopolvmCluster's storage count. It is chosen as NativeStor chose it, so whoever
 * comes from there keeps the volume groups that he has.
 */
public enum StorageShape {
    /** Every node, every device. */
    ALL_DEVICES,
    /** Every node, the same devices. */
    SAME_DEVICES,
    /**
     * The listed nodes, but {@code storage.devices} with one class and volume group for all of
     * them: what NativeStor made of both lists in one object.
     */
    SAME_DEVICES_OF_LISTED_NODES,
    /** The classes of each listed node. */
    LISTED_CLASSES,
    /** Nothing that could be carried out. */
    NONE;

    public static StorageShape of(ClusterStorage storage) {
        if (storage.useAllDevices()) {
            return storage.useAllNodes() ? ALL_DEVICES : NONE;
        }
        if (storage.devices().isPresent()) {
            if (storage.useAllNodes()) {
                return SAME_DEVICES;
            }
            return storage.deviceClasses().isPresent() ? SAME_DEVICES_OF_LISTED_NODES : NONE;
        }
        return storage.deviceClasses().isPresent() && !storage.useAllNodes()
                ? LISTED_CLASSES
                : NONE;
    }

    /** Returns whether one class and volume group, named beside the devices, is for all nodes. */
    public boolean oneClass() {
        return this == ALL_DEVICES || this == SAME_DEVICES || this == SAME_DEVICES_OF_LISTED_NODES;
    }

    /** Returns whether it is for every node. */
    public boolean allNodes() {
        return this == ALL_DEVICES || this == SAME_DEVICES;
    }
}
