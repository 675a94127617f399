package lvms.k8s.event;

import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;

/** Records events, best effort: it never blocks and never fails. Any thread may use it. */
public final class EventRecorder implements AutoCloseable {
    private EventRecorder() {}

    /** Kind of event. */
    public enum Type {
        /** Information. */
        NORMAL,
        /** Something a person should look at. */
        WARNING
    }

    /**
     * Opens a recorder.
     *
     * @param controller qualified name, such as {@code example.com/operator}
     * @param instance this process, such as the name of its pod
     */
    public static EventRecorder open(KubeClient client, String controller, String instance) {
        throw new UnsupportedOperationException();
    }

    /** Records that something happened to an object. */
    public void record(KubeObject regarding, Type type, String reason, String action, String note) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
