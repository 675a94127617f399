package lvms.k8s.election;

import lvms.tests.cluster.AuditedRequest;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Who held a lease when, by the audit logs of all API servers. Each contender writes as a user of
 * its own, and nobody else writes leases.
 */
record LeaseHistory(List<AuditedRequest> renewals, Duration lease) {
    private static final Set<String> WRITES = Set.of("create", "update", "patch", "delete");

    static LeaseHistory of(List<AuditedRequest> requests, Set<String> users, Duration lease) {
        var renewals =
                requests.stream()
                        .filter(request -> request.resource().equals("leases"))
                        .filter(request -> users.contains(request.user()) && changed(request))
                        .sorted(Comparator.comparing(AuditedRequest::answered))
                        .toList();
        return new LeaseHistory(renewals, lease);
    }

    static boolean changed(AuditedRequest request) {
        return WRITES.contains(request.verb()) && request.status() < 300;
    }

    /** Returns why the user had no right to this write; empty if it held the lease. */
    Optional<String> objection(AuditedRequest write) {
        var last =
                renewals.stream()
                        .filter(renewal -> renewal.answered().isBefore(write.received()))
                        .reduce((_, later) -> later);
        if (last.isEmpty()) {
            return Optional.of("nobody had the lease: " + write);
        }
        var until = end(last.get());
        if (!last.get().user().equals(write.user())) {
            return Optional.of(last.get().user() + " had the lease: " + write);
        }
        return write.received().isAfter(until)
                ? Optional.of("the lease had expired at " + until + ": " + write)
                : Optional.empty();
    }

    private Instant end(AuditedRequest renewal) {
        return renewal.answered().plus(lease);
    }
}
