package lvms.operator.scheduler;

import lvms.k8s.tree.NullTree;
import lvms.k8s.tree.NumberTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.k8s.yaml.Yaml;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The configuration file of the extender, in TopoLVM's format.
 *
 * @param listen address to serve, such as {@code :8000}
 * @param profiling address of the profiling pages; empty for none
 * @param unknown keys that mean nothing here
 */
public record ExtenderSettings(
        String listen, Divisors divisors, String profiling, List<String> unknown) {
    private static final String LISTEN = "listen";
    private static final String DEFAULT = "default-divisor";
    private static final String DIVISORS = "divisors";
    private static final String PROFILING = "profiling-bind-address";

    /** Without a file. */
    public static final ExtenderSettings USUAL =
            new ExtenderSettings(":8000", Divisors.ONE, "", List.of());

    public ExtenderSettings {
        unknown = List.copyOf(unknown);
    }

    /**
     * Reads the text of a file. As in TopoLVM the case of keys does not matter.
     *
     * @throws IllegalArgumentException if something in it cannot be used
     */
    public static ExtenderSettings parse(String yaml) {
        return switch (Yaml.read(yaml)) {
            case NullTree _ -> USUAL;
            case ObjectTree mapping -> of(mapping);
            default -> throw new IllegalArgumentException("expected a mapping of keys");
        };
    }

    private static ExtenderSettings of(ObjectTree mapping) {
        var listen = USUAL.listen();
        var fallback = USUAL.divisors().fallback();
        Map<String, Double> byClass = Map.of();
        var profiling = USUAL.profiling();
        var unknown = new ArrayList<String>();
        for (var entry : mapping.members().entrySet()) {
            var value = entry.getValue();
            if (value instanceof NullTree) {
                continue;
            }
            switch (entry.getKey().toLowerCase(Locale.ROOT)) {
                case LISTEN -> listen = text(LISTEN, value);
                case DEFAULT -> fallback = divisor(DEFAULT, value);
                case DIVISORS -> byClass = divisors(value);
                case PROFILING -> profiling = text(PROFILING, value);
                default -> unknown.add(entry.getKey());
            }
        }
        return new ExtenderSettings(listen, new Divisors(fallback, byClass), profiling, unknown);
    }

    private static Map<String, Double> divisors(Tree value) {
        if (!(value instanceof ObjectTree classes)) {
            throw new IllegalArgumentException(
                    DIVISORS + ": expected a number for each device class");
        }
        var read = new HashMap<String, Double>();
        classes.members()
                .forEach((name, number) -> read.put(name, divisor(DIVISORS + "." + name, number)));
        return read;
    }

    private static double divisor(String key, Tree value) {
        if (value instanceof NumberTree number && number.exact().signum() > 0) {
            return number.exact().doubleValue();
        }
        throw new IllegalArgumentException(key + ": must be a number above 0");
    }

    private static String text(String key, Tree value) {
        if (!value.isScalar()) {
            throw new IllegalArgumentException(key + ": must be a text");
        }
        return value.asText();
    }
}
