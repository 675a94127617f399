package lvms.node.vgmanager.plan;

import lvms.api.Names;
import lvms.k8s.event.EventRecorder.Type;
import lvms.k8s.event.Reason;

/** Reasons of the Events on a volume group; the texts are what alerts and people look for. */
public enum EventReason implements Reason {
    NO_AVAILABLE_DEVICES(
            "NoAvailableDevicesForVG",
            Type.WARNING,
            "The node has no device that the class may take, or too few for its RAID level. The"
                    + " note says what keeps each device out."),
    INCONSISTENT_LVS(
            "InconsistentLVs",
            Type.WARNING,
            "The thin pool is not what the class asks for, or could not be activated, resumed or"
                    + " monitored. Its metadata may be nearly full."),
    GROUP_FAILED(
            "VGCreateOrExtendFailed",
            Type.WARNING,
            "The volume group could not be made or extended, or a group of this name exists that is"
                + " not ours. Also: lvmd.yaml could not be written, or another LVMVolumeGroup, or"
                + " people's device classes, have the class, the group or the default."),
    POOL_FAILED(
            "ThinPoolCreateOrExtendFailed",
            Type.WARNING,
            "The thin pool could not be made or extended, or another volume has its name."),
    POOL_REFUSES(
            "ThinPoolNearlyFull",
            Type.WARNING,
            "The thin pool is nearly full and cannot grow, or it does not work. It gets no new"
                    + " volumes, snapshots or growth; the note says why and what to do."),
    POOL_GREW(
            "ThinPoolGrown",
            Type.NORMAL,
            "The thin pool or its metadata was nearly full and has grown."),
    PATH_CHECK_FAILED(
            "DevicePathCheckFailed",
            Type.WARNING,
            "A device of deviceSelector.paths or a loop device of the class is not there or cannot"
                + " be used, a physical volume is missing or its disk has become smaller, or wiping"
                + " the devices was refused."),
    RAID_CHECK_FAILED(
            "RAIDHealthCheckFailed",
            Type.WARNING,
            "A RAID volume lost a device or is not in sync. The note says what the agent waits"
                    + " for."),
    REMOVAL_FAILED(
            "DeviceRemovalFailed",
            Type.WARNING,
            "A device that was taken out of deviceSelector cannot leave the volume group; the note"
                    + " names the volumes that are on it."),
    UNCLAIMED_VOLUMES(
            "UnclaimedVolumes",
            Type.WARNING,
            "The volume group has volumes of ours that no LogicalVolume names. They are kept until"
                    + " a person adopts or removes them."),
    MANUAL_CLEANUP(
            "ManualCleanupRequired",
            Type.WARNING,
            "The class is being deleted, but its volume group still holds logical volumes, or"
                    + " something is on a loop device of it. Remove that; the agent then goes on."),
    AGENT_BLOCKED(
            "NodeAgentBlocked",
            Type.WARNING,
            "The node agent cannot begin to work on this node, for example because LVM is not"
                    + " installed."),
    CONFIG_MISSING(
            "LVMDConfigMissing",
            Type.NORMAL,
            "lvmd.yaml did not exist on the node and was written."),
    CONFIG_UPDATED(
            "LVMDConfigUpdated", Type.NORMAL, "lvmd.yaml on the node was brought up to date."),
    CONFIG_DELETED(
            "LVMDConfigDeleted",
            Type.NORMAL,
            "The last device class left the node, and lvmd.yaml with it."),
    READY("VolumeGroupReady", Type.NORMAL, "The volume group is ready on the node."),
    GROUP_ADOPTED(
            "VolumeGroupAdopted",
            Type.NORMAL,
            "A volume group that people had made was taken over, as its LVMVolumeGroup asks: it got"
                    + " our tag. Its volumes were left alone."),
    DEVICE_ADDED("DeviceAdded", Type.NORMAL, "Devices joined the volume group."),
    DEVICE_GREW(
            "DeviceGrown",
            Type.NORMAL,
            "A disk of the volume group has become larger, and the group with it."),
    DEVICE_REMOVED(
            "DeviceRemoved",
            Type.NORMAL,
            "Devices left the volume group, or a missing one was given up."),
    RAID_REPAIR(
            "RAIDRepair",
            Type.NORMAL,
            "A lost device was taken back, or a RAID volume was repaired onto another device.");

    private final String text;
    private final Type type;
    private final String meaning;

    EventReason(String text, Type type, String meaning) {
        this.text = text;
        this.type = type;
        this.meaning = meaning;
    }

    @Override
    public String text() {
        return text;
    }

    @Override
    public Type type() {
        return type;
    }

    @Override
    public String action() {
        return "ReconcileVolumeGroup";
    }

    @Override
    public String reporter() {
        return Names.VG_MANAGER;
    }

    @Override
    public String regarding() {
        return "LVMVolumeGroupNodeStatus, LVMVolumeGroup, LVMCluster";
    }

    @Override
    public String meaning() {
        return meaning;
    }

    public boolean warning() {
        return type == Type.WARNING;
    }
}
