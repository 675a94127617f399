package lvms.k8s.typed;

import lvms.k8s.tree.JsonException;
import lvms.k8s.tree.ObjectTree;

import java.lang.invoke.MethodHandles;

/**
 * Turns the tree of an object into a value and back. Any thread may use it.
 *
 * <p>It need not know every field: what {@link #decode} leaves out, {@link #encode} leaves out too,
 * and {@link TypedClient} keeps. What it knows it has to write as it reads it: the encoded form of
 * a decoded value may differ from the tree only in what the value does not hold.
 *
 * @param <T> type of the values
 */
public interface Codec<T> {
    /**
     * Returns the value of a whole object, with {@code metadata} and all.
     *
     * @throws JsonException if the tree does not fit, with the path of the field
     */
    T decode(ObjectTree tree);

    /** Returns the fields that the value holds; nothing of API version and kind. */
    ObjectTree encode(T value);

    /**
     * Returns a codec that reads the components of a record by their names.
     *
     * <p>A component is a String, int, long, double, boolean, enum, {@link java.time.Instant},
     * {@link lvms.k8s.object.Quantity}, tree, another record, or an Optional of one, or a List or a
     * Map of texts to them. A field that is absent or null reads as empty text, list or map, zero
     * or false, and an Optional tells it; a time or an enum has to be there unless it is Optional.
     * Empty texts, lists, maps and Optionals are not written; numbers and flags always are, unless
     * they are Optional. {@link Member} gives a component another name.
     *
     * @param lookup with access to the record and those in it: {@code MethodHandles.lookup()}
     * @throws IllegalArgumentException if a component has another type, or there is no access
     */
    static <T extends Record> Codec<T> ofRecord(MethodHandles.Lookup lookup, Class<T> type) {
        return new RecordCodec<>(Shapes.of(lookup).record(type), type);
    }
}
