package lvms.k8s.typed;

import lvms.k8s.tree.ObjectTree;

/** Reads records by the names of their components. */
record RecordCodec<T extends Record>(Shape shape, Class<T> type) implements Codec<T> {
    @Override
    public T decode(ObjectTree tree) {
        return type.cast(shape.read(tree, ""));
    }

    @Override
    public ObjectTree encode(T value) {
        return shape.write(value).map(tree -> tree.asObject()).orElse(ObjectTree.EMPTY);
    }
}
