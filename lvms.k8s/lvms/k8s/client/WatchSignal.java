package lvms.k8s.client;

import lvms.k8s.object.KubeObject;

/** What a watch delivers. */
public sealed interface WatchSignal {
    /**
     * An object changed, or a bookmark moved the resume point.
     *
     * @param type what happened
     * @param object the object, the last state of a deleted object, or the bookmark
     */
    record Event(Type type, KubeObject object) implements WatchSignal {}

    /** Nothing came in the given time; the stream goes on. */
    record Idle() implements WatchSignal {}

    /**
     * The server ended the stream, as it may at any time.
     *
     * @param halfLine whether it ended within an event, which is lost
     */
    record End(boolean halfLine) implements WatchSignal {}

    /** What happened to the object of an event. */
    enum Type {
        /** It exists now. */
        ADDED,
        /** It is different now. */
        MODIFIED,
        /** It is gone. */
        DELETED,
        /** No object, only a resource version. */
        BOOKMARK
    }
}
