package lvms.operator.cluster.rule;

import lvms.api.DeviceClass;
import lvms.api.RaidConfig;
import lvms.api.RaidType;
import lvms.k8s.object.Quantity;

/** Rules of RAID layouts. */
public final class RaidRules {
    private RaidRules() {}

    static void check(DeviceClass deviceClass, Findings findings) {
        var raid = deviceClass.group().raid();
        if (raid.isEmpty()) {
            return;
        }
        var prefix = "device class \"" + deviceClass.name() + "\": ";
        findings.errorIf(
                deviceClass.group().thinPool().isPresent(),
                prefix + "raidConfig and thinPoolConfig are mutually exclusive");
        parameters(prefix, raid.get(), findings);
        if (!deviceClass.hasPaths()) {
            findings.error(prefix + "raidConfig needs at least one path or optional path");
            return;
        }
        int count = deviceClass.paths().size() + deviceClass.optionalPaths().size();
        devices(prefix, raid.get(), count, deviceClass.optionalPaths().isEmpty(), findings);
    }

    /**
     * Judges the numbers of a layout.
     *
     * @param prefix begins each text
     */
    public static void parameters(String prefix, RaidConfig raid, Findings findings) {
        var type = raid.type().text();
        findings.errorIf(
                raid.mirrors().isPresent() && !raid.type().mirrored(),
                prefix + "mirrors is only for raid1 and raid10, not " + type);
        findings.errorIf(
                raid.stripes().isPresent() && !raid.type().striped(),
                prefix + "stripes is not for " + type);
        findings.errorIf(
                raid.stripeSize().isPresent() && !raid.type().striped(),
                prefix + "stripeSize is not for " + type);
        findings.errorIf(
                raid.stripeSize().filter(size -> !isPowerOfTwo(size)).isPresent(),
                prefix
                        + "stripeSize must be a power of two greater than zero, got "
                        + raid.stripeSize().map(Quantity::toString).orElse(""));
    }

    /**
     * Judges how many devices a layout has.
     *
     * @param prefix begins each text
     * @param count devices that are named
     * @param exact whether each of them has to be there
     */
    public static void devices(
            String prefix, RaidConfig raid, int count, boolean exact, Findings findings) {
        int minimum = raid.minimumDevices();
        findings.errorIf(
                count < minimum,
                prefix
                        + "%s requires at least %d devices, got %d"
                                .formatted(raid.type().text(), minimum, count));
        int copies = raid.effectiveMirrors() + 1;
        findings.errorIf(
                exact && raid.type() == RaidType.RAID10 && count % copies != 0,
                prefix
                        + "raid10 requires a multiple of %d devices, got %d"
                                .formatted(copies, count));
    }

    private static boolean isPowerOfTwo(Quantity size) {
        var bytes = size.value();
        if (bytes.signum() <= 0 || bytes.stripTrailingZeros().scale() > 0) {
            return false;
        }
        return bytes.toBigInteger().bitCount() == 1;
    }
}
