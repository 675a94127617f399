package lvms.k8s.controller;

import java.time.Duration;

/**
 * How the time that the end of a process may take is shared out. Unless it is chosen, a process has
 * ended before the 30 s are over that Kubernetes gives a pod.
 *
 * @param whole how long parts may take to close; then the process is halted
 */
record Grace(Duration whole) {
    static final Grace DEFAULT = new Grace(Duration.ofSeconds(25));

    Grace {
        if (!whole.isPositive()) {
            throw new IllegalArgumentException("a grace of " + whole);
        }
    }

    /** Returns how long running passes go on: 15 s of 25. */
    Duration passes() {
        return whole.multipliedBy(3).dividedBy(5);
    }

    /**
     * Returns how long interrupted passes may take to end: 5 s of 25; 5 s are left for the rest.
     */
    Duration interrupted() {
        return whole.dividedBy(5);
    }

    /**
     * Returns how long the lease may take to be given away when the time is over: 2.5 s after 25.
     */
    Duration release() {
        return whole.dividedBy(10);
    }

    /** Returns after which time the process is gone at the latest. */
    Duration longest() {
        return whole.plus(release());
    }
}
