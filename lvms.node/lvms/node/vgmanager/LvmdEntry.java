package lvms.node.vgmanager;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import lvms.node.vgmanager.NodeDeviceClass.Provisioning;
import lvms.node.vgmanager.NodeDeviceClass.Striping;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/** Reads one entry of lvmd.yaml by TopoLVM's rules. */
final class LvmdEntry {
    /** What TopoLVM keeps back of a thick class that does not say. */
    private static final long DEFAULT_SPARE_GIB = 10;

    private static final Pattern STRIPE_SIZE = Pattern.compile("(?i)[0-9]*[kmgtpebs]?");

    private LvmdEntry() {}

    /**
     * Reads a device class.
     *
     * @param mayBeDefault false once another class is the default
     * @throws IllegalArgumentException if the entry makes no sense
     */
    static NodeDeviceClass read(JsonObject entry, boolean mayBeDefault) {
        var provisioning = provisioning(entry);
        var options = texts(entry.get("lvcreate-options"));
        return new NodeDeviceClass(
                text(entry, "name"),
                text(entry, "volume-group"),
                mayBeDefault && flag(entry, "default"),
                provisioning,
                spareBytes(entry, provisioning),
                striping(entry),
                options,
                RaidOptions.layoutOf(options));
    }

    /** Reads the option classes; of two with one name the last counts. */
    static Map<String, List<String>> optionClasses(JsonElement list) {
        var classes = new HashMap<String, List<String>>();
        if (list instanceof JsonArray array) {
            for (var element : array) {
                if (element instanceof JsonObject entry) {
                    classes.put(text(entry, "name"), texts(entry.get("options")));
                }
            }
        }
        return classes;
    }

    private static Provisioning provisioning(JsonObject entry) {
        return switch (text(entry, "type")) {
            case "", "thick" -> new Provisioning.Thick();
            case "thin" -> thin(entry);
            case String other -> throw new IllegalArgumentException("unknown type " + other);
        };
    }

    private static Provisioning thin(JsonObject entry) {
        if (!(entry.get("thin-pool") instanceof JsonObject pool)) {
            throw new IllegalArgumentException("type is thin, but there is no thin-pool");
        }
        var ratio =
                number(pool, "overprovision-ratio")
                        .orElseThrow(() -> new IllegalArgumentException("no overprovision-ratio"));
        return new Provisioning.Thin(text(pool, "name"), ratio.doubleValue());
    }

    private static long spareBytes(JsonObject entry, Provisioning provisioning) {
        if (provisioning instanceof Provisioning.Thin) {
            return 0;
        }
        var gib = number(entry, "spare-gb").orElse(BigDecimal.valueOf(DEFAULT_SPARE_GIB));
        try {
            return Math.multiplyExact(gib.longValueExact(), 1L << 30);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("spare-gb is no number of GiB: " + gib, e);
        }
    }

    private static Optional<Striping> striping(JsonObject entry) {
        int stripes = number(entry, "stripe").map(BigDecimal::intValue).orElse(0);
        var size = text(entry, "stripe-size");
        if (!STRIPE_SIZE.matcher(size).matches()) {
            throw new IllegalArgumentException("stripe-size is no size: " + size);
        }
        return stripes == 0
                ? Optional.empty()
                : Optional.of(new Striping(stripes, Optional.of(size).filter(s -> !s.isEmpty())));
    }

    private static List<String> texts(JsonElement list) {
        return list instanceof JsonArray array
                ? StreamSupport.stream(array.spliterator(), false)
                        .filter(JsonElement::isJsonPrimitive)
                        .map(JsonElement::getAsString)
                        .toList()
                : List.of();
    }

    private static String text(JsonObject entry, String key) {
        return primitive(entry, key).map(JsonElement::getAsString).orElse("");
    }

    private static boolean flag(JsonObject entry, String key) {
        return primitive(entry, key).map(JsonElement::getAsBoolean).orElse(false);
    }

    private static Optional<BigDecimal> number(JsonObject entry, String key) {
        return primitive(entry, key).map(JsonElement::getAsBigDecimal);
    }

    private static Optional<JsonElement> primitive(JsonObject entry, String key) {
        return Optional.ofNullable(entry.get(key)).filter(JsonElement::isJsonPrimitive);
    }
}
