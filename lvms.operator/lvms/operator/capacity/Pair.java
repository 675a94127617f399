package lvms.operator.capacity;

import lvms.k8s.object.ObjectKey;

/**
 * A StorageClass on a node.
 *
 * @param storageClass name of the class
 * @param topology value of the node's topology label
 */
record Pair(String storageClass, String topology) {
    /** Returns it as the key of a pass. */
    ObjectKey key() {
        return ObjectKey.of(topology, storageClass);
    }

    static Pair of(ObjectKey key) {
        return new Pair(key.name(), key.namespace());
    }

    String text() {
        return key().toString();
    }
}
