package lvms.tests.conformance.takeover;

import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;

import java.time.Duration;
import java.time.Instant;

/** Users who go on while something is changed: a claim with a pod every few seconds. */
final class Arrivals {
    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final String SIZE = "32Mi";

    private final Sandbox box;
    private final Repeatedly users;

    private Arrivals(Sandbox box, Repeatedly users) {
        this.box = box;
        this.users = users;
    }

    /**
     * How long the one waited that waited longest, in whole seconds as the server counts.
     *
     * @param claims how many there were
     * @param volume from the creation of the claim to that of its volume
     * @param pod from the creation of the pod until it was ready
     */
    record Waits(int claims, Duration volume, Duration pod) {
        private Waits and(Duration otherVolume, Duration otherPod) {
            return new Waits(claims + 1, longer(volume, otherVolume), longer(pod, otherPod));
        }

        private static Duration longer(Duration one, Duration other) {
            return one.compareTo(other) > 0 ? one : other;
        }

        @Override
        public String toString() {
            return "%d claims meanwhile; the longest wait for a volume was %d s, for a pod %d s"
                    .formatted(claims, volume.toSeconds(), pod.toSeconds());
        }
    }

    static Arrivals begin(Product product, String storageClass) throws Exception {
        var box = Sandbox.open(product, "arrivals");
        return new Arrivals(
                box, Repeatedly.start(PAUSE, number -> arrive(box, storageClass, number)));
    }

    private static void arrive(Sandbox box, String storageClass, int number) throws Exception {
        var name = "user" + number;
        box.create(Claim.of(name, storageClass, SIZE));
        box.create(Pod.with(name, name));
    }

    /** Nobody comes any more; waits until each has a pod that runs, and until all have gone. */
    Waits end() throws Exception {
        var waits = new Waits(0, Duration.ZERO, Duration.ZERO);
        int count = users.end();
        for (int number = 1; number <= count; number++) {
            var name = "user" + number;
            var pod = box.awaitReady(name);
            var claim = box.find(Types.PVC, name).orElseThrow();
            waits =
                    waits.and(
                            Duration.between(created(claim), created(box.volumeOf(name))),
                            Duration.between(created(pod), ready(pod)));
        }
        box.clear();
        return waits;
    }

    private static Instant created(KubeObject object) {
        return object.creationTimestamp().orElseThrow();
    }

    private static Instant ready(KubeObject pod) {
        return pod.condition("Ready").map(Condition::lastTransitionTime).orElseThrow();
    }
}
