package lvms.operator.cluster;

import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.operator.claim.Claim;
import lvms.operator.claim.StorageClass;
import lvms.operator.event.EventReason;
import lvms.operator.informer.OperatorInformers;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Tells the author of a pending claim when no node has room for it. */
public final class ClaimCapacityHint implements Reconciler<ObjectKey> {
    private static final Duration POLL = Duration.ofSeconds(15);
    private static final List<String> UNITS =
            List.of("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB");
    private static final BigDecimal KIBI = BigDecimal.valueOf(1024);

    private final OperatorInformers informers;
    private final EventRecorder events;

    public ClaimCapacityHint(OperatorInformers informers, EventRecorder events) {
        this.informers = informers;
        this.events = events;
    }

    @Override
    public Result reconcile(ObjectKey key) {
        var claim = informers.claims().get(key).filter(ClaimCapacityHint::isPending);
        var wanted = claim.flatMap(this::capacity);
        if (wanted.isEmpty()) {
            return Result.done();
        }
        hint(claim.get(), wanted.get(), informers.nodes().list())
                .ifPresent(
                        text -> events.record(claim.get(), EventReason.NOT_ENOUGH_CAPACITY, text));
        return Result.requeueAfter(POLL);
    }

    /** Whether a claim waits, so that there may be something to tell. */
    public static boolean isPending(KubeObject claim) {
        return !claim.terminating() && new Claim(claim).isPending();
    }

    /** Returns the annotation in which nodes report the room that the claim asks for. */
    private Optional<String> capacity(KubeObject claim) {
        var storageClass =
                StorageClass.find(informers.storageClasses(), new Claim(claim).className());
        return storageClass.flatMap(
                c ->
                        informers
                                .drivers()
                                .named(c.provisioner())
                                .map(driver -> driver.capacityAnnotation(c.deviceClass(driver))));
    }

    /**
     * Returns the text of the event, empty if some node has room.
     *
     * @param capacity annotation in which nodes report their room
     */
    static Optional<String> hint(KubeObject claim, String capacity, List<KubeObject> nodes) {
        var requested =
                claim.value("spec", "resources", "requests", "storage")
                        .map(Quantity::parse)
                        .orElse(Quantity.ZERO);
        var free = free(capacity, nodes);
        if (free.values().stream().anyMatch(f -> f.compareTo(requested.value()) >= 0)) {
            return Optional.empty();
        }
        var perNode = new ArrayList<String>();
        free.forEach((node, bytes) -> perNode.add(node + ": " + text(bytes)));
        return Optional.of(
                "Requested storage ("
                        + text(requested.value())
                        + ") is greater than available capacity on any node"
                        + (perNode.isEmpty() ? "" : " (" + String.join(", ", perNode) + ")"));
    }

    // A report that cannot be read says nothing about the other nodes.
    private static TreeMap<String, BigDecimal> free(String capacity, List<KubeObject> nodes) {
        var free = new TreeMap<String, BigDecimal>();
        for (var node : nodes) {
            node.annotation(capacity)
                    .filter(text -> !text.isEmpty() && text.chars().allMatch(Character::isDigit))
                    .ifPresent(text -> free.put(node.name(), new BigDecimal(text)));
        }
        return free;
    }

    /** Returns a size with one decimal and a binary unit. */
    static String text(BigDecimal bytes) {
        int unit = 0;
        var value = bytes;
        while (value.compareTo(KIBI) >= 0 && unit < UNITS.size() - 1) {
            value = value.divide(KIBI);
            unit++;
        }
        return value.setScale(1, RoundingMode.HALF_UP).toPlainString() + UNITS.get(unit);
    }
}
