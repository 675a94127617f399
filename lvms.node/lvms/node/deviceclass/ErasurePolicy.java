package lvms.node.deviceclass;

import lvms.api.ErasureConfig;
import lvms.api.ErasureConfig.OnRemoval;
import lvms.api.ErasureConfig.ZeroVolumes;

import java.util.Objects;

/**
 * How the thick volumes of a class are erased.
 *
 * @param zeroVolumes which are zeroed before they are handed out, and where they grow
 * @param onRemoval what happens to the content of one that is removed
 * @param rateBytes most bytes that are zeroed in a second in its group
 */
public record ErasurePolicy(ZeroVolumes zeroVolumes, OnRemoval onRemoval, long rateBytes) {
    /** As TopoLVM does it, and so for each class of lvmd.yaml that says nothing. */
    public static final ErasurePolicy NOTHING =
            new ErasurePolicy(ZeroVolumes.NONE, OnRemoval.NONE, ErasureConfig.DEFAULT_RATE.bytes());

    public ErasurePolicy {
        Objects.requireNonNull(zeroVolumes);
        Objects.requireNonNull(onRemoval);
        if (rateBytes < 1) {
            throw new IllegalArgumentException("erase-rate is not positive: " + rateBytes);
        }
    }

    static ErasurePolicy of(ErasureConfig config) {
        return new ErasurePolicy(
                config.effectiveZeroVolumes(),
                config.effectiveOnRemoval(),
                config.effectiveRateBytes());
    }

    /**
     * Returns whether a volume must not show what was on its extents before.
     *
     * @param filesystem whether it is certain that pods only see a filesystem in it
     */
    public boolean zeroes(boolean filesystem) {
        return switch (zeroVolumes) {
            case NONE -> false;
            case BLOCK -> !filesystem;
            case ALL -> true;
        };
    }
}
