package lvms.lvm2.device;

import lvms.lvm2.ffi.Fd;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What low-level probing by libblkid finds on a device or in a file. It reads the device itself and
 * trusts no cache.
 */
public sealed interface Signatures {
    /** Nothing that libblkid knows: no filesystem, RAID, LVM label, swap or partition table. */
    record Blank() implements Signatures {}

    /**
     * Exactly one kind of content.
     *
     * @param signature the filesystem, RAID or other content; empty if there is only a partition
     *     table
     * @param partitionTable type of the partition table, such as {@code gpt} or {@code dos}
     */
    record Found(Optional<Signature> signature, Optional<String> partitionTable)
            implements Signatures {}

    /**
     * Several kinds of content that contradict each other, so that nobody can say which one is
     * valid. Treat the device as occupied.
     *
     * @param types types of everything that was found, in the order of probing
     */
    record Ambivalent(List<String> types) implements Signatures {
        public Ambivalent {
            types = List.copyOf(types);
        }
    }

    /**
     * One signature.
     *
     * @param type such as {@code ext4}, {@code xfs}, {@code LVM2_member}, {@code swap}
     * @param usage {@code filesystem}, {@code raid}, {@code crypto} or {@code other}
     * @param version version, empty if it has none
     * @param label label, empty if it has none
     * @param uuid UUID, empty if it has none
     */
    record Signature(String type, String usage, String version, String label, String uuid) {}

    /**
     * Probes a device or file. Any thread may call; blocks as long as the device does.
     *
     * @throws IOException if it cannot be opened or read, or libblkid is missing
     */
    static Signatures probe(Path device) throws IOException {
        try (var fd = Fd.open(device, Fd.RDONLY | Fd.NONBLOCK | Fd.CLOEXEC)) {
            return SignatureProbe.of(fd, device.toString());
        }
    }
}
