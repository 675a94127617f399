package lvms.node.csi;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.k8s.client.ApiException;
import lvms.node.volume.NodeVolumes;

import java.util.Optional;
import java.util.function.Supplier;

/** The objects of this node's volumes. Any thread may ask. */
@FunctionalInterface
public interface KnownVolumes {
    /**
     * Finds the object of a volume.
     *
     * @throws VolumeException NOT_FOUND if this node has no such volume
     * @throws VolumeException ABORTED if that is not known yet
     */
    LogicalVolume find(VolumeId volume) throws VolumeException, InterruptedException;

    /** Looks among the watched objects, which are not known right after the start. */
    static KnownVolumes of(Supplier<Optional<NodeVolumes>> watched) {
        return volume -> {
            var known = watched.get();
            var found =
                    known.isEmpty() ? Optional.<LogicalVolume>empty() : find(known.get(), volume);
            if (found.isEmpty() && known.filter(NodeVolumes::synced).isEmpty()) {
                throw new VolumeException(
                        StatusCode.ABORTED, "the volumes of this node are not known yet");
            }
            return found.orElseThrow(
                    () ->
                            new VolumeException(
                                    StatusCode.NOT_FOUND, "this node has no volume " + volume));
        };
    }

    private static Optional<LogicalVolume> find(NodeVolumes known, VolumeId volume)
            throws VolumeException, InterruptedException {
        try {
            return known.find(volume.text());
        } catch (ApiException e) {
            throw new VolumeException(
                    StatusCode.ABORTED, "volume " + volume + " not read: " + e.getMessage());
        }
    }
}
