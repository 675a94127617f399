package lvms.k8s.tree;

import java.util.Arrays;
import java.util.List;

/**
 * Shares one instance of equal names, short texts and small trees, since the objects of a cache
 * differ little: 10,000 volumes all have the same members, driver, class and sizes.
 *
 * <p>The tables are bounded ({@link Recent}), and so is what each entry holds, whatever is read: at
 * most some 8 MiB, with the shapes.
 */
final class Shared {
    /** Longer names and texts are rarely seen twice. */
    static final int MAX_BYTES = 64;

    /** The values in a tree that is shared, with itself. */
    static final int MAX_WEIGHT = 24;

    private static final Recent<Bytes<String>> NAMES = new Recent<>(1 << 10);
    private static final Recent<Bytes<TextTree>> TEXTS = new Recent<>(1 << 11);
    private static final Recent<ObjectTree> OBJECTS = new Recent<>(1 << 8);
    private static final Recent<ListTree> LISTS = new Recent<>(1 << 7);
    private static final Recent<NumberTree> INTEGERS = new Recent<>(1 << 8);

    private Shared() {}

    /** The text between two quotes, and what it means. */
    private record Bytes<T>(byte[] json, T value) {
        boolean is(byte[] text, int from, int to) {
            return Arrays.equals(json, 0, json.length, text, from, to);
        }
    }

    /** Makes what the text between two quotes means. */
    interface Decoder {
        String decode(int from, int to);
    }

    /** Returns the name of a member. */
    static String name(byte[] json, int from, int to, int hash, Decoder decoder) {
        if (to - from > MAX_BYTES) {
            return decoder.decode(from, to);
        }
        var known = NAMES.find(hash, each -> each.is(json, from, to));
        if (known == null) {
            known = new Bytes<>(Arrays.copyOfRange(json, from, to), decoder.decode(from, to));
            NAMES.add(hash, known);
        }
        return known.value();
    }

    static TextTree text(byte[] json, int from, int to, int hash, Decoder decoder) {
        if (to - from > MAX_BYTES) {
            return new TextTree(decoder.decode(from, to));
        }
        var known = TEXTS.find(hash, each -> each.is(json, from, to));
        if (known == null) {
            var value = new TextTree(decoder.decode(from, to));
            known = new Bytes<>(Arrays.copyOfRange(json, from, to), value);
            TEXTS.add(hash, known);
        }
        return known.value();
    }

    static NumberTree integer(long value, int hash) {
        var known = INTEGERS.find(hash, each -> each.value().longValue() == value);
        if (known == null) {
            known = new NumberTree(value);
            INTEGERS.add(hash, known);
        }
        return known;
    }

    /** Returns an object; its values are compared by identity, since they are shared too. */
    static ObjectTree object(Shape shape, Tree[] values, int from, int to, int hash) {
        var known = OBJECTS.find(hash, each -> each.isOf(shape, values, from, to));
        if (known == null) {
            known = new ObjectTree(shape, Arrays.copyOfRange(values, from, to));
            OBJECTS.add(hash, known);
        }
        return known;
    }

    /** Returns a list; its elements are compared by identity. */
    static ListTree list(List<Tree> elements, int hash) {
        var known = LISTS.find(hash, each -> sameElements(each, elements));
        if (known == null) {
            known = ListTree.of(elements);
            LISTS.add(hash, known);
        }
        return known;
    }

    private static boolean sameElements(ListTree list, List<Tree> elements) {
        if (list.size() != elements.size()) {
            return false;
        }
        for (int i = 0; i < elements.size(); i++) {
            if (list.at(i) != elements.get(i)) {
                return false;
            }
        }
        return true;
    }
}
