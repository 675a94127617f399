package lvms.k8s.election;

import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ObjectKey;

/** Elects one leader among the processes that name the same Lease. */
public final class LeaderElector implements AutoCloseable {
    private LeaderElector() {}

    /** Told when leadership begins and ends. Runs on the elector's thread; must return soon. */
    public interface Listener {
        /** This process leads now. */
        void onStartedLeading();

        /** This process leads no more; guarded work must stop at once. */
        void onStoppedLeading();
    }

    /** Returns an elector with the default timing of Kubernetes, which is not started yet. */
    public static LeaderElector of(
            KubeClient client, ObjectKey lease, String identity, Listener listener) {
        throw new UnsupportedOperationException();
    }

    /** Starts trying. Returns at once. */
    public void start() {
        throw new UnsupportedOperationException();
    }

    /** Returns whether this process leads. */
    public boolean leading() {
        throw new UnsupportedOperationException();
    }

    /** Stops, and gives the lease away if this process leads. Guarded work must have stopped. */
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
