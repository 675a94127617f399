package lvms.node.csi;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.k8s.client.ApiException;
import lvms.node.volume.NodeVolumes;

import java.time.Duration;
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

    /**
     * Takes away a person's permission to make a filesystem on a volume, which counts once.
     *
     * @throws VolumeException ABORTED if it could not be taken away, as where objects are only read
     */
    default void takePermission(VolumeId volume) throws VolumeException, InterruptedException {
        throw new VolumeException(
                StatusCode.ABORTED, "the object of volume " + volume + " cannot be changed");
    }

    /** Waits until the objects are known, but not forever. */
    default void await(Duration patience) throws InterruptedException {}

    /** Looks among the watched objects, which are not known right after the start. */
    static KnownVolumes of(Supplier<Optional<NodeVolumes>> watched) {
        return new Watched(watched);
    }

    /**
     * The watched objects.
     *
     * @param watched empty until the server has answered
     */
    record Watched(Supplier<Optional<NodeVolumes>> watched) implements KnownVolumes {
        private static final Duration PAUSE = Duration.ofMillis(50);

        @Override
        public LogicalVolume find(VolumeId volume) throws VolumeException, InterruptedException {
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

        @Override
        public void takePermission(VolumeId volume) throws VolumeException, InterruptedException {
            var object = find(volume);
            try {
                watched.get()
                        .orElseThrow()
                        .removeAnnotation(object, object.driver().allowFormatAnnotation());
            } catch (ApiException e) {
                throw new VolumeException(
                        StatusCode.ABORTED,
                        "the permission to make a filesystem on volume %s counts once and was not"
                                        .formatted(volume)
                                + " taken away: "
                                + e.getMessage(),
                        e);
            }
        }

        @Override
        public void await(Duration patience) throws InterruptedException {
            long end = System.nanoTime() + patience.toNanos();
            while (watched.get().filter(NodeVolumes::synced).isEmpty() && System.nanoTime() < end) {
                Thread.sleep(PAUSE);
            }
        }
    }
}
