package lvms.operator.backend;

import lvms.operator.claim.StorageClass;
import lvms.operator.volume.NodeTopology;

import java.util.Optional;
import java.util.function.Consumer;

/** What the nodes have free for new volumes of a driver. Any thread may use it. */
public interface NodeSpace {
    /**
     * Free space.
     *
     * @param largestBytes the largest volume that can be made
     * @param totalBytes all of it
     */
    record Free(long largestBytes, long totalBytes) {
        public static final Free NONE = new Free(0, 0);

        /** Of which one volume can have all. */
        public static Free of(long bytes) {
            return new Free(bytes, bytes);
        }
    }

    NodeTopology topology();

    /** Returns what a node has free for a class, minus what is reserved; empty if unknown. */
    Optional<Free> free(String node, StorageClass storageClass);

    /** Returns whether something is reserved there that may expire by itself. */
    boolean reserves(String node, StorageClass storageClass);

    /** Calls {@code listener} with the name of a node whenever it got more room. */
    void onMoreRoom(Consumer<String> listener);

    /**
     * Calls {@code listener} with the name of a node whenever its room changes and the Node does
     * not show it; it must not block.
     */
    void onChange(Consumer<String> listener);
}
