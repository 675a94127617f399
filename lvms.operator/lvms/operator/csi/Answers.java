package lvms.operator.csi;

import com.google.protobuf.Timestamp;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.operator.volume.Access;
import lvms.operator.volume.NodeCapacities;
import lvms.operator.volume.VolumeStore;
import lvms.proto.csi.v1.Snapshot;
import lvms.proto.csi.v1.Topology;
import lvms.proto.csi.v1.Volume;
import lvms.proto.csi.v1.VolumeCondition;
import lvms.proto.csi.v1.VolumeContentSource;

import java.util.Optional;

/** Writes volumes and snapshots as messages. */
final class Answers {
    private final Driver driver;
    private final NodeCapacities capacities;
    private final VolumeStore store;

    Answers(Driver driver, NodeCapacities capacities, VolumeStore store) {
        this.driver = driver;
        this.capacities = capacities;
        this.store = store;
    }

    /** The only answer that a PersistentVolume is made of. */
    Volume created(LogicalVolume volume, Access access, Optional<VolumeContentSource> source) {
        var message = message(volume);
        source.ifPresent(message::setContentSource);
        if (access instanceof Access.Mount mount) {
            message.putAllVolumeContext(mount.attributes());
        }
        return message.build();
    }

    Volume volume(LogicalVolume volume) {
        return message(volume).build();
    }

    private Volume.Builder message(LogicalVolume volume) {
        var message =
                Volume.newBuilder()
                        .setVolumeId(volume.status().volumeId())
                        .setCapacityBytes(volume.bytes())
                        .addAccessibleTopology(
                                Topology.newBuilder()
                                        .putSegments(
                                                driver.topologyKey(),
                                                capacities
                                                        .topology()
                                                        .topologyOf(volume.spec().nodeName())));
        volume.status()
                .home()
                .map(LogicalVolume.Home::attributes)
                .ifPresent(message::putAllVolumeContext);
        return message;
    }

    /** A volume whose node left the cluster cannot be reached; nothing else is known here. */
    VolumeCondition condition(LogicalVolume volume) {
        boolean lost = !capacities.topology().exists(volume.spec().nodeName());
        return VolumeCondition.newBuilder()
                .setAbnormal(lost)
                .setMessage(
                        lost
                                ? "node " + volume.spec().nodeName() + " does not exist"
                                : "the volume is on node " + volume.spec().nodeName())
                .build();
    }

    Snapshot snapshot(LogicalVolume snapshot) {
        var taken = snapshot.taken();
        return Snapshot.newBuilder()
                .setSnapshotId(snapshot.status().volumeId())
                .setSourceVolumeId(sourceId(snapshot))
                .setSizeBytes(snapshot.bytes())
                .setCreationTime(
                        Timestamp.newBuilder()
                                .setSeconds(taken.getEpochSecond())
                                .setNanos(taken.getNano()))
                .setReadyToUse(!snapshot.lost())
                .build();
    }

    /**
     * A snapshot that another driver made has no such annotation; its source's name stays even if
     * the source is gone.
     */
    String sourceId(LogicalVolume snapshot) {
        return snapshot.object()
                .annotation(driver.sourceVolumeAnnotation())
                .or(
                        () ->
                                store.find(snapshot.spec().source())
                                        .map(source -> source.status().volumeId()))
                .orElse(snapshot.spec().source());
    }
}
