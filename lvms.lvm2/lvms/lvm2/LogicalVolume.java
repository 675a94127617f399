package lvms.lvm2;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/**
 * One logical volume, as {@code lvs} reports it. Sizes are bytes.
 *
 * @param name its name, with the volume group
 * @param uuid LVM's UUID of the volume
 * @param path {@code lv_path}, {@code /dev/VG/LV}; empty for hidden volumes
 * @param sizeBytes size that a user of the volume sees
 * @param attributes {@code lv_attr}, decoded
 * @param major major number of the active device
 * @param minor minor number of the active device
 * @param origin name of the volume that this one is a snapshot of
 * @param originSizeBytes size of the origin of a classic snapshot, 0 if there is none
 * @param pool name of its pool
 * @param dataPercent use of a pool, thin volume or classic snapshot; empty while inactive
 * @param metadataPercent use of a pool's metadata; empty while inactive
 * @param syncPercent how far a mirror or RAID is in sync; empty while inactive
 * @param metadataSizeBytes size of a pool's metadata, 0 for others
 * @param layout {@code lv_layout}, such as {@code linear}, {@code thin,pool}, {@code raid,raid1}
 * @param healthStatus {@code lv_health_status}; empty if healthy
 * @param syncAction {@code raid_sync_action}, such as {@code idle} or {@code resync}; empty if none
 * @param details values that only volumes of its kind have
 * @param tags its tags
 * @param created when it was made by the clock of its host, in whole seconds; empty if the call
 *     that returns the record has made it
 */
public record LogicalVolume(
        LvName name,
        String uuid,
        Optional<Path> path,
        long sizeBytes,
        LvAttributes attributes,
        OptionalInt major,
        OptionalInt minor,
        Optional<String> origin,
        long originSizeBytes,
        Optional<String> pool,
        OptionalDouble dataPercent,
        OptionalDouble metadataPercent,
        OptionalDouble syncPercent,
        long metadataSizeBytes,
        Set<String> layout,
        String healthStatus,
        String syncAction,
        LvDetails details,
        Set<String> tags,
        Optional<Instant> created) {
    public LogicalVolume {
        layout = Set.copyOf(layout);
        tags = Set.copyOf(tags);
    }

    public Identity<LvName> identity() {
        return new Identity<>(name, uuid);
    }

    /** Returns the same volume with another size. */
    public LogicalVolume withSize(long bytes) {
        return with(bytes, tags, created);
    }

    /** Returns the same volume with other tags. */
    public LogicalVolume withTags(Set<String> others) {
        return with(sizeBytes, others, created);
    }

    /** Returns the same volume without its time: the call that returns it has made it. */
    public LogicalVolume justMade() {
        return with(sizeBytes, tags, Optional.empty());
    }

    private LogicalVolume with(long bytes, Set<String> labels, Optional<Instant> time) {
        return new LogicalVolume(
                name,
                uuid,
                path,
                bytes,
                attributes,
                major,
                minor,
                origin,
                originSizeBytes,
                pool,
                dataPercent,
                metadataPercent,
                syncPercent,
                metadataSizeBytes,
                layout,
                healthStatus,
                syncAction,
                details,
                labels,
                time);
    }

    /**
     * Returns whether it is a thin volume. A pool name is not enough to tell, and the attributes do
     * not show it while a snapshot is being merged into the volume.
     */
    public boolean isThin() {
        return attributes.type() == LvAttributes.Type.THIN
                || layout.contains("thin") && !layout.contains("pool");
    }

    public boolean isThinPool() {
        return attributes.type() == LvAttributes.Type.THIN_POOL;
    }

    /** Returns its RAID details; empty if it is not a RAID volume. */
    public Optional<LvDetails.Raid> raid() {
        return details instanceof LvDetails.Raid raid ? Optional.of(raid) : Optional.empty();
    }

    /** Returns its details as a snapshot; empty if it is not one. */
    public Optional<LvDetails.Snapshot> snapshot() {
        return details instanceof LvDetails.Snapshot s ? Optional.of(s) : Optional.empty();
    }

    /** Returns whether it is a snapshot with a store of its own. */
    public boolean isThickSnapshot() {
        return snapshot().filter(snapshot -> !snapshot.thin()).isPresent();
    }

    /** Returns whether thick snapshots need its content. */
    public boolean isThickOrigin() {
        return attributes.type() == LvAttributes.Type.ORIGIN
                || attributes.type() == LvAttributes.Type.ORIGIN_MERGING;
    }

    /** Returns whether its device exists. */
    public boolean active() {
        return attributes.active();
    }

    /** Returns whether its metadata allow writing. */
    public boolean writable() {
        return attributes.permission() == LvAttributes.Permission.READ_WRITE
                || attributes.permission() == LvAttributes.Permission.ACTIVATED_READ_ONLY;
    }
}
