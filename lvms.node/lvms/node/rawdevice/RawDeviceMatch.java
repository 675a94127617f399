package lvms.node.rawdevice;

import lvms.api.nativestor.RawDevice;
import lvms.lvm2.device.DeviceIdentity;
import lvms.lvm2.device.DeviceIdentity.Mark;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which object is which device. An object that says what identifies its device is that device under
 * any name, and no other one; an object of NativeStor is the device that has its path, kind and
 * size. One that cannot be told from another device is nobody's.
 */
final class RawDeviceMatch {
    private final Map<String, PresentDevice> devices = new HashMap<>();
    private final Set<String> matched = new HashSet<>();
    private final Map<String, DeviceIdentity> identities = new HashMap<>();

    private RawDeviceMatch() {}

    static RawDeviceMatch of(List<RawDevice> objects, List<PresentDevice> present) {
        var match = new RawDeviceMatch();
        for (var device : present) {
            match.identities.put(device.kernelName(), unique(device, present));
        }
        // one that a volume has comes first
        var order =
                objects.stream()
                        .sorted(
                                Comparator.comparing((RawDevice object) -> !object.allocated())
                                        .thenComparing(RawDevice::name))
                        .toList();
        for (var object : order) {
            if (!object.identity().isEmpty()) {
                match.byIdentity(object, present);
            }
        }
        for (var object : order) {
            if (object.identity().isEmpty()) {
                match.byPath(object, present);
            }
        }
        return match;
    }

    /** Cheap adapters give each of their disks the same number. */
    private static DeviceIdentity unique(PresentDevice device, List<PresentDevice> present) {
        boolean shared =
                present.stream()
                        .filter(other -> !other.kernelName().equals(device.kernelName()))
                        .anyMatch(other -> device.identity().sameAs(other.identity()));
        return shared ? new DeviceIdentity(Map.of()) : device.identity();
    }

    /**
     * Returns whether a device could be that of an object, if one of the marks were wrong: for
     * whoever must not touch it.
     */
    static boolean mayBe(RawDevice object, PresentDevice device) {
        var known = identity(object.identity()).marks();
        if (known.isEmpty()) {
            return device.isAt(object.spec().realPath());
        }
        var place = Optional.ofNullable(known.get(Mark.BY_PATH));
        return place.isPresent() && place.equals(device.place())
                || device.identity().marks().entrySet().stream()
                        .anyMatch(mark -> mark.getValue().equals(known.get(mark.getKey())));
    }

    private void byIdentity(RawDevice object, List<PresentDevice> present) {
        var known = identity(object.identity());
        var found =
                present.stream()
                        .filter(device -> identities.get(device.kernelName()).sameAs(known))
                        .filter(device -> !isPlace(known) || fits(object, device))
                        .filter(device -> !device.isPartition() || hasSize(object, device))
                        .toList();
        if (found.size() == 1) {
            take(object, found.getFirst());
        }
    }

    private void byPath(RawDevice object, List<PresentDevice> present) {
        present.stream()
                .filter(device -> device.isAt(object.spec().realPath()))
                .filter(device -> fits(object, device))
                .findFirst()
                .ifPresent(device -> take(object, device));
    }

    /** A place says nothing of the disk that is there, so that has to look like the old one. */
    static boolean isPlace(DeviceIdentity identity) {
        return identity.marks().keySet().equals(Set.of(Mark.BY_PATH));
    }

    private static boolean fits(RawDevice object, PresentDevice device) {
        return device.type().equals(object.spec().type()) && hasSize(object, device);
    }

    /**
     * A partition that was made again may have the marks of the one before: its number, with the
     * disk's name or the label of an MBR. A disk that has grown is the same one.
     */
    private static boolean hasSize(RawDevice object, PresentDevice device) {
        return device.sizeBytes() == object.spec().sizeBytes();
    }

    private void take(RawDevice object, PresentDevice device) {
        if (matched.add(device.kernelName())) {
            devices.put(object.name(), device);
        }
    }

    /** Returns the device of an object; empty if it is not there. */
    Optional<PresentDevice> device(RawDevice object) {
        return Optional.ofNullable(devices.get(object.name()));
    }

    boolean isKnown(PresentDevice device) {
        return matched.contains(device.kernelName());
    }

    /** Returns what identifies a device, in the words of {@link RawDevice#IDENTITY}. */
    Map<String, String> identity(PresentDevice device) {
        var marks = new LinkedHashMap<String, String>();
        var known = identities.get(device.kernelName()).marks();
        for (var mark : Mark.values()) {
            if (known.containsKey(mark)) {
                marks.put(mark.name(), known.get(mark));
            }
        }
        return marks;
    }

    /** Reads those words; kinds that a newer version knows are passed over. */
    static DeviceIdentity identity(Map<String, String> words) {
        var marks = new EnumMap<Mark, String>(Mark.class);
        for (var mark : Mark.values()) {
            if (words.containsKey(mark.name())) {
                marks.put(mark, words.get(mark.name()));
            }
        }
        return new DeviceIdentity(marks);
    }
}
