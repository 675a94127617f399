package lvms.operator.volume;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.k8s.client.ApiException;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The pass that makes a volume bigger. The caller holds the lock of the name. */
final class VolumeGrowth {
    private final VolumeStore store;
    private final NodeCapacities capacities;
    private final Ledger ledger;

    /** Volumes that this process asked a node to grow: a failure of one of these is the answer. */
    private final Set<String> asked = ConcurrentHashMap.newKeySet();

    VolumeGrowth(VolumeStore store, NodeCapacities capacities, Ledger ledger) {
        this.store = store;
        this.capacities = capacities;
        this.ledger = ledger;
    }

    Progress<LogicalVolume> grow(LogicalVolume volume, CapacityRange range)
            throws VolumeException, ApiException, InterruptedException {
        long bytes = SizeRules.normalise(range);
        if (volume.status().currentSize().isEmpty()) {
            return new Progress.Pending<>(volume.name());
        }
        long current = volume.status().currentSize().get().bytes();
        if (current >= bytes) {
            forget(volume.name());
            if (range.limitBytes() != 0 && current > range.limitBytes()) {
                throw new VolumeException(
                        StatusCode.OUT_OF_RANGE,
                        "the volume has " + current + " bytes and volumes do not shrink");
            }
            return new Progress.Converged<>(volume);
        }
        if (volume.status().code() != StatusCode.OK && asked.remove(volume.name())) {
            var refusal =
                    new VolumeException(
                            volume.status().code(),
                            "node " + volume.spec().nodeName() + ": " + volume.status().message());
            if (volume.status().code() == StatusCode.OUT_OF_RANGE) {
                store.resize(store.clearFailure(volume), current, 0); // the node need not go on
            }
            throw refusal;
        }
        if (volume.status().code() != StatusCode.OK || volume.spec().size().bytes() < bytes) {
            ask(volume, bytes, bytes - current, range.limitBytes());
        }
        return new Progress.Pending<>(volume.name());
    }

    private void ask(LogicalVolume volume, long bytes, long more, long limitBytes)
            throws VolumeException, ApiException, InterruptedException {
        var slot = capacities.slot(volume.spec().nodeName(), volume.spec().deviceClass());
        if (!ledger.reserve(volume.name(), slot, more)) {
            throw new VolumeException(
                    StatusCode.RESOURCE_EXHAUSTED,
                    SizeRules.text(more)
                            + " more requested, but node "
                            + volume.spec().nodeName()
                            + " has "
                            + SizeRules.text(ledger.free(slot).orElse(0))
                            + " free");
        }
        try {
            var clean =
                    volume.status().code() == StatusCode.OK ? volume : store.clearFailure(volume);
            asked.add(volume.name());
            store.resize(clean, bytes, limitBytes);
        } catch (ApiException e) {
            if (!e.outcomeUnknown()) {
                ledger.release(volume.name());
            }
            throw e;
        }
    }

    void forget(String name) {
        asked.remove(name);
    }
}
