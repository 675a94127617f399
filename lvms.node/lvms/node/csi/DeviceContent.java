package lvms.node.csi;

import lvms.lvm2.device.Signatures;
import lvms.lvm2.device.Signatures.Ambivalent;
import lvms.lvm2.device.Signatures.Blank;
import lvms.lvm2.device.Signatures.Found;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What has to be done with the content of a device before it can be mounted as a filesystem. */
sealed interface DeviceContent {
    /** It is the wanted filesystem: nothing is written. */
    record Ready() implements DeviceContent {}

    /** It is proven blank: the filesystem may be made. */
    record Empty() implements DeviceContent {}

    /**
     * It holds only the marks that BIOS RAID controllers leave in the last sectors of whole disks.
     * Nobody makes them on a logical volume, so they are leftovers from the disk's earlier use that
     * happen to be at the volume's end. They are wiped before the filesystem is made.
     */
    record Leftovers() implements DeviceContent {}

    /**
     * It holds something else, which must not be overwritten.
     *
     * @param reason what it holds
     */
    record Occupied(String reason) implements DeviceContent {}

    /** Source: the probers of libblkid, superblocks/*_raid.c, that look at the device's end. */
    Set<String> BIOS_RAID =
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

    /**
     * Decides what has to happen.
     *
     * @param found what probing found
     * @param superblock the superblock of the wanted filesystem, if there is one
     * @param fresh whether the volume began empty; a copy of another one never gets a filesystem
     */
    static DeviceContent of(
            Signatures found, Optional<Superblock> superblock, Filesystem wanted, boolean fresh) {
        if (superblock.filter(Superblock::halfMade).isPresent() && fresh) {
            return new Empty();
        }
        return switch (found) {
            case Blank() when fresh -> new Empty();
            case Blank() -> new Occupied("a copy of another volume, without a filesystem");
            case Found(var signature, var table) when table.isEmpty() && signature.isPresent() ->
                    ofTypes(List.of(signature.get().type()), wanted, fresh);
            case Found(var signature, var table) ->
                    new Occupied(
                            "a partition table ("
                                    + table.orElse("unknown")
                                    + signature.map(s -> ", " + s.type()).orElse("")
                                    + ")");
            case Ambivalent(var types) -> ofTypes(types, wanted, fresh);
        };
    }

    private static DeviceContent ofTypes(List<String> types, Filesystem wanted, boolean fresh) {
        var serious = types.stream().filter(type -> !BIOS_RAID.contains(type)).toList();
        if (serious.equals(List.of(wanted.type()))) {
            return new Ready();
        }
        if (serious.isEmpty() && fresh) {
            return new Leftovers();
        }
        return new Occupied(String.join(", ", types));
    }
}
