package lvms.node.proof;

import lvms.lvm2.device.Signatures;

import java.util.List;
import java.util.Set;

/**
 * What is known of a volume that may get a filesystem.
 *
 * @param found what probing found
 * @param halfMade whether mkfs itself was cut short on it, or on the volume that it is a copy of:
 *     nobody ever mounted that, so there is nothing on it
 * @param fresh whether it began empty, not as a copy of another volume
 */
public record Formatting(Signatures found, boolean halfMade, boolean fresh) {
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
}
