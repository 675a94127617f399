package lvms.node.deviceclass;

import lvms.api.RaidConfig;
import lvms.api.RaidType;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads the RAID shape from lvcreate options. */
final class RaidOptions {
    private RaidOptions() {}

    /** Returns the shape; empty if the options ask for no RAID, or for a level we do not know. */
    static Optional<RaidShape> shapeOf(List<String> options) {
        var values = LvcreateValues.of(options);
        try {
            return values.containsKey("type")
                    ? Optional.of(new RaidGoal(configOf(values)).shape())
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // no RAID level, or numbers that lvcreate will refuse
        }
    }

    private static RaidConfig configOf(Map<String, String> values) {
        return new RaidConfig(
                RaidType.of(values.get("type")),
                number(values, "m"),
                number(values, "i"),
                Optional.empty());
    }

    private static OptionalInt number(Map<String, String> values, String name) {
        return values.containsKey(name)
                ? OptionalInt.of(Integer.parseInt(values.get(name)))
                : OptionalInt.empty();
    }
}
