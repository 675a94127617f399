package lvms.node.disk;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

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
    public NodeDevice {
        Objects.requireNonNull(kernelName);
        children = List.copyOf(children);
        uses = List.copyOf(uses);
    }

    public boolean isLvmMember() {
        return signature.filter("LVM2_member"::equals).isPresent();
    }

    NodeDevice withChildren(List<String> others) {
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
                others,
                uses,
                hardware,
                probeFailure);
    }
}
