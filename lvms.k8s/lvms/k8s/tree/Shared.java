package lvms.k8s.tree;

/**
 * Shares one instance of equal names and short values, since the objects of a cache differ little:
 * 10,000 volumes all have the same members, driver, class and sizes.
 *
 * <p>There are two tables of fixed size; the last value of a slot wins. Any thread may ask. Threads
 * race for slots, and the loser keeps its own copy. Strings and texts are immutable and safely
 * published by their final fields.
 */
final class Shared {
    private static final int SLOTS = 1 << 10;
    private static final int MAX_CHARS = 48; // longer ones are rarely seen twice

    private static final String[] NAMES = new String[SLOTS];
    private static final TextTree[] VALUES = new TextTree[SLOTS];

    private Shared() {}

    /** Returns the name of a member. */
    static String name(String name) {
        if (name.length() > MAX_CHARS) {
            return name;
        }
        int slot = slot(name);
        var known = NAMES[slot];
        if (name.equals(known)) {
            return known;
        }
        NAMES[slot] = name;
        return name;
    }

    static Tree value(String text) {
        if (text.length() > MAX_CHARS) {
            return new TextTree(text);
        }
        int slot = slot(text);
        var known = VALUES[slot];
        if (known != null && known.value().equals(text)) {
            return known;
        }
        var value = new TextTree(text);
        VALUES[slot] = value;
        return value;
    }

    private static int slot(String text) {
        int hash = text.hashCode();
        return (hash ^ hash >>> 16) & SLOTS - 1;
    }
}
