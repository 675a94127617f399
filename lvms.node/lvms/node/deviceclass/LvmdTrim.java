package lvms.node.deviceclass;

import lvms.api.ThinPoolConfig.Trim;
import lvms.k8s.object.Quantity;
import lvms.k8s.tree.NullTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The key of a thin pool in lvmd.yaml that has the filesystems in it trimmed; TopoLVM ignores it.
 */
final class LvmdTrim {
    static final String TRIM = "trim";
    private static final String INTERVAL = "interval-hours";
    private static final String RATE = "rate";

    /** The keys below it. */
    static final Set<String> KEYS = Set.of(INTERVAL, RATE);

    /** A year. */
    private static final int MOST_HOURS = 8760;

    private LvmdTrim() {}

    /**
     * Reads the key; without it nothing is trimmed, and an empty mapping has the defaults.
     *
     * @throws IllegalArgumentException if a value makes no sense
     */
    static Optional<Trim> read(ObjectTree pool) {
        return switch (pool.at(TRIM)) {
            case NullTree _ -> Optional.empty();
            case ObjectTree trim -> Optional.of(new Trim(hours(trim), rate(trim)));
            case Tree other ->
                    throw new IllegalArgumentException(
                            "thin-pool: trim must be a mapping, such as {}, not " + other);
        };
    }

    private static OptionalInt hours(ObjectTree trim) {
        var hours = LvmdEntry.number(trim, INTERVAL);
        if (hours.isEmpty()) {
            return OptionalInt.empty();
        }
        if (!fits(hours.get())) {
            throw new IllegalArgumentException(
                    "%s must be a whole number from 1 to %d, not %s"
                            .formatted(INTERVAL, MOST_HOURS, hours.get()));
        }
        return OptionalInt.of(hours.get().intValue());
    }

    private static boolean fits(BigDecimal hours) {
        return hours.stripTrailingZeros().scale() <= 0
                && hours.signum() > 0
                && hours.compareTo(BigDecimal.valueOf(MOST_HOURS)) <= 0;
    }

    private static Optional<Quantity> rate(ObjectTree trim) {
        var text = LvmdEntry.text(trim, RATE);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        var rate = Quantity.parse(text);
        if (rate.bytes() < Trim.LEAST_RATE.bytes()) {
            throw new IllegalArgumentException(
                    "rate must be at least %s a second, not %s".formatted(Trim.LEAST_RATE, text));
        }
        return Optional.of(rate);
    }
}
