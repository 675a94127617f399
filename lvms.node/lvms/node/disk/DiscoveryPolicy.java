package lvms.node.disk;

import lvms.api.EffectiveDiscovery;
import lvms.api.disk.ClassChoice;

import java.util.List;

/** What the discovery policy of a class means for devices that appear later. */
public final class DiscoveryPolicy {
    private DiscoveryPolicy() {}

    /** Keeps late devices out of a static volume group. */
    public static List<DeviceVerdict> apply(
            EffectiveDiscovery policy, boolean groupExists, List<DeviceVerdict> verdicts) {
        return policy.isComplete(groupExists)
                ? verdicts.stream().map(DiscoveryPolicy::late).toList()
                : verdicts;
    }

    private static DeviceVerdict late(DeviceVerdict verdict) {
        return verdict.available()
                ? verdict.excludedBecause(ClassChoice.late(verdict.device().name()))
                : verdict;
    }
}
