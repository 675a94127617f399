package lvms.lvm2.device;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * What identifies a device wherever and whenever it is plugged in, unlike its kernel name. Which of
 * these marks a device has depends on its kind and on the machine: links need udev.
 *
 * @param marks what is known about it
 */
public record DeviceIdentity(Map<Mark, String> marks) {
    /** Kinds of marks, the most reliable first. */
    public enum Mark {
        /** UUID of the LVM label on it. */
        PV_UUID,
        /** Device-mapper UUID: multipath, LVM, LUKS. */
        DM_UUID,
        /** World wide name of the disk, and which partition of it. */
        WWN,
        /** UUID of the partition, from its table. */
        PARTITION_UUID,
        /** Model and serial number of the disk, and which partition of it. */
        SERIAL,
        /** Link below {@code /dev/disk/by-id}. */
        BY_ID,
        /** File of a loop device. */
        BACKING_FILE,
        /** Link below {@code /dev/disk/by-path}: only the place, for whoever has nothing better. */
        BY_PATH
    }

    /** What drivers without a value report, and what all cheap adapters report. */
    private static final String NOTHING = "(0x|naa\\.|eui\\.|nvme\\.|t10\\.)?[0\\s.:-]*";

    public DeviceIdentity {
        marks = Map.copyOf(marks);
    }

    /** Returns the identity of a device of which nothing but its place in sysfs was read. */
    public static DeviceIdentity of(BlockDevice device) {
        return of(device, Optional.empty());
    }

    static DeviceIdentity of(BlockDevice device, Optional<Signatures> content) {
        var marks = new EnumMap<Mark, String>(Mark.class);
        pvUuid(content).ifPresent(uuid -> marks.put(Mark.PV_UUID, uuid));
        device.dmUuid().ifPresent(uuid -> marks.put(Mark.DM_UUID, uuid));
        var part = device.type() == DeviceType.PARTITION ? "-part" + partition(device) : "";
        if (!device.wwn().matches(NOTHING)) {
            marks.put(Mark.WWN, device.wwn() + part);
        }
        if (!device.serial().matches(NOTHING)) {
            marks.put(Mark.SERIAL, (device.model() + ' ' + device.serial()).strip() + part);
        }
        link(device, "by-partuuid").ifPresent(uuid -> marks.put(Mark.PARTITION_UUID, uuid));
        link(device, "by-id").ifPresent(id -> marks.put(Mark.BY_ID, id));
        device.backingFile().ifPresent(file -> marks.put(Mark.BACKING_FILE, file.toString()));
        return new DeviceIdentity(marks);
    }

    /** Returns the marks by which a device is known again, whatever is on it: without the label. */
    public DeviceIdentity lasting() {
        var rest = new EnumMap<Mark, String>(Mark.class);
        rest.putAll(marks);
        rest.remove(Mark.PV_UUID);
        return new DeviceIdentity(rest);
    }

    /**
     * Returns whether both describe the same device: they share a mark, and no other mark
     * contradicts, except the label, which comes and goes. Without a common mark nothing is proved.
     */
    public boolean sameAs(DeviceIdentity other) {
        boolean agree = false;
        for (var mark : marks.entrySet()) {
            var theirs = other.marks.get(mark.getKey());
            if (theirs != null && mark.getKey() != Mark.BY_ID) {
                boolean same = theirs.equals(mark.getValue());
                if (!same && mark.getKey() != Mark.PV_UUID) {
                    return false;
                }
                agree |= same;
            } else if (theirs != null) {
                agree |= theirs.equals(mark.getValue());
            }
        }
        return agree;
    }

    /** Returns the most reliable mark as {@code KIND=text}; empty if there is none. */
    public Optional<String> best() {
        return Arrays.stream(Mark.values())
                .filter(marks::containsKey)
                .findFirst()
                .map(mark -> mark + "=" + marks.get(mark));
    }

    /** Returns whether two disks are paths to the same one: they differ, but share the WWN. */
    static boolean paths(BlockDevice one, BlockDevice other) {
        return one.type() == DeviceType.DISK
                && other.type() == DeviceType.DISK
                && !one.kernelName().equals(other.kernelName())
                && !one.wwn().matches(NOTHING)
                && one.wwn().equals(other.wwn());
    }

    private static Optional<String> pvUuid(Optional<Signatures> content) {
        return content.filter(Signatures.Found.class::isInstance)
                .map(Signatures.Found.class::cast)
                .flatMap(Signatures.Found::signature)
                .filter(signature -> signature.type().equals("LVM2_member"))
                .map(Signatures.Signature::uuid)
                .filter(uuid -> !uuid.isEmpty());
    }

    private static String partition(BlockDevice device) {
        return device.kernelName().replaceFirst(".*?(\\d+)$", "$1");
    }

    private static Optional<String> link(BlockDevice device, String folder) {
        return device.links().stream()
                .filter(link -> link.getParent().endsWith(folder))
                .map(link -> link.getFileName().toString())
                .filter(name -> !name.startsWith("dm-name-")) // a name, which people change
                .filter(name -> !name.startsWith("lvm-pv-uuid-")) // of the label, which goes
                .findFirst();
    }
}
