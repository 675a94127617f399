package lvms.operator.cluster.rule;

import lvms.api.DeviceClass;
import lvms.api.ErasureConfig;
import lvms.api.ErasureConfig.OnRemoval;
import lvms.api.ErasureConfig.ZeroVolumes;

/** A class that leaves old content on its disks is warned about, not refused. */
final class ErasureRules {
    private static final long LEAST_RATE = 1L << 20;

    private ErasureRules() {}

    static void check(DeviceClass deviceClass, Findings findings) {
        deviceClass.group().erasure().ifPresent(erasure -> check(deviceClass, erasure, findings));
    }

    private static void check(DeviceClass deviceClass, ErasureConfig erasure, Findings findings) {
        var prefix = "device class \"" + deviceClass.name() + "\": ";
        findings.errorIf(
                deviceClass.group().thinPool().isPresent(),
                prefix
                        + "erasureConfig is only for thick classes: a thin pool zeroes what its"
                        + " volumes begin to use");
        findings.errorIf(
                erasure.effectiveRateBytes() < LEAST_RATE,
                prefix + "erasureConfig.rate must be at least 1Mi a second");
        findings.warningIf(
                erasure.effectiveZeroVolumes() == ZeroVolumes.NONE
                        && erasure.effectiveOnRemoval() != OnRemoval.ZERO,
                prefix
                        + "volumes with volumeMode Block will show what earlier volumes left on"
                        + " the disks; set erasureConfig.zeroVolumes to block");
    }
}
