package lvms.node.vgmanager;

import lvms.api.RaidConfig;
import lvms.api.RaidType;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads the RAID layout out of lvcreate options, in each of the spellings lvcreate(8) allows. */
final class RaidOptions {
    private static final Map<String, String> LONG_NAMES =
            Map.of("--type", "type", "-m", "m", "--mirrors", "m", "-i", "i", "--stripes", "i");

    private RaidOptions() {}

    /** Returns the layout; empty if the options ask for no RAID, or for one we do not know. */
    static Optional<RaidLayout> layoutOf(List<String> options) {
        var values = valuesOf(options);
        try {
            return values.containsKey("type")
                    ? Optional.of(new RaidGoal(configOf(values)).layout())
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

    private static Map<String, String> valuesOf(List<String> options) {
        var values = new HashMap<String, String>();
        for (int i = 0; i < options.size(); i++) {
            var option = options.get(i);
            int equals = option.indexOf('=');
            if (equals > 0) {
                put(values, option.substring(0, equals), option.substring(equals + 1));
            } else if (option.length() > 2 && LONG_NAMES.containsKey(option.substring(0, 2))) {
                put(values, option.substring(0, 2), option.substring(2));
            } else if (i + 1 < options.size()) {
                put(values, option, options.get(i + 1));
            }
        }
        return values;
    }

    private static void put(Map<String, String> values, String option, String value) {
        var name = LONG_NAMES.get(option);
        if (name != null) {
            values.put(name, value);
        }
    }
}
