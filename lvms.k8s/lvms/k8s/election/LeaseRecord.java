package lvms.k8s.election;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Times;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;

import java.time.Duration;
import java.time.Instant;

/**
 * Who holds a Lease.
 *
 * @param holder identity of the holder, empty if it released the lease
 * @param lease how long it is valid after a renewal
 * @param acquired when the holder got it
 * @param renewed when the holder renewed it, on the holder's clock
 * @param transitions how often the holder changed
 */
record LeaseRecord(
        String holder, Duration lease, Instant acquired, Instant renewed, long transitions) {
    static LeaseRecord of(KubeObject object) {
        return new LeaseRecord(
                object.text("spec", "holderIdentity").orElse(""),
                Duration.ofSeconds(object.number("spec", "leaseDurationSeconds").orElse(0)),
                object.time("spec", "acquireTime").orElse(Instant.EPOCH),
                object.time("spec", "renewTime").orElse(Instant.EPOCH),
                object.number("spec", "leaseTransitions").orElse(0));
    }

    KubeObject on(KubeObject object) {
        var spec = object.object("spec").orElse(ObjectTree.EMPTY).toBuilder();
        spec.put("holderIdentity", holder);
        spec.put("leaseDurationSeconds", lease.toSeconds());
        spec.put("acquireTime", Times.micros(acquired));
        spec.put("renewTime", Times.micros(renewed));
        spec.put("leaseTransitions", transitions);
        return object.with(spec.build(), "spec");
    }

    KubeObject create(ObjectKey key) {
        return on(KubeObject.create(Types.LEASE, key));
    }
}
