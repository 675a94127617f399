package lvms.operator.cluster.rule;

import lvms.api.DeviceClass;
import lvms.api.DiscoveryPolicy;

/** Rules of device discovery. */
final class DiscoveryRules {
    private DiscoveryRules() {}

    static void dynamicWithoutPaths(DeviceClass deviceClass, Findings findings) {
        boolean dynamic =
                deviceClass
                        .group()
                        .discoveryPolicy()
                        .filter(p -> p == DiscoveryPolicy.DYNAMIC)
                        .isPresent();
        findings.warningIf(
                dynamic && !deviceClass.hasPaths(),
                "device class \""
                        + deviceClass.name()
                        + "\": every free disk that is attached to a node, now or later, is used;"
                        + " name the disks in production");
    }
}
