package lvms.k8s.election;

import java.time.Duration;

/**
 * The times of an election.
 *
 * @param lease how long others wait after the last renewal that they saw
 * @param renewDeadline how long a leader tries to renew before it gives up
 * @param retryPeriod time between tries
 */
public record LeaseTiming(Duration lease, Duration renewDeadline, Duration retryPeriod) {
    /** The defaults of Kubernetes. */
    public static final LeaseTiming DEFAULT =
            new LeaseTiming(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    /**
     * What a cluster with one control-plane node needs: its API server is away for minutes whenever
     * it is updated, and there is no other process that would wait for the lease.
     */
    public static final LeaseTiming SINGLE_NODE =
            new LeaseTiming(
                    Duration.ofSeconds(270), Duration.ofSeconds(240), Duration.ofSeconds(60));

    /** Checks that a leader gives up before another may start. */
    public LeaseTiming {
        if (lease.compareTo(renewDeadline) <= 0
                || renewDeadline.toMillis() <= retryPeriod.toMillis() * 12 / 10) {
            throw new IllegalArgumentException(
                    "lease "
                            + lease
                            + " must exceed renew deadline "
                            + renewDeadline
                            + ", and that 1.2 x retry period "
                            + retryPeriod);
        }
    }
}
