package lvms.node.disk;

import lvms.api.disk.ClassChoice;

import java.util.List;

/**
 * What a volume group may do with a device.
 *
 * @param device the device
 * @param kind the verdict
 * @param reasons why it is excluded, sorted; empty for every other kind
 */
public record DeviceVerdict(NodeDevice device, Kind kind, List<String> reasons) {
    public enum Kind {
        /** Free, and wanted. */
        AVAILABLE,
        /** A physical volume of this volume group already. */
        MEMBER,
        /** A logical volume; never used and never reported. */
        LOGICAL_VOLUME,
        /** Not usable, or not wanted. */
        EXCLUDED
    }

    public DeviceVerdict {
        reasons = reasons.stream().sorted().toList();
        if ((kind == Kind.EXCLUDED) == reasons.isEmpty()) {
            throw new IllegalArgumentException(kind + " with reasons " + reasons);
        }
    }

    public boolean available() {
        return kind == Kind.AVAILABLE;
    }

    public boolean member() {
        return kind == Kind.MEMBER;
    }

    public boolean excluded() {
        return kind == Kind.EXCLUDED;
    }

    /** Returns a verdict that keeps out a device whose content nobody knows. */
    public DeviceVerdict excludedForItsData() {
        return excludedBecause(ClassChoice.unknownData(device.name()));
    }

    /** Returns a verdict that keeps the same device out, for a reason outside the device. */
    DeviceVerdict excludedBecause(String reason) {
        return new DeviceVerdict(device, Kind.EXCLUDED, List.of(reason));
    }
}
