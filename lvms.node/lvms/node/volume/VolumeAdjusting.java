package lvms.node.volume;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.api.attribute.AttributeChange;
import lvms.api.attribute.VolumeAttributes;
import lvms.k8s.client.ApiException;
import lvms.lvm2.LvmException;

import java.util.Optional;

/**
 * Gives volumes the attributes that are wanted. What LVM shows afterwards is what counts as
 * applied, after a failure too, so that the next wish starts from the truth.
 */
record VolumeAdjusting(NodeStorage storage, VolumeStatusWriter writer) {
    private static final System.Logger LOG = System.getLogger(VolumeAdjusting.class.getName());

    void adjust(LogicalVolume volume) throws ApiException, LvmException, InterruptedException {
        try {
            var wanted = tune(volume);
            LOG.log(
                    INFO,
                    () -> "volume adjusted name=" + volume.name() + " attributes=" + wanted.text());
            writer.adjusted(volume, wanted.text(), Optional.empty());
        } catch (VolumeException e) {
            refuse(volume, e.code(), e);
        } catch (VolumeRefused e) {
            refuse(volume, e.code(), e);
        } catch (LvmException e) {
            if (e.passing()) {
                throw e; // repeated with back-off: lvchange may have changed all, some or nothing
            }
            refuse(volume, LvmFailure.codeOf(e), e);
        }
    }

    /**
     * Gives a new volume what it is to have from the start, before anybody hears of it: one that
     * cannot have it is not made, and whoever asked for it deletes the object.
     */
    void require(LogicalVolume volume) throws LvmException, VolumeRefused, InterruptedException {
        boolean wanted = AttributeChange.of(volume).state() == AttributeChange.State.PENDING;
        if (!wanted || volume.isSnapshot() || NodeStorage.hadVolume(volume)) {
            return;
        }
        try {
            tune(volume);
        } catch (VolumeException e) {
            throw new VolumeRefused(e.code(), e.getMessage());
        }
    }

    private VolumeAttributes tune(LogicalVolume volume)
            throws VolumeException, LvmException, VolumeRefused, InterruptedException {
        var wanted = VolumeAttributes.parse(AttributeChange.of(volume).wanted());
        var tuned = storage.tune(volume, AttributeTunings.tuning(wanted));
        var applied = AttributeTunings.attributes(tuned).only(wanted.values().keySet());
        if (!applied.include(wanted)) {
            throw new VolumeRefused(
                    StatusCode.INVALID_ARGUMENT,
                    "LVM made %s of %s: a read-ahead has to be a multiple of this machine's pages"
                            .formatted(applied.text(), wanted.text()));
        }
        return wanted;
    }

    private void refuse(LogicalVolume volume, StatusCode code, Exception why)
            throws ApiException, InterruptedException {
        var wanted = AttributeChange.of(volume).wanted();
        LOG.log(
                WARNING,
                () ->
                        "volume not adjusted name=%s attributes=%s code=%s: %s"
                                .formatted(volume.name(), wanted, code, why.getMessage()));
        var refusal = new AttributeChange.Refusal(code, wanted, why.getMessage());
        writer.adjusted(volume, truth(volume), Optional.of(refusal));
    }

    /**
     * What the volume has of all that it was ever asked to have; as last known, if nobody can tell.
     */
    private String truth(LogicalVolume volume) throws InterruptedException {
        var change = AttributeChange.of(volume);
        try {
            var asked = VolumeAttributes.parse(change.applied());
            var has = AttributeTunings.attributes(storage.tuning(volume));
            return has.only(asked.values().keySet()).text();
        } catch (VolumeException | VolumeRefused | LvmException e) {
            LOG.log(WARNING, () -> "attributes not read name=" + volume.name() + ": " + e);
            return change.applied();
        }
    }
}
