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
 * @param inventory read anew by the next pass, if what it waits for changes no device
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
        var ours = s.ours().orElseThrow().group();
        reporter.status().know(ours.name(), ours.uuid());
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
        return classes.has(group.deviceClass());
    }

    private interface Write {
        DeviceClassStore.Change of(VolumeGroupGoal goal) throws IOException;
    }

    private void write(LvmVolumeGroup group, Situation s, Write write)
            throws IOException, ApiException, InterruptedException {
        try {
            tell(group, write.of(s.goal()), "device class written: " + group.deviceClass());
        } catch (IOException e) {
            reporter.thrown(group, StatusEntry.failed(s, e.getMessage()), EventReason.GROUP_FAILED);
            throw e;
        }
    }

    private Optional<String> refusal(Situation s) {
        return s.goal()
                .pool()
                .flatMap(pool -> pools.of(new LvName(s.goal().volumeGroup(), pool.name())));
    }

    /** Something outside has to change first; a class that was served stays served. */
    Result blocked(LvmVolumeGroup group, Situation s, EventReason reason, String message)
            throws ApiException, InterruptedException {
        raid.update(s);
        reporter.ended(group, StatusEntry.failed(s, message), reason);
        // It may be waiting for a synchronization, or for volumes to go, which changes no device.
        if (s.goal().raid().isPresent() || reason == EventReason.REMOVAL_FAILED) {
            inventory.invalidate();
        }
        return Result.requeueAfter(Recheck.ofBlocked(s));
    }

    /** Its class or its volume group is another one's; the other one's devices are none of its. */
    Result refused(LvmVolumeGroup group, String why) throws ApiException, InterruptedException {
        reporter.ended(
                group,
                StatusEntry.obstructed(group, Optional.empty(), why),
                EventReason.GROUP_FAILED);
        return Result.requeueAfter(Recheck.BLOCKED);
    }

    /** The class names no device: it is not served, and comes back with its next device. */
    Result empty(LvmVolumeGroup group, Situation s)
            throws IOException, ApiException, InterruptedException {
        leave(group, "; it names no device");
        reporter.ended(group, StatusEntry.empty(s), EventReason.READY);
        return Result.requeueAfter(Recheck.ofReady(s, raidEvents.getAsBoolean()));
    }

    /** Nothing of the group is left on the disks. */
    void removed(LvmVolumeGroup group) throws IOException, ApiException, InterruptedException {
        leave(group, "");
    }

    /** The group stays on the disks as it is; a later object of these names takes it again. */
    void retained(LvmVolumeGroup group) throws IOException, ApiException, InterruptedException {
        leave(group, "; volume group %s stays on the disks".formatted(group.volumeGroup()));
    }

    private void leave(LvmVolumeGroup group, String rest)
            throws IOException, ApiException, InterruptedException {
        reporter.status().forget(group.volumeGroup());
        var note = "device class removed: " + group.deviceClass() + rest;
        tell(group, classes.remove(group.deviceClass()), note);
        raid.remove(group.deviceClass());
        failed.forget(group.name());
    }

    private void tell(LvmVolumeGroup group, DeviceClassStore.Change change, String note) {
        switch (change) {
            case NONE -> {}
            case CREATED -> reporter.event(group, EventReason.CONFIG_MISSING, note);
            case UPDATED -> reporter.event(group, EventReason.CONFIG_UPDATED, note);
            case DELETED -> reporter.event(group, EventReason.CONFIG_DELETED, note);
        }
    }
}
