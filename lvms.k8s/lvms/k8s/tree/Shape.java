package lvms.k8s.tree;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;

/**
 * The names of an object's members, in their order, which objects share: a thousand pods have the
 * names of one.
 *
 * <p>What is shared is bounded, see {@link Recent}; an object with many or long names has a shape
 * of its own.
 */
final class Shape {
    static final Shape EMPTY = new Shape(new String[0], 0);

    // From this size on, lookups use a hash map. Kubernetes objects have ten members, or one
    // for each file of a ConfigMap.
    private static final int MANY = 16;

    private static final int MAX_SHARED = 32;
    private static final Recent<Shape> RECENT = new Recent<>(1 << 8);

    private final String[] names;
    private final int hash;
    private Map<String, Integer> positions; // if many; made by the first reader, racily

    private Shape(String[] names, int hash) {
        this.names = names;
        this.hash = hash;
    }

    /** Returns the shape of names that are known to differ. */
    static Shape of(String[] names, int size) {
        return of(names, 0, size, true).orElseThrow();
    }

    /** Returns the shape of a part of names; empty if one of them occurs twice. */
    static Optional<Shape> of(String[] names, int from, int to) {
        return of(names, from, to, false);
    }

    private static Optional<Shape> of(String[] names, int from, int to, boolean different) {
        if (from == to) {
            return Optional.of(EMPTY);
        }
        int hash = 1;
        boolean shared = to - from <= MAX_SHARED;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + names[i].hashCode();
            shared &= names[i].length() <= Shared.MAX_BYTES;
        }
        if (shared) {
            var known = RECENT.find(hash, shape -> shape.isOf(names, from, to));
            if (known != null) {
                return Optional.of(known);
            }
        }
        if (!different && !allDiffer(names, from, to)) {
            return Optional.empty();
        }
        var shape = new Shape(Arrays.copyOfRange(names, from, to), hash);
        if (shared) {
            RECENT.add(hash, shape);
        }
        return Optional.of(shape);
    }

    private boolean isOf(String[] others, int from, int to) {
        return Arrays.equals(names, 0, names.length, others, from, to);
    }

    private static boolean allDiffer(String[] names, int from, int to) {
        if (to - from > MANY) {
            return new HashSet<>(Arrays.asList(names).subList(from, to)).size() == to - from;
        }
        for (int i = from; i < to; i++) {
            for (int k = from; k < i; k++) {
                if (names[i].equals(names[k])) {
                    return false;
                }
            }
        }
        return true;
    }

    int size() {
        return names.length;
    }

    String name(int position) {
        return names[position];
    }

    /** Returns the names in a new array, with room for more. */
    String[] names(int length) {
        return Arrays.copyOf(names, length);
    }

    /** Returns where the member of a name is, or -1. */
    int position(String name) {
        if (names.length > MANY) {
            return positions().getOrDefault(name, -1);
        }
        for (int i = 0; i < names.length; i++) {
            if (names[i].equals(name)) {
                return i;
            }
        }
        return -1;
    }

    private Map<String, Integer> positions() {
        var known = positions;
        if (known == null) {
            var map = HashMap.<String, Integer>newHashMap(names.length);
            for (int i = 0; i < names.length; i++) {
                map.put(names[i], i);
            }
            known = Map.copyOf(map); // its fields are final: safe to share without a lock
            positions = known;
        }
        return known;
    }

    /** Equal for shapes with the same names in the same order. */
    int hash() {
        return hash;
    }
}
