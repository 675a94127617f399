package lvms.launcher;

import lvms.k8s.election.LeaderElector;

import java.time.Duration;

/**
 * Begins the work once this process leads. Losing the lease ends the process, before another one
 * can have the lease: a new process makes sure that nothing goes on.
 *
 * @param margin how long nobody else can have the lease after it was lost
 */
record Leading(Serving serving, Runnable work, Duration margin) implements LeaderElector.Listener {
    @Override
    public void onStartedLeading() {
        work.run();
    }

    @Override
    public void onStoppedLeading() {
        serving.endWithin(1, margin);
    }
}
