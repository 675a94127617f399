package lvms.node.volume;

import lvms.api.attribute.VolumeAttribute;
import lvms.api.attribute.VolumeAttributes;
import lvms.k8s.object.Quantity;
import lvms.lvm2.AllocationPolicy;
import lvms.lvm2.LogicalVolumes.Tuning;
import lvms.lvm2.LogicalVolumes.Tuning.ReadAhead;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Optional;

/** Attributes of volumes in the words of LVM, and back. Pure functions. */
final class AttributeTunings {
    private AttributeTunings() {}

    static Tuning tuning(VolumeAttributes wanted) {
        var readAhead = Optional.<ReadAhead>empty();
        var allocation = Optional.<AllocationPolicy>empty();
        for (var entry : wanted.values().entrySet()) {
            switch (entry.getKey()) {
                case READ_AHEAD -> readAhead = Optional.of(readAhead(entry.getValue()));
                case ALLOCATION_POLICY ->
                        allocation =
                                Optional.of(
                                        AllocationPolicy.valueOf(
                                                entry.getValue().toUpperCase(Locale.ROOT)));
            }
        }
        return new Tuning(readAhead, allocation);
    }

    static VolumeAttributes attributes(Tuning tuning) {
        var values = new EnumMap<VolumeAttribute, String>(VolumeAttribute.class);
        tuning.readAhead().ifPresent(r -> values.put(VolumeAttribute.READ_AHEAD, text(r)));
        tuning.allocation()
                .ifPresent(
                        policy ->
                                values.put(
                                        VolumeAttribute.ALLOCATION_POLICY,
                                        policy.name().toLowerCase(Locale.ROOT)));
        return new VolumeAttributes(values);
    }

    private static ReadAhead readAhead(String value) {
        return switch (value) {
            case "auto" -> ReadAhead.AUTO;
            case "none" -> ReadAhead.ofBytes(0);
            default -> ReadAhead.ofBytes(Quantity.parse(value).bytes());
        };
    }

    private static String text(ReadAhead readAhead) {
        if (readAhead.bytes().isEmpty()) {
            return "auto";
        }
        long bytes = readAhead.bytes().getAsLong();
        return bytes == 0 ? "none" : Quantity.ofBytes(bytes).toString();
    }
}
