package lvms.operator.topolvmcluster.rule;

import lvms.api.nativestor.ListedDevice;
import lvms.operator.cluster.rule.Findings;

import java.util.HashSet;
import java.util.List;

/** The rules for a list of devices. */
final class DeviceRules {
    private static final String DEVICES = "/dev/";

    /** As in NativeStor, a smaller device is not used. */
    private static final int LEAST_GB = 2;

    private DeviceRules() {}

    static void check(
            String where, List<ListedDevice> devices, boolean useLoop, Findings findings) {
        var seen = new HashSet<String>();
        for (var device : devices) {
            findings.errorIf(
                    !seen.add(device.name()),
                    StorageRules.error(
                            where, "device " + device.name() + " is listed twice: leave it once"));
            if (device.loop() && device.auto()) {
                loop(where, device, useLoop, findings);
            } else {
                path(where, device, findings);
            }
        }
    }

    private static void path(String where, ListedDevice device, Findings findings) {
        findings.errorIf(
                !device.name().startsWith(DEVICES) || device.name().equals(DEVICES),
                StorageRules.error(
                        where,
                        "device \"%s\" must be the path of a device, such as /dev/sdb"
                                .formatted(device.name())));
        findings.warningIf(
                device.auto(),
                "%s: device %s has auto, which counts for type loop only"
                        .formatted(where, device.name()));
    }

    private static void loop(
            String where, ListedDevice device, boolean useLoop, Findings findings) {
        var name = "loop device \"" + device.name() + "\"";
        findings.errorIf(
                device.name().isEmpty(),
                StorageRules.error(where, "a loop device has no name: set it"));
        if (!useLoop) {
            findings.warning(
                    ("%s: %s has auto, but useLoop is false, so it is not made, as"
                                            + " NativeStor did it:")
                                    .formatted(where, name)
                            + " set useLoop, or remove it");
            return;
        }
        findings.errorIf(
                !device.path().startsWith("/"),
                StorageRules.error(
                        where, name + " has auto: set path to a folder of the node for its file"));
        findings.errorIf(
                device.sizeGb().orElse(0) < LEAST_GB,
                StorageRules.error(
                        where,
                        "%s has auto: set size to at least %d (GiB), smaller devices are not used"
                                .formatted(name, LEAST_GB)));
    }
}
