package lvms.node.vgmanager.plan;

import lvms.api.Names;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvAttributes.State;
import lvms.lvm2.ThinPool;
import lvms.lvm2.ThinPools;
import lvms.lvm2.VolumeGroup;
import lvms.lvm2.VolumeGroupReport;
import lvms.node.deviceclass.PoolGoal;

import java.util.Optional;

/**
 * Decides whether a thin pool must be made, activated or grown, or needs a person. Every pass asks
 * it, so a pool that could not be made or grown in one pass is made or grown in a later one.
 */
record PoolPlan(Situation s, PoolGoal goal, VolumeGroupReport report) {
    /** Fuller metadata endangers every volume of the pool. */
    private static final double MAXIMUM_METADATA_PERCENT = 95;

    /** Returns the next decision about the pool; empty if it is as it should be. */
    Optional<Decision> next() {
        var volume = report.logicalVolume(goal.name());
        if (volume.isEmpty() || isUnfinished(volume.get())) {
            return act(new Step.CreatePool(goal.request(report.group().name())));
        }
        if (!volume.get().isThinPool() || s.pool().isEmpty()) {
            return blocked(
                    EventReason.POOL_FAILED,
                    "%s exists, but it is not a thin pool: it is %s"
                            .formatted(volume.get().name(), volume.get().layout()));
        }
        return wake(volume.get()).or(() -> grow(s.pool().get())).or(() -> doubt(s.pool().get()));
    }

    /** Returns whether a volume is a pool, or what a killed creation of a pool left. */
    static boolean isPool(LogicalVolume volume) {
        return volume.isThinPool() || isUnfinished(volume);
    }

    private static boolean isUnfinished(LogicalVolume volume) {
        return volume.tags().contains(ThinPools.UNFINISHED);
    }

    private Optional<Decision> wake(LogicalVolume volume) {
        if (!s.deviceMapper()) {
            return Optional.empty();
        }
        return switch (volume.attributes().state()) {
            case INACTIVE -> act(new Step.ActivatePool());
            case SUSPENDED -> act(new Step.ResumePool());
            default -> Optional.empty();
        };
    }

    private Optional<Decision> grow(ThinPool pool) {
        if (goal.metadataBytes().orElse(0) > pool.metadataSizeBytes()) {
            return act(new Step.GrowPoolMetadata(goal.metadataBytes().getAsLong()));
        }
        var error = goal.errorWhenFull().filter(wanted -> differs(pool, wanted));
        if (error.isPresent()) {
            return act(new Step.ChangeWhenFull(error.get()));
        }
        boolean diskGrew = report.group().tags().contains(Names.GROWN_TAG);
        long target = targetBytes(pool, report.group());
        if ((diskGrew || hasUntouchedDevice()) && target > pool.sizeBytes()) {
            return act(new Step.ExtendPool(target));
        }
        return diskGrew ? act(new Step.ForgetGrowth()) : Optional.empty();
    }

    private static boolean differs(ThinPool pool, boolean error) {
        return pool.whenFull().equals(error ? "queue" : "error");
    }

    private long targetBytes(ThinPool pool, VolumeGroup group) {
        return goal.targetBytes(
                pool.sizeBytes(), group.sizeBytes(), group.freeBytes(), group.extentSizeBytes());
    }

    /**
     * The pool's share is of the free space when the pool is made, and of the whole group when a
     * device is added or has grown. So growing needs a device on which nothing has been allocated
     * yet, or the note that one has grown.
     */
    private boolean hasUntouchedDevice() {
        return report.physicalVolumes().stream()
                .anyMatch(pv -> pv.sizeBytes() > 0 && pv.freeBytes() == pv.sizeBytes());
    }

    private Optional<Decision> doubt(ThinPool pool) {
        if (s.deviceMapper() && pool.volume().attributes().state() != State.ACTIVE) {
            return blocked(
                    EventReason.INCONSISTENT_LVS,
                    "thin pool %s is not healthy: %s".formatted(pool.name(), stateOf(pool)));
        }
        double used = pool.volume().metadataPercent().orElse(0);
        if (used > MAXIMUM_METADATA_PERCENT) {
            return blocked(
                    EventReason.INCONSISTENT_LVS,
                    "metadata of thin pool %s is %s percent full, more than 95"
                            .formatted(pool.name(), used));
        }
        return goal.contradiction(pool)
                .flatMap(text -> blocked(EventReason.INCONSISTENT_LVS, text));
    }

    private static String stateOf(ThinPool pool) {
        var attributes = pool.volume().attributes();
        return attributes.health().map(h -> h.text()).orElse("attributes " + attributes.text());
    }

    private static Optional<Decision> act(Step step) {
        return Optional.of(new Decision.Act(step));
    }

    private static Optional<Decision> blocked(EventReason reason, String message) {
        return Optional.of(new Decision.Blocked(reason, message));
    }
}
