package lvms.node.proof;

import lvms.lvm2.device.Signatures;
import lvms.lvm2.device.Signatures.Ambivalent;
import lvms.lvm2.device.Signatures.Blank;
import lvms.lvm2.device.Signatures.Found;
import lvms.node.format.ContentMark;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is known of a volume that may get a filesystem.
 *
 * @param found what probing found
 * @param halfMade whether mkfs itself was cut short on it, or on the volume that it is a copy of:
 *     nobody ever mounted that, so there is nothing on it
 * @param begun whether this node has begun to make a filesystem on it, which is not whole yet
 * @param mark what the volume remembers; empty if it was made without a mark
 * @param copy whether it began with the content of another volume
 * @param blocks what it has of its pool or group
 * @param remains what shows that it held a filesystem, although probing finds none; looked for only
 *     in extents without a mark
 * @param permitted whether a person has allowed a filesystem in place of what is on it
 */
public record Formatting(
        Signatures found,
        boolean halfMade,
        boolean begun,
        Optional<ContentMark> mark,
        boolean copy,
        Blocks blocks,
        Optional<String> remains,
        boolean permitted) {
    /** What a volume has of its pool or group. */
    public enum Blocks {
        /** A thin volume to which nothing was ever written. */
        NONE,
        /** A thin volume to which something was written, or whose pool does not say. */
        WRITTEN,
        /** Extents of its own, which show what earlier volumes left there. */
        EXTENTS
    }

    /**
     * The marks that BIOS RAID controllers leave in the last sectors of whole disks. Nobody makes
     * them on a logical volume, so they are leftovers from the disk's earlier use that happen to be
     * at the volume's end. Source: the probers of libblkid, superblocks/*_raid.c, that look at the
     * device's end.
     */
    private static final Set<String> BIOS_RAID =
            Set.of(
                    "isw_raid_member",
                    "via_raid_member",
                    "lsi_mega_raid_member",
                    "silicon_medley_raid_member",
                    "promise_fasttrack_raid_member",
                    "nvidia_raid_member",
                    "highpoint_raid_member",
                    "hpt37x_raid_member",
                    "hpt45x_raid_member",
                    "adaptec_raid_member",
                    "jmicron_raid_member",
                    "ddf_raid_member");

    /** Returns the types that are not just marks of a BIOS RAID. */
    public static List<String> serious(List<String> types) {
        return types.stream().filter(type -> !BIOS_RAID.contains(type)).toList();
    }

    /** Whether only remains of a filesystem can show that there was one. */
    public boolean asksForRemains() {
        return mark.isEmpty()
                && blocks == Blocks.EXTENTS
                && content().isEmpty()
                && !(copy || begun || halfMade || permitted);
    }

    /** The same with what was found of an earlier filesystem. */
    public Formatting with(Optional<String> shown) {
        return new Formatting(found, halfMade, begun, mark, copy, blocks, shown, permitted);
    }

    /** Returns in words what was found that somebody may need; empty if nothing was. */
    Optional<String> content() {
        return switch (found) {
            case Blank() -> Optional.empty();
            case Found(var signature, var table) when table.isEmpty() ->
                    words(signature.stream().map(Signatures.Signature::type).toList());
            case Found(var signature, var table) ->
                    Optional.of(
                            "a partition table ("
                                    + table.get()
                                    + signature.map(s -> ", " + s.type()).orElse("")
                                    + ")");
            case Ambivalent(var types) -> words(types);
        };
    }

    private static Optional<String> words(List<String> types) {
        return serious(types).isEmpty() ? Optional.empty() : Optional.of(String.join(", ", types));
    }
}
