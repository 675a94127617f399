package lvms.node.csi;

import lvms.lvm2.device.Signatures;
import lvms.lvm2.device.Signatures.Ambivalent;
import lvms.lvm2.device.Signatures.Found;
import lvms.node.proof.Formatting;
import lvms.node.proof.Proofs;

import java.util.List;
import java.util.Optional;

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

    /**
     * Decides what has to happen.
     *
     * @param found what probing found
     * @param superblock the superblock of the wanted filesystem, if there is one
     * @param fresh whether the volume began empty; a copy of another one gets a filesystem only in
     *     place of one that mkfs had not finished when it was taken
     */
    static DeviceContent of(
            Signatures found, Optional<Superblock> superblock, Filesystem wanted, boolean fresh) {
        boolean halfMade = superblock.filter(Superblock::halfMade).isPresent();
        var types = types(found);
        boolean ready = Formatting.serious(types).equals(List.of(wanted.type()));
        if (ready && !halfMade) {
            return new Ready();
        }
        return Proofs.format(new Formatting(found, halfMade, fresh))
                .<DeviceContent>map(Occupied::new)
                .orElseGet(() -> types.isEmpty() || halfMade ? new Empty() : new Leftovers());
    }

    private static List<String> types(Signatures found) {
        return switch (found) {
            case Found(var signature, var table) when table.isEmpty() ->
                    signature.stream().map(Signatures.Signature::type).toList();
            case Ambivalent(var types) -> types;
            default -> List.of();
        };
    }
}
