package lvms.node.csi;

import lvms.api.LogicalVolume;
import lvms.node.volume.NodeVolumes;

import java.util.Optional;
import java.util.function.Supplier;

/** The objects of this node's volumes. Any thread may ask. */
@FunctionalInterface
interface KnownVolumes {
    /**
     * Finds the object of a volume.
     *
     * @throws CallException.Missing if this node has no such volume
     * @throws CallException.Later if that is not known yet
     */
    LogicalVolume find(VolumeId volume) throws CallException;

    /** Looks into the watched objects, which come in some time after the start. */
    static KnownVolumes of(Supplier<Optional<NodeVolumes>> watched) {
        return volume -> {
            var known = watched.get();
            var found = known.flatMap(volumes -> volumes.byVolumeId(volume.text()));
            if (found.isEmpty() && known.filter(NodeVolumes::synced).isEmpty()) {
                throw new CallException.Later("the volumes of this node are not known yet");
            }
            return found.orElseThrow(
                    () -> new CallException.Missing("this node has no volume " + volume));
        };
    }
}
