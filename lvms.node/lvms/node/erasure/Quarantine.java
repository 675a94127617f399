package lvms.node.erasure;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.api.ErasureConfig.OnRemoval;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.node.erasure.Erasures.Urgency;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/**
 * Where removed volumes wait until they are erased: each keeps its extents under another name, so
 * that whoever removed it need not wait, and a process that comes later goes on. Any thread may
 * call.
 */
public final class Quarantine {
    private static final System.Logger LOG = System.getLogger(Quarantine.class.getName());

    private final Groups groups;
    private final Erasures erasures;

    public Quarantine(Groups groups, Erasures erasures) {
        this.groups = groups;
        this.erasures = erasures;
    }

    /**
     * Takes a thick volume out of use, under another name, and begins to erase it. A call that was
     * cut short is repeated: the volume has its own name until it is marked.
     *
     * @throws LvmException.InUse if it is open
     */
    public void take(Lvm lvm, LogicalVolume volume, OnRemoval how, long rateBytes)
            throws LvmException, InterruptedException {
        erasures.stop(volume.identity());
        lvm.volumes().deactivate(volume.identity()); // LVM refuses if it is open
        var quarantined = Marks.quarantined(volume);
        var mark = Set.of(Marks.ERASE + how.text());
        var former = new HashSet<>(volume.tags());
        former.removeAll(mark); // which a call that was cut has set
        lvm.volumes().changeTags(volume.identity(), mark, former);
        var there = lvm.volumes().rename(volume.identity(), quarantined.lv());
        LOG.log(
                INFO,
                () ->
                        "removed volume is erased under another name lv="
                                + volume.name()
                                + " quarantine="
                                + quarantined
                                + " how="
                                + how.text());
        erase(there, rateBytes);
    }

    /**
     * Goes on with what an earlier process, or a failure, left in quarantine.
     *
     * @return whether something is in quarantine
     */
    public boolean resume(String vg, long rateBytes) throws LvmException, InterruptedException {
        boolean any = false;
        for (var volume : groups.limitedTo(vg).volumes().all(vg)) {
            if (Marks.isQuarantined(volume)) {
                any = true;
                again(volume, rateBytes);
            }
        }
        return any;
    }

    private void again(LogicalVolume volume, long rateBytes) {
        try {
            erase(volume, rateBytes);
        } catch (LvmException e) { // of the try before
            LOG.log(WARNING, () -> "will retry: " + e.getMessage());
        }
    }

    private void erase(LogicalVolume volume, long rateBytes) throws LvmException {
        erasures.start(
                volume,
                volume.name(),
                Urgency.REMOVED,
                progress -> erase(volume.name(), rateBytes, progress));
    }

    private void erase(LvName name, long rateBytes, Erasure progress)
            throws LvmException, IOException, InterruptedException {
        var volume = new Erasable(groups).find(name);
        if (volume.isEmpty() || !Marks.isQuarantined(volume.get())) {
            return;
        }
        var content =
                ContentErasure.of(volume.get(), erasures.pieces(name, rateBytes, Urgency.REMOVED));
        if (Marks.how(volume.get().tags()).orElseThrow() == OnRemoval.ZERO) {
            content.zero(progress);
        } else if (!content.discard(progress)) {
            LOG.log(WARNING, () -> "the disks of a removed volume cannot discard lv=" + name);
        }
        groups.limitedTo(name.vg()).volumes().remove(volume.get().identity());
    }
}
