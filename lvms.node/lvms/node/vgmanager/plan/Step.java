package lvms.node.vgmanager.plan;

import lvms.lvm2.LvName;
import lvms.lvm2.NewThinPool;
import lvms.node.disk.KnownPv;
import lvms.node.disk.NodeDevice;

import java.util.List;

/** One change of the machine. Each is idempotent and may be cut anywhere. */
public sealed interface Step {
    /** The event's reason if this step fails. */
    EventReason failure();

    /** Name of the step, for logs and reasons. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** Says that it was decided again although it was just taken. */
    default String futile() {
        return name() + " had no effect";
    }

    /** Returns whether devices join the group, leave it, or become free for others. */
    default boolean changesMembers() {
        return switch (this) {
            case CreateGroup _, ExtendGroup _, RemoveDevices _, RemoveGroup _ -> true;
            default -> false;
        };
    }

    /** A volume group with our tag on these devices. */
    record CreateGroup(List<NodeDevice> devices) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.GROUP_FAILED;
        }
    }

    /** These devices as further physical volumes. */
    record ExtendGroup(List<NodeDevice> devices) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.GROUP_FAILED;
        }
    }

    /** These physical volumes, which hold nothing, out of the volume group. */
    record RemoveDevices(List<KnownPv> pvs) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.REMOVAL_FAILED;
        }
    }

    /** These physical volumes, which were missing and are back, in use by the group again. */
    record RestoreDevices(List<KnownPv> pvs) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.RAID_CHECK_FAILED;
        }
    }

    /** The RAID volume with its images on devices that are missing made again on others. */
    record RepairVolume(LvName volume) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.RAID_CHECK_FAILED;
        }
    }

    /** The RAID volume with the devices that are back, which the kernel synchronizes. */
    record RefreshVolume(LvName volume) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.RAID_CHECK_FAILED;
        }

        @Override
        public String futile() {
            return "RAID volume %s still runs without a device that is there; replace the device"
                    .formatted(volume);
        }
    }

    /** These missing physical volumes, which hold nothing, out of the volume group. */
    record RemoveMissing(List<KnownPv> pvs) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.REMOVAL_FAILED;
        }
    }

    /** The thin pool. */
    record CreatePool(NewThinPool request) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.POOL_FAILED;
        }
    }

    /** The thin pool's data at this size. */
    record ExtendPool(long bytes) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.POOL_FAILED;
        }
    }

    /** The thin pool's metadata at this size. */
    record GrowPoolMetadata(long bytes) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.INCONSISTENT_LVS;
        }
    }

    /** The thin pool active. */
    record ActivatePool() implements Step {
        @Override
        public EventReason failure() {
            return EventReason.INCONSISTENT_LVS;
        }
    }

    /** The thin pool's table loaded anew: it was left suspended by a command that was killed. */
    record ResumePool() implements Step {
        @Override
        public EventReason failure() {
            return EventReason.INCONSISTENT_LVS;
        }
    }

    /** The empty thin pool gone. */
    record RemovePool(String pool) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.INCONSISTENT_LVS;
        }
    }

    /** The empty volume group gone, and its devices blank. */
    record RemoveGroup(List<KnownPv> pvs) implements Step {
        @Override
        public EventReason failure() {
            return EventReason.GROUP_FAILED;
        }
    }
}
