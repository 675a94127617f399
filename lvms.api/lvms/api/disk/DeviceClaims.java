package lvms.api.disk;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which device class gets a device that several want. A class that names the device wins over one
 * that takes any device; then the older class wins; then the name decides. So each pass of each
 * class finds the same winner.
 *
 * @param owners kernel name to the name of the class that may have the device
 */
public record DeviceClaims(Map<String, String> owners) {
    /** Nobody claims anything. */
    public static final DeviceClaims NONE = new DeviceClaims(Map.of());

    public DeviceClaims {
        owners = Map.copyOf(owners);
    }

    /**
     * What one class wants.
     *
     * @param deviceClass name of the class
     * @param created when its LVMVolumeGroup was created
     * @param selection its device selector
     * @param takesNew whether the class would add a device that no path names; matters only without
     *     a selector
     */
    public record Claimant(
            String deviceClass, Instant created, DeviceSelection selection, boolean takesNew) {}

    public static DeviceClaims of(Collection<Claimant> claimants, Collection<String> kernelNames) {
        var order =
                claimants.stream()
                        .sorted(
                                Comparator.comparing((Claimant c) -> !c.selection().explicit())
                                        .thenComparing(Claimant::created)
                                        .thenComparing(Claimant::deviceClass))
                        .toList();
        var owners = new TreeMap<String, String>();
        for (var kernelName : kernelNames) {
            order.stream()
                    .filter(claimant -> wants(claimant, kernelName))
                    .findFirst()
                    .ifPresent(winner -> owners.put(kernelName, winner.deviceClass()));
        }
        return new DeviceClaims(owners);
    }

    private static boolean wants(Claimant claimant, String kernelName) {
        return claimant.selection().explicit()
                ? claimant.selection().names(kernelName)
                : claimant.takesNew();
    }

    public Optional<String> ownerOf(String kernelName) {
        return Optional.ofNullable(owners.get(kernelName));
    }
}
