package lvms.node.vgmanager;

import lvms.api.LvmVolumeGroup;
import lvms.k8s.client.ApiException;
import lvms.k8s.controller.Result;
import lvms.lvm2.LvName;
import lvms.node.deviceclass.DeviceClassStore;
import lvms.node.deviceclass.VolumeGroupGoal;
import lvms.node.disk.InventoryReader;
import lvms.node.pool.PoolRefusals;
import lvms.node.vgmanager.plan.EventReason;
import lvms.node.vgmanager.plan.Situation;

import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * What the end of a pass leads to: the device class is served or not, metrics and status say how
 * the group is, and the next pass is scheduled.
 *
 * @param classes lvmd.yaml and the live device classes
 * @param raid metrics of RAID health
 * @param failed the step of each group that failed last
 * @param reporter reports the end
 * @param inventory read anew by the next pass, if the group has RAID volumes
 * @param raidEvents whether RAID volumes raise events
 * @param pools the pools that get no new volumes
 */
record GroupOutcome(
        DeviceClassStore classes,
        RaidMetrics raid,
        FailedSteps failed,
        GroupReporter reporter,
        InventoryReader inventory,
        BooleanSupplier raidEvents,
        PoolRefusals pools) {
    /** The group is what the user wants: its class is served. */
    Result ready(LvmVolumeGroup group, Situation s)
            throws IOException, ApiException, InterruptedException {
        write(group, s, classes::put);
        failed.forget(group.name());
        raid.update(s);
        var refusal = refusal(s);
        var entry = refusal.map(why -> StatusEntry.failed(s, why)).orElse(StatusEntry.ready(s));
        reporter.ended(
                group,
                entry,
                refusal.isPresent()
                        ? EventReason.POOL_REFUSES
                        : entry.reason().isEmpty()
                                ? EventReason.READY
                                : EventReason.RAID_CHECK_FAILED);
        if (s.goal().raid().isPresent()) {
            inventory.invalidate();
        }
        return Result.requeueAfter(Recheck.ofReady(s, raidEvents.getAsBoolean()));
    }

    /**
     * Sees to it that the class of volumes that somebody has is known, whatever becomes of the
     * pass: it says how they are erased and how their pool is guarded. Only the loss of lvmd.yaml
     * makes it unknown.
     *
     * @return the same situation
     */
    Situation known(LvmVolumeGroup group, Situation s)
            throws IOException, ApiException, InterruptedException {
        if (s.holdsVolumes()) {
            write(group, s, classes::restore);
        }
        return s;
    }

    /** Returns why people's device classes leave no place for the group; empty if they do. */
    Optional<String> taken(LvmVolumeGroup group) {
        return classes.refusal(VolumeGroupGoal.of(group));
    }

    boolean knows(LvmVolumeGroup group) throws IOException {
        return classes.has(group.name());
    }

    private interface Write {
        DeviceClassStore.Change of(VolumeGroupGoal goal) throws IOException;
    }

    private void write(LvmVolumeGroup group, Situation s, Write write)
            throws IOException, ApiException, InterruptedException {
        try {
            tell(group, write.of(s.goal()), "device class written");
        } catch (IOException e) {
            reporter.thrown(group, StatusEntry.failed(s, e.getMessage()), EventReason.GROUP_FAILED);
            throw e;
        }
    }

    private Optional<String> refusal(Situation s) {
        return s.goal().pool().flatMap(pool -> pools.of(new LvName(s.goal().name(), pool.name())));
    }

    /** Something outside has to change first; a class that was served stays served. */
    Result blocked(LvmVolumeGroup group, Situation s, EventReason reason, String message)
            throws ApiException, InterruptedException {
        raid.update(s);
        reporter.ended(group, StatusEntry.failed(s, message), reason);
        if (s.goal().raid().isPresent()) {
            inventory.invalidate(); // the group may be waiting for a synchronization
        }
        return Result.requeueAfter(Recheck.ofBlocked(s));
    }

    /** Nothing of the group is left on the disks. */
    void removed(LvmVolumeGroup group) throws IOException {
        tell(group, classes.remove(group.name()), "device class removed");
        raid.remove(group.name());
        failed.forget(group.name());
    }

    private void tell(LvmVolumeGroup group, DeviceClassStore.Change change, String what) {
        var note = what + ": " + group.name();
        switch (change) {
            case NONE -> {}
            case CREATED -> reporter.event(group, EventReason.CONFIG_MISSING, note);
            case UPDATED -> reporter.event(group, EventReason.CONFIG_UPDATED, note);
            case DELETED -> reporter.event(group, EventReason.CONFIG_DELETED, note);
        }
    }
}
