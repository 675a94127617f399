package lvms.node.deviceclass;

import lvms.k8s.tree.FlagTree;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.NullTree;
import lvms.k8s.tree.NumberTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.lvm2.Grammar;
import lvms.lvm2.LvName;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning;
import lvms.node.deviceclass.NodeDeviceClass.Striping;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads one entry of lvmd.yaml by TopoLVM's rules. */
final class LvmdEntry {
    /** The keys of a device class. */
    static final Set<String> KEYS =
            Set.of(
                    "name",
                    "volume-group",
                    "default",
                    "spare-gb",
                    "stripe",
                    "stripe-size",
                    "lvcreate-options",
                    "type",
                    "thin-pool",
                    LvmdErasure.ZERO_VOLUMES,
                    LvmdErasure.ON_REMOVAL,
                    LvmdErasure.RATE);

    /** The keys of a class' thin pool. */
    static final Set<String> POOL_KEYS = Set.of("name", "overprovision-ratio", LvmdTrim.TRIM);

    /** What TopoLVM keeps back if the class does not set it. */
    private static final long DEFAULT_SPARE_GIB = 10;

    /** LVM allows no more stripes than this. */
    private static final int MAX_STRIPES = 128;

    private static final int MAX_NAME = 63;
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9]([-_.a-zA-Z0-9]*[a-zA-Z0-9])?");
    private static final Pattern STRIPE_SIZE = Pattern.compile("(?i)[0-9]*[kmgtpebs]?");

    private LvmdEntry() {}

    /**
     * Reads a device class.
     *
     * @param mayBeDefault false once another class is the default
     * @throws IllegalArgumentException if the entry is invalid
     */
    static NodeDeviceClass read(ObjectTree entry, boolean mayBeDefault) {
        var name = text(entry, "name");
        if (name.length() > MAX_NAME || !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "the name must have 1 to 63 letters, digits, '-', '_' or '.', the first and"
                            + " the last a letter or digit");
        }
        var group = text(entry, "volume-group");
        if (group.isEmpty()) {
            throw new IllegalArgumentException("volume-group is not set");
        }
        Grammar.requireVgName(group);
        var options = texts(entry, "lvcreate-options");
        return new NodeDeviceClass(
                name,
                group,
                flag(entry, "default") && mayBeDefault,
                provisioning(entry, group),
                spareBytes(entry),
                striping(entry),
                options,
                RaidOptions.shapeOf(options),
                LvmdErasure.read(entry));
    }

    /** Returns whether the entry wants to be the default class. */
    static boolean wantsDefault(ObjectTree entry) {
        return flag(entry, "default");
    }

    /**
     * Reads the option classes; if a name occurs twice, the last one wins.
     *
     * @throws IllegalArgumentException if it is not a list of option classes
     */
    static Map<String, List<String>> optionClasses(Tree list) {
        var classes = new HashMap<String, List<String>>();
        for (var element : elements(list, "lvcreate-option-classes")) {
            if (!(element instanceof ObjectTree entry)) {
                throw new IllegalArgumentException(
                        "lvcreate-option-classes: expected a mapping for each class");
            }
            classes.put(text(entry, "name"), texts(entry, "options"));
        }
        return classes;
    }

    private static Provisioning provisioning(ObjectTree entry, String group) {
        return switch (text(entry, "type")) {
            case "", "thick" -> new Provisioning.Thick();
            case "thin" -> thin(entry, group);
            case String other ->
                    throw new IllegalArgumentException(
                            "type must be thick or thin, not \"" + other + '"');
        };
    }

    private static Provisioning thin(ObjectTree entry, String group) {
        if (!(entry.at("thin-pool") instanceof ObjectTree pool)) {
            throw new IllegalArgumentException("type is thin, but thin-pool is not set");
        }
        var name = text(pool, "name");
        if (name.isEmpty()) {
            throw new IllegalArgumentException("thin-pool: name is not set");
        }
        Grammar.requireLvName(new LvName(group, name));
        var ratio =
                number(pool, "overprovision-ratio")
                        .orElseThrow(
                                () ->
                                        new IllegalArgumentException(
                                                "thin-pool: overprovision-ratio is not set"));
        return new Provisioning.Thin(name, ratio.doubleValue(), LvmdTrim.read(pool));
    }

    private static long spareBytes(ObjectTree entry) {
        var gib = number(entry, "spare-gb").orElse(BigDecimal.valueOf(DEFAULT_SPARE_GIB));
        try {
            long bytes = Math.multiplyExact(gib.longValueExact(), 1L << 30);
            if (bytes >= 0) {
                return bytes;
            }
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    "spare-gb must be a whole number of GiB, not " + gib, e);
        }
        throw new IllegalArgumentException("spare-gb must not be negative, as " + gib + " is");
    }

    private static Optional<Striping> striping(ObjectTree entry) {
        var size = text(entry, "stripe-size");
        if (!STRIPE_SIZE.matcher(size).matches()) {
            throw new IllegalArgumentException(
                    "stripe-size must be a number with one of the units k m g t p e b s, not "
                            + size);
        }
        var stripes = number(entry, "stripe").orElse(BigDecimal.ZERO);
        boolean whole = stripes.stripTrailingZeros().scale() <= 0;
        if (!whole || stripes.signum() < 0 || stripes.intValue() > MAX_STRIPES) {
            throw new IllegalArgumentException(
                    "stripe must be a whole number from 0 to 128, not " + stripes);
        }
        return stripes.signum() == 0
                ? Optional.empty()
                : Optional.of(
                        new Striping(
                                stripes.intValue(), Optional.of(size).filter(s -> !s.isEmpty())));
    }

    /**
     * Returns the words of a list.
     *
     * @throws IllegalArgumentException if it is something else, such as a single text with blanks
     */
    static List<String> texts(ObjectTree entry, String key) {
        var words = new ArrayList<String>();
        for (var element : elements(entry.at(key), key)) {
            if (!element.isScalar()) {
                throw new IllegalArgumentException(key + ": each element must be a string");
            }
            words.add(element.asText());
        }
        return words;
    }

    /** Returns the elements of a list; none if it is not there. */
    static ListTree elements(Tree list, String key) {
        return switch (list) {
            case NullTree _ -> ListTree.EMPTY;
            case ListTree array -> array;
            default ->
                    throw new IllegalArgumentException(
                            key + ": expected a list (one line \"- ELEMENT\" each)");
        };
    }

    /** Returns a text; empty if it is not there. */
    static String text(ObjectTree entry, String key) {
        return scalar(entry, key, Tree.class, "a text").map(Tree::asText).orElse("");
    }

    private static boolean flag(ObjectTree entry, String key) {
        return scalar(entry, key, FlagTree.class, "true or false")
                .map(FlagTree::value)
                .orElse(false);
    }

    /** Returns a number; empty if it is not there. */
    static Optional<BigDecimal> number(ObjectTree entry, String key) {
        return scalar(entry, key, NumberTree.class, "a number").map(NumberTree::exact);
    }

    private static <T extends Tree> Optional<T> scalar(
            ObjectTree entry, String key, Class<T> type, String kind) {
        var value = entry.at(key);
        if (value.isNull()) {
            return Optional.empty();
        }
        if (value.isScalar() && type.isInstance(value)) {
            return Optional.of(type.cast(value));
        }
        throw new IllegalArgumentException(key + " must be " + kind + ", not " + value);
    }
}
