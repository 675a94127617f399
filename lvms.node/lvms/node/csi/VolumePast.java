package lvms.node.csi;

import lvms.lvm2.device.DeviceMapper;
import lvms.node.format.ContentMark;
import lvms.node.proof.Formatting.Blocks;

import java.time.Instant;
import java.util.Optional;

/**
 * What is known of a volume without looking at its content.
 *
 * @param mark what it remembers of its content; empty if it was made by another system, or by a
 *     version that left no marks
 * @param mode how pods see it, as its object says: {@code Block} or {@code Filesystem}; empty if it
 *     does not
 * @param copy whether it began with the content of another volume
 * @param blocks what it has of its pool or group
 * @param created when it was made, as LVM says; empty if that is not known
 * @param zeroed whether its class zeroes such a volume before anybody gets it
 * @param permission by which a person may allow a new filesystem on it
 */
public record VolumePast(
        Optional<ContentMark> mark,
        Optional<String> mode,
        boolean copy,
        Blocks blocks,
        Optional<Instant> created,
        boolean zeroed,
        Permission permission) {
    /**
     * A permission to make a filesystem in place of what is on a volume: an annotation of its
     * LogicalVolume with the volume's UUID in LVM as the value, so that it never concerns another
     * volume.
     *
     * @param type the type of its object with its group, as kubectl takes it
     * @param object name of its object
     * @param annotation key of the annotation
     * @param uuid the value that it has to have
     * @param given whether it has that value
     */
    public record Permission(
            String type, String object, String annotation, String uuid, boolean given) {
        /** Returns the line for kubectl. */
        String command() {
            return "kubectl annotate %s %s %s=%s".formatted(type, object, annotation, uuid);
        }
    }

    /** Of a device that no pod ever has a filesystem on. */
    public static VolumePast ofBlockDevice() {
        return new VolumePast(
                Optional.of(ContentMark.BLOCK),
                Optional.of("Block"),
                false,
                Blocks.EXTENTS,
                Optional.empty(),
                false,
                new Permission("", "", "", "", false));
    }

    /** Whether pods see the device itself, by its mark or, without one, by its object. */
    boolean block() {
        return mark.map(known -> known == ContentMark.BLOCK)
                .orElseGet(() -> mode.filter("Block"::equals).isPresent());
    }

    /** Whether it certainly holds, or is to hold, a filesystem. */
    boolean filesystem() {
        return mark.filter(known -> known != ContentMark.BLOCK).isPresent();
    }

    /** Reads from the status of a volume's device what it has of its pool or group. */
    static Blocks blocks(DeviceMapper.State state) {
        if (VolumeHealth.neverWritten(state)) {
            return Blocks.NONE;
        }
        boolean thin = state.targets().stream().anyMatch(target -> target.type().equals("thin"));
        return thin ? Blocks.WRITTEN : Blocks.EXTENTS;
    }
}
