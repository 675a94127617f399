package lvms.node.vgmanager;

/** Reasons of the events on a volume group; the texts are what alerts and people look for. */
enum EventReason {
    NO_AVAILABLE_DEVICES("NoAvailableDevicesForVG", true),
    INCONSISTENT_LVS("InconsistentLVs", true),
    GROUP_FAILED("VGCreateOrExtendFailed", true),
    POOL_FAILED("ThinPoolCreateOrExtendFailed", true),
    PATH_CHECK_FAILED("DevicePathCheckFailed", true),
    RAID_CHECK_FAILED("RAIDHealthCheckFailed", true),
    REMOVAL_FAILED("DeviceRemovalFailed", true),
    MANUAL_CLEANUP("ManualCleanupRequired", true),
    AGENT_BLOCKED("NodeAgentBlocked", true),
    CONFIG_MISSING("LVMDConfigMissing", false),
    CONFIG_UPDATED("LVMDConfigUpdated", false),
    CONFIG_DELETED("LVMDConfigDeleted", false),
    READY("VolumeGroupReady", false),
    DEVICE_ADDED("DeviceAdded", false),
    DEVICE_REMOVED("DeviceRemoved", false),
    RAID_REPAIR("RAIDRepair", false);

    private final String text;
    private final boolean warning;

    EventReason(String text, boolean warning) {
        this.text = text;
        this.warning = warning;
    }

    String text() {
        return text;
    }

    boolean warning() {
        return warning;
    }
}
