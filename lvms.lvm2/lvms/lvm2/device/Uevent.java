package lvms.lvm2.device;

import lvms.lvm2.system.DeviceNumber;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One message from the kernel about one of its objects; kernel documentation {@code
 * ABI/testing/sysfs-uevent}, source {@code lib/kobject_uevent.c}.
 *
 * @param action such as {@code add}, {@code remove}, {@code change}
 * @param devPath path of the object below {@code /sys}
 * @param properties what the kernel says about it, such as {@code SUBSYSTEM}, {@code DISKSEQ}
 */
public record Uevent(String action, String devPath, Map<String, String> properties) {
    public Uevent {
        properties = Map.copyOf(properties);
    }

    /**
     * Parses {@code ACTION@DEVPATH}, then {@code KEY=VALUE}, each ended by a zero byte; empty if
     * the message is not from the kernel but, for example, from udevd.
     */
    static Optional<Uevent> parse(byte[] message) {
        var parts = new String(message, StandardCharsets.UTF_8).split("\0");
        int at = parts[0].indexOf('@');
        if (at <= 0) {
            return Optional.empty();
        }
        var properties = new HashMap<String, String>();
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            if (equals > 0) {
                properties.put(parts[i].substring(0, equals), parts[i].substring(equals + 1));
            }
        }
        return Optional.of(
                new Uevent(parts[0].substring(0, at), parts[0].substring(at + 1), properties));
    }

    /** Returns whether it is about a block device: a disk or a partition. */
    public boolean ofBlockDevice() {
        return "block".equals(properties.get("SUBSYSTEM"));
    }

    /** Returns the object's name, for a block device as in {@link BlockDevice#kernelName()}. */
    public String kernelName() {
        return devPath.substring(devPath.lastIndexOf('/') + 1);
    }

    /** Returns the device's number; empty if it has none. */
    public Optional<DeviceNumber> number() {
        var major = properties.get("MAJOR");
        var minor = properties.get("MINOR");
        return major == null || minor == null
                ? Optional.empty()
                : Optional.of(DeviceNumber.parse(major + ':' + minor));
    }
}
