package lvms.node.disk;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One block device of this node, with what the filters look at.
 *
 * @param name name for people and for {@code excluded}, such as {@code /dev/mapper/mpatha}
 * @param kernelName path by the kernel's name, such as {@code /dev/dm-3}; unique on the node
 * @param type {@code disk}, {@code part}, {@code lvm}, {@code loop}, {@code rom}, {@code crypt},
 *     ...
 * @param sizeBytes size of the device
 * @param sequence which disk it is, as in {@link lvms.lvm2.device.BlockDevice#sequence()}
 * @param readOnly whether the kernel refuses writes
 * @param suspended whether device-mapper holds back its I/O
 * @param partitionLabel name of the partition in its table
 * @param signature what blkid finds on it, such as {@code xfs} or {@code LVM2_member}
 * @param partitionTable type of the partition table on it, such as {@code gpt}
 * @param backingFile file behind a loop device
 * @param children names, such as {@code sda1} or {@code dm-3}, of its partitions and of the devices
 *     on top of it
 * @param uses who uses it, such as {@code mounted at /data} or {@code swap}
 * @param hardware what it is, whatever is on it
 * @param probeFailure why its content could not be read; empty if it was read
 */
public record NodeDevice(
        String name,
        String kernelName,
        String type,
        long sizeBytes,
        long sequence,
        boolean readOnly,
        boolean suspended,
        Optional<String> partitionLabel,
        Optional<String> signature,
        Optional<String> partitionTable,
        Optional<String> backingFile,
        List<String> children,
        List<String> uses,
        Hardware hardware,
        Optional<String> probeFailure) {
    static final String MOUNTED = "mounted at ";
    static final String SWAP = "swap";

    public NodeDevice {
        Objects.requireNonNull(kernelName);
        children = List.copyOf(children);
        uses = List.copyOf(uses);
    }

    /** Returns whether it is in use as swap. */
    public boolean isSwap() {
        return uses.contains(SWAP);
    }

    public boolean isLvmMember() {
        return signature.filter("LVM2_member"::equals).isPresent();
    }

    /** Returns where it is mounted, the shortest place first. */
    public List<String> mountPoints() {
        return uses.stream()
                .filter(use -> use.startsWith(MOUNTED))
                .map(use -> use.substring(MOUNTED.length()))
                .sorted(Comparator.comparingInt(String::length).thenComparing(place -> place))
                .toList();
    }

    NodeDevice withChildren(List<String> others) {
        return copy(signature, others, uses);
    }

    /** Returns the same device as one that somebody else uses as well. */
    public NodeDevice usedBy(String user) {
        return copy(signature, children, Stream.concat(uses.stream(), Stream.of(user)).toList());
    }

    /**
     * Returns the same device without what is known to be on it, mounts included, but for a label
     * of LVM, and swap.
     */
    public NodeDevice bare() {
        var others = uses.stream().filter(use -> !use.startsWith(MOUNTED)).toList();
        return copy(signature.filter(_ -> isLvmMember()), List.of(), others);
    }

    private NodeDevice copy(Optional<String> signature, List<String> children, List<String> uses) {
        return new NodeDevice(
                name,
                kernelName,
                type,
                sizeBytes,
                sequence,
                readOnly,
                suspended,
                partitionLabel,
                signature,
                partitionTable,
                backingFile,
                children,
                uses,
                hardware,
                probeFailure);
    }
}
