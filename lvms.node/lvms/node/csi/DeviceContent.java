package lvms.node.csi;

import lvms.lvm2.device.Signatures;
import lvms.lvm2.device.Signatures.Ambivalent;
import lvms.lvm2.device.Signatures.Blank;
import lvms.lvm2.device.Signatures.Found;
import lvms.node.proof.Formatting;
import lvms.node.proof.Proofs;

import java.util.List;

/** What has to be done with the content of a device before it can be mounted as a filesystem. */
sealed interface DeviceContent {
    /** It is the wanted filesystem: nothing is written. */
    record Ready() implements DeviceContent {}

    /** It is proven blank: the filesystem may be made. */
    record Empty() implements DeviceContent {}

    /**
     * It shows what nobody needs: the marks that BIOS RAID controllers leave in the last sectors of
     * whole disks, what an earlier volume left in the extents of a new one, or what a person has
     * given up. It is wiped before the filesystem is made.
     */
    record Leftovers() implements DeviceContent {}

    /**
     * It holds something else, which must not be overwritten.
     *
     * @param reason what it holds
     */
    record Occupied(String reason) implements DeviceContent {}

    /** Decides what has to happen. */
    static DeviceContent of(Formatting evidence, Filesystem wanted) {
        var types = types(evidence.found());
        boolean ready = Formatting.serious(types).equals(List.of(wanted.type()));
        if (ready && !evidence.halfMade()) {
            return new Ready();
        }
        boolean blank = evidence.found() instanceof Blank;
        return Proofs.format(evidence)
                .<DeviceContent>map(Occupied::new)
                .orElseGet(() -> blank || evidence.halfMade() ? new Empty() : new Leftovers());
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
