package lvms.node.doctor;

import lvms.lvm2.EngineStatus;
import lvms.lvm2.PhysicalVolume;
import lvms.lvm2.VolumeGroupReport;
import lvms.node.deviceclass.LvmdConfig;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A machine as it was read.
 *
 * @param engine how LVM is run, and why
 * @param whose whose LVM it is, and why
 * @param watchdogObstacle what would end the watchdog of an agent here with the agent
 * @param groups the volume groups
 * @param physicalVolumes all physical volumes, also those in no group
 * @param deviceMapper whether the kernel has a device-mapper
 * @param suspended device-mapper names of suspended devices
 * @param settings settings of LVM, such as {@code global/use_aio}; keys that this LVM does not know
 *     are left out
 * @param tools name of a tool to its version, which is empty if the tool is not installed
 * @param lvmd lvmd.yaml, if there is one
 */
public record Machine(
        EngineStatus engine,
        String whose,
        Optional<String> watchdogObstacle,
        List<VolumeGroupReport> groups,
        List<PhysicalVolume> physicalVolumes,
        boolean deviceMapper,
        List<String> suspended,
        Map<String, String> settings,
        Map<String, String> tools,
        Optional<LvmdConfig.Reading> lvmd) {
    static final String USE_AIO = "global/use_aio";
    static final String FILTER = "devices/filter";
    static final String GLOBAL_FILTER = "devices/global_filter";
    static final String USE_DEVICES_FILE = "devices/use_devicesfile";
    static final String SCAN_LVS = "devices/scan_lvs";
    static final String THIN_CHECK = "thin_check";

    public Machine {
        groups = List.copyOf(groups);
        physicalVolumes = List.copyOf(physicalVolumes);
        suspended = List.copyOf(suspended);
    }
}
