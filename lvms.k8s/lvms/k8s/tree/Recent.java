package lvms.k8s.tree;

import java.util.function.Predicate;

/**
 * A table of fixed size of what was seen lately, of which only values that were seen twice push
 * such values out. So what most objects have stays, however much comes once.
 *
 * <p>Each slot has a value that was found before, and a newcomer. Any thread may use it; threads
 * race for slots, and the loser keeps its own copy. Values are immutable and safely published by
 * their final fields.
 */
final class Recent<T> {
    private final Object[] values;

    /** Makes a table for twice as many values. */
    Recent(int slots) {
        if (Integer.bitCount(slots) != 1) {
            throw new IllegalArgumentException("not a power of two: " + slots);
        }
        values = new Object[slots * 2];
    }

    /** Returns the value of this hash for which the predicate holds, or null. */
    T find(int hash, Predicate<T> same) {
        int slot = slot(hash);
        var known = at(slot);
        if (known != null && same.test(known)) {
            return known;
        }
        var newcomer = at(slot + 1);
        if (newcomer == null || !same.test(newcomer)) {
            return null;
        }
        values[slot] = newcomer;
        values[slot + 1] = known;
        return newcomer;
    }

    @SuppressWarnings("unchecked") // only add and find write
    private T at(int index) {
        return (T) values[index];
    }

    void add(int hash, T value) {
        values[slot(hash) + 1] = value;
    }

    private int slot(int hash) {
        int mixed = hash * 0x9E3779B9; // the golden ratio: near hashes lie far apart
        return (mixed >>> 16 ^ mixed) * 2 & values.length - 1;
    }
}
