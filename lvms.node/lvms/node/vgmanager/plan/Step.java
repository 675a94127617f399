package lvms.node.vgmanager.plan;

import lvms.lvm2.Identity;
import lvms.lvm2.LvName;
import lvms.lvm2.NewThinPool;
import lvms.node.disk.KnownPv;
import lvms.node.disk.NodeDevice;

import java.util.List;
import java.util.Set;

/** One change to the machine. Each is idempotent and may be interrupted anywhere. */
public sealed interface Step {
    /** The event's reason if this step fails. */
    EventReason failure();

    /** Name of the step, for logs and reasons. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** Says that the step was decided again although it has just been taken. */
    default String futile() {
        return name() + " had no effect";
    }

    /** Returns whether devices join the group, leave it, or become free for others. */
    default boolean changesMembers() {
        return switch (this) {
            case CreateGroup _, AdoptGroup _, ExtendGroup _, RemoveDevices _, RemoveGroup _ -> true;
            default -> false;
        };
    }

    /** Make a volume group with our tag on these devices. */
    record CreateGroup(List<NodeDevice> devices) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.GROUP_FAILED;
        }
    }

    /** Give a volume group of this name, which people made, our tag; leave its volumes alone. */
    record AdoptGroup(Set<String> tags) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.GROUP_FAILED;
        }
    }

    /** Add these devices as physical volumes. */
    record ExtendGroup(List<NodeDevice> devices) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.GROUP_FAILED;
        }
    }

    /** Let these physical volumes use all of their disks, which have grown. */
    record ResizeDevices(List<KnownPv> pvs) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.GROUP_FAILED;
        }
    }

    /** Note that the thin pool has its share of a disk that has grown. */
    record ForgetGrowth() implements Step {
        @Override
        public EventReason failure() {
            return EventReason.POOL_FAILED;
        }
    }

    /** Take these physical volumes, which hold nothing, out of the volume group. */
    record RemoveDevices(List<KnownPv> pvs) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.REMOVAL_FAILED;
        }
    }

    /** Take these physical volumes, which were missing and are back, into use again. */
    record RestoreDevices(List<KnownPv> pvs) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.RAID_CHECK_FAILED;
        }
    }

    /** Rebuild, on other devices, the RAID volume's images that are on missing devices. */
    record RepairVolume(Identity<LvName> volume) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.RAID_CHECK_FAILED;
        }
    }

    /** Let the RAID volume use the devices that are back; the kernel synchronizes them. */
    record RefreshVolume(Identity<LvName> volume) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.RAID_CHECK_FAILED;
        }

        @Override
        public String futile() {
            return "RAID volume %s still does not use a device that is present; replace the device"
                    .formatted(volume.name());
        }
    }

    /** Take these missing physical volumes, which hold nothing, out of the volume group. */
    record RemoveMissing(List<KnownPv> pvs) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.REMOVAL_FAILED;
        }
    }

    /** Make the thin pool. */
    record CreatePool(NewThinPool request) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.POOL_FAILED;
        }
    }

    /** Grow the thin pool's data to this size. */
    record ExtendPool(long bytes) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.POOL_FAILED;
        }
    }

    /** Grow the thin pool's metadata to this size. */
    record GrowPoolMetadata(long bytes) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.INCONSISTENT_LVS;
        }
    }

    /** Let writes to the full thin pool fail at once, or wait. */
    record ChangeWhenFull(boolean error) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.INCONSISTENT_LVS;
        }
    }

    /** Activate the thin pool. */
    record ActivatePool() implements Step {
        @Override
        public EventReason failure() {
            return EventReason.INCONSISTENT_LVS;
        }
    }

    /** Load the thin pool's table again: a killed command left the pool suspended. */
    record ResumePool() implements Step {
        @Override
        public EventReason failure() {
            return EventReason.INCONSISTENT_LVS;
        }
    }

    /** Remove the empty thin pool. */
    record RemovePool(String pool) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.INCONSISTENT_LVS;
        }
    }

    /** Remove the empty volume group, and leave its devices blank. */
    record RemoveGroup(List<KnownPv> pvs) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.GROUP_FAILED;
        }
    }
}
