package lvms.node.deviceclass;

import lvms.api.ErasureConfig.OnRemoval;
import lvms.api.ErasureConfig.ZeroVolumes;
import lvms.k8s.object.Quantity;
import lvms.k8s.tree.ObjectTree;

/** The keys of an entry of lvmd.yaml that say how volumes are erased; TopoLVM ignores them. */
final class LvmdErasure {
    static final String ZERO_VOLUMES = "zero-volumes";
    static final String ON_REMOVAL = "erase-on-removal";
    static final String RATE = "erase-rate";

    private LvmdErasure() {}

    /**
     * Reads the keys; without them nothing is erased, since TopoLVM's callers do not wait for it.
     *
     * @throws IllegalArgumentException if a value is unknown
     */
    static ErasurePolicy read(ObjectTree entry) {
        var which = LvmdEntry.text(entry, ZERO_VOLUMES);
        var what = LvmdEntry.text(entry, ON_REMOVAL);
        var rate = LvmdEntry.text(entry, RATE);
        var none = ErasurePolicy.NOTHING;
        try {
            return new ErasurePolicy(
                    which.isEmpty() ? none.zeroVolumes() : ZeroVolumes.of(which),
                    what.isEmpty() ? none.onRemoval() : OnRemoval.of(what),
                    rate.isEmpty() ? none.rateBytes() : Quantity.parse(rate).bytes());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    ("%s is none, block or all, %s is none, discard or zero, %s is bytes a"
                                    + " second: %s")
                            .formatted(ZERO_VOLUMES, ON_REMOVAL, RATE, e.getMessage()),
                    e);
        }
    }

    /** Writes what is not as it is without the keys, and the first key in any case. */
    static void write(ErasurePolicy policy, ObjectTree.Builder entry) {
        var none = ErasurePolicy.NOTHING;
        entry.put(ZERO_VOLUMES, policy.zeroVolumes().text());
        entry.remove(ON_REMOVAL);
        entry.remove(RATE);
        if (policy.onRemoval() != none.onRemoval()) {
            entry.put(ON_REMOVAL, policy.onRemoval().text());
        }
        if (policy.rateBytes() != none.rateBytes()) {
            entry.put(RATE, Quantity.ofBytes(policy.rateBytes()).toString());
        }
    }
}
