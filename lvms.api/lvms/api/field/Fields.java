package lvms.api.field;

import lvms.k8s.object.Quantity;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/** Reads members of a JSON object; a member of another type counts as absent. */
public final class Fields {
    private Fields() {}

    public static String text(ObjectTree tree, String name) {
        return tree.text(name).orElse("");
    }

    public static boolean flag(ObjectTree tree, String name) {
        return tree.flag(name).orElse(false);
    }

    public static OptionalInt integer(ObjectTree tree, String name) {
        var number = tree.number(name);
        return number.isPresent()
                ? OptionalInt.of(
                        Math.clamp(number.getAsLong(), Integer.MIN_VALUE, Integer.MAX_VALUE))
                : OptionalInt.empty();
    }

    public static Optional<Quantity> quantity(ObjectTree tree, String name) {
        var value = tree.at(name);
        return value.isNull() ? Optional.empty() : Optional.of(Quantity.parse(value));
    }

    public static <T> Optional<T> object(
            ObjectTree tree, String name, Function<ObjectTree, T> reader) {
        return tree.object(name).map(reader);
    }

    public static <T> List<T> objects(
            ObjectTree tree, String name, Function<ObjectTree, T> reader) {
        return tree.objects(name).stream().map(reader).toList();
    }

    public static <T> ListTree array(List<T> values, Function<T, ? extends Tree> writer) {
        return ListTree.of(values.stream().map(writer).toList());
    }

    public static void addFlag(ObjectTree.Builder tree, String name, boolean flag) {
        if (flag) {
            tree.put(name, true);
        }
    }

    public static void addText(ObjectTree.Builder tree, String name, String value) {
        if (!value.isEmpty()) {
            tree.put(name, value);
        }
    }
}
