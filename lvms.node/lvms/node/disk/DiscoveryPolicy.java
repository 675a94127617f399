package lvms.node.disk;

import lvms.api.EffectiveDiscovery;
import lvms.node.disk.DeviceVerdict.Kind;

import java.util.List;

/** What the discovery policy of a class means for devices that appear later. */
public final class DiscoveryPolicy {
    private DiscoveryPolicy() {}

    /** Returns whether a device that no path names would be added. */
    public static boolean takesNewDevices(EffectiveDiscovery policy, boolean groupExists) {
        return switch (policy) {
            case PRECONFIGURED -> false;
            case RUNTIME_DYNAMIC -> true;
            case RUNTIME_STATIC -> !groupExists;
        };
    }

    /** Keeps late devices out of a static volume group. */
    public static List<DeviceVerdict> apply(
            EffectiveDiscovery policy, boolean groupExists, List<DeviceVerdict> verdicts) {
        if (policy != EffectiveDiscovery.RUNTIME_STATIC || !groupExists) {
            return verdicts;
        }
        return verdicts.stream()
                .map(v -> v.kind() == Kind.AVAILABLE ? v.excludedBecause(late(v)) : v)
                .toList();
    }

    private static String late(DeviceVerdict verdict) {
        return verdict.device().name()
                + " was not part of the volume group when it was created, and static device"
                + " discovery enabled keeps it out";
    }
}
