package lvms.api.nativestor;

import lvms.api.field.Hashes;

/** How NativeStor names the objects of a node. */
public final class NodeObjects {
    private static final int HASH_DIGITS = 32;
    private static final int MOST = 63;
    private static final String INVENTORY = "lvmdconfig-";

    private NodeObjects() {}

    /** Returns the first half of a SHA-256, in hex. */
    public static String hash(String text) {
        return Hashes.hex(text, HASH_DIGITS);
    }

    /**
     * Returns a name that ends in the node, or in its hash if that would be longer than a label may
     * be.
     */
    public static String name(String prefix, String node) {
        return prefix + (prefix.length() + node.length() > MOST ? hash(node) : node);
    }

    /** Returns the ConfigMap with the devices of a node. */
    public static String inventory(String node) {
        return name(INVENTORY, node);
    }

    /**
     * Returns the value of the label {@code node}: the node, or its hash if a label has no room for
     * it, which NativeStor could not label at all.
     */
    public static String labelValue(String node) {
        return name("", node);
    }
}
