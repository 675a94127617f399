package lvms.operator.volume;

import lvms.api.LogicalVolume;
import lvms.api.VolumeException;
import lvms.api.attribute.AttributeChange;
import lvms.api.attribute.VolumeAttributes;
import lvms.k8s.client.ApiException;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The pass that gives a volume other attributes. The caller holds the lock of the name. */
final class VolumeAdjustment {
    private final VolumeStore store;

    /** Volumes for which this process asked a node: a refusal of one of these is the answer. */
    private final Set<String> asked = ConcurrentHashMap.newKeySet();

    VolumeAdjustment(VolumeStore store) {
        this.store = store;
    }

    /**
     * Asks for what the volume has and what is named here; what was asked for before and refused is
     * dropped, so a way back leads from there.
     */
    Progress<LogicalVolume> adjust(LogicalVolume volume, VolumeAttributes named)
            throws VolumeException, ApiException, InterruptedException {
        var change = AttributeChange.of(volume);
        var applied = VolumeAttributes.parse(change.applied());
        if (applied.include(named)) {
            forget(volume.name());
            return new Progress.Converged<>(
                    change.state() == AttributeChange.State.APPLIED
                            ? volume
                            : store.ask(volume, applied));
        }
        var wanted = applied.with(named);
        if (!wanted.text().equals(change.wanted())) {
            ask(volume, wanted);
        } else if (change.state() == AttributeChange.State.REFUSED) {
            if (asked.remove(volume.name())) {
                var refusal = change.refusal().orElseThrow();
                throw new VolumeException(
                        refusal.code(),
                        "node " + volume.spec().nodeName() + ": " + refusal.message());
            }
            ask(volume, wanted);
        } else {
            asked.add(volume.name());
        }
        return new Progress.Pending<>(volume.name());
    }

    private void ask(LogicalVolume volume, VolumeAttributes wanted)
            throws ApiException, InterruptedException {
        asked.add(volume.name());
        store.ask(volume, wanted);
    }

    void forget(String name) {
        asked.remove(name);
    }
}
