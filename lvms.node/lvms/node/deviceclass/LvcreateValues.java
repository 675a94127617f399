package lvms.node.deviceclass;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Values of the options that say how {@code lvcreate} spreads a volume. Each option has one name
 * here, whichever of the spellings of lvcreate(8) was used.
 */
final class LvcreateValues {
    private static final Map<String, String> NAMES =
            Map.ofEntries(
                    Map.entry("--type", "type"),
                    Map.entry("-m", "m"),
                    Map.entry("--mirrors", "m"),
                    Map.entry("-i", "i"),
                    Map.entry("--stripes", "i"),
                    Map.entry("--alloc", "alloc"),
                    Map.entry("-C", "C"),
                    Map.entry("--contiguous", "C"),
                    Map.entry("-R", "R"),
                    Map.entry("--regionsize", "R"),
                    Map.entry("--raidintegrity", "raidintegrity"));

    private LvcreateValues() {}

    /**
     * Reads the values; if an option occurs twice, the last one wins. The caller may change the
     * map.
     */
    static Map<String, String> of(List<String> options) {
        var values = new HashMap<String, String>();
        for (int i = 0; i < options.size(); i++) {
            var option = options.get(i);
            int equals = option.indexOf('=');
            if (equals > 0) {
                put(values, option.substring(0, equals), option.substring(equals + 1));
            } else if (option.length() > 2 && option.charAt(1) != '-') {
                put(values, option.substring(0, 2), option.substring(2));
            } else if (i + 1 < options.size()) {
                put(values, option, options.get(i + 1));
            }
        }
        return values;
    }

    private static void put(Map<String, String> values, String option, String value) {
        var name = NAMES.get(option);
        if (name != null) {
            values.put(name, value);
        }
    }
}
