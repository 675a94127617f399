package lvms.k8s.typed;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.tree.JsonException;

/**
 * An object and how a codec reads it. Immutable.
 *
 * <p>It is read when it is asked for: one object of a list that does not fit spoils no other.
 *
 * @param object all of it, with its metadata
 * @param codec how it is read
 * @param <T> type of the value
 */
public record TypedObject<T>(KubeObject object, Codec<T> codec) {
    /** Returns namespace and name. */
    public ObjectKey key() {
        return object.key();
    }

    /**
     * Returns what the codec reads.
     *
     * @throws JsonException if the object does not fit, with its name and the path of the field
     */
    public T value() {
        try {
            return codec.decode(object.json());
        } catch (JsonException e) {
            throw new JsonException(object + ": " + e.getMessage(), e);
        }
    }

    /** Returns the object with another value; what the codec does not know stays. */
    public TypedObject<T> with(T value) {
        var before = codec.encode(value());
        var merged = Merge.of(object.json(), before, codec.encode(value));
        return new TypedObject<>(KubeObject.of(merged), codec);
    }

    /** Returns kind and key, never the content. */
    @Override
    public String toString() {
        return object.toString();
    }
}
