package lvms.node.pool;

import lvms.api.ThinPoolConfig;
import lvms.api.ThinPoolConfig.Trim;
import lvms.lvm2.LvName;
import lvms.node.deviceclass.DeviceClasses;

import java.util.Optional;

/**
 * When the filesystems in a pool are trimmed.
 *
 * @param trim the schedule
 * @param thresholdPercent use of the data from which on it is done at once
 */
record PoolTrim(Trim trim, int thresholdPercent) {
    /** What the class of an LVMVolumeGroup asks for. */
    static Optional<PoolTrim> of(ThinPoolConfig config) {
        return config.trim().map(trim -> new PoolTrim(trim, config.thresholdPercent()));
    }

    /** What lvmd.yaml asks for, whose pools somebody else made. */
    static Optional<PoolTrim> of(DeviceClasses classes, LvName pool) {
        return classes.classes().stream()
                .filter(deviceClass -> deviceClass.volumeGroup().equals(pool.vg()))
                .flatMap(deviceClass -> deviceClass.thin().stream())
                .filter(thin -> thin.pool().equals(pool.lv()))
                .flatMap(thin -> thin.trim().stream())
                .map(trim -> new PoolTrim(trim, ThinPoolConfig.DEFAULT_THRESHOLD_PERCENT))
                .findFirst();
    }
}
