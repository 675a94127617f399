package lvms.api.disk;

import lvms.k8s.object.Quantity;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a device class itself has against a device, whatever the device is. The node agent decides
 * by it, and whoever says in advance what the agent will do.
 *
 * @param deviceClass name of the class
 * @param selection its device selector, resolved on the node
 * @param claims which class a contested device belongs to
 * @param minimum smaller devices are not taken; empty for any size
 */
public record ClassChoice(
        String deviceClass,
        DeviceSelection selection,
        DeviceClaims claims,
        Optional<Quantity> minimum) {
    /** The choice of a class to which every size is good. */
    public ClassChoice(String deviceClass, DeviceSelection selection, DeviceClaims claims) {
        this(deviceClass, selection, claims, Optional.empty());
    }

    /** Returns why the class does not want the device; nothing if it does. */
    public Stream<String> objections(String name, String kernelName, long sizeBytes) {
        return Stream.of(
                        notSelected(name, kernelName),
                        claimedByAnother(name, kernelName),
                        tooSmall(name, sizeBytes))
                .flatMap(Optional::stream);
    }

    /** Returns why a device of that size is not taken; empty if it is large enough. */
    public Optional<String> tooSmall(String name, long sizeBytes) {
        return minimum.filter(least -> sizeBytes < least.bytes())
                .map(
                        least ->
                                "%s has %d bytes, and the class takes devices of %s or more"
                                        .formatted(name, sizeBytes, least));
    }

    private Optional<String> notSelected(String name, String kernelName) {
        return selection.explicit() && !selection.names(kernelName)
                ? Optional.of(name + " is not part of the device selector")
                : Optional.empty();
    }

    private Optional<String> claimedByAnother(String name, String kernelName) {
        return claims.ownerOf(kernelName)
                .filter(owner -> !owner.equals(deviceClass))
                .map(owner -> name + " is claimed by device class \"" + owner + '"')
                .map(claim -> claim + alias(name, kernelName));
    }

    /** Whoever names a disk by a link does not know it by the name that is refused. */
    private String alias(String name, String kernelName) {
        return selection
                .pathTo(kernelName)
                .filter(path -> !path.equals(name))
                .map(path -> ", and is the disk at " + path)
                .orElse("");
    }

    /** Returns why a class whose devices are complete keeps out one that is free. */
    public static String late(String name) {
        return name
                + " was not part of the volume group when it was created, and static device"
                + " discovery enabled keeps it out";
    }

    /**
     * Returns why a class that names no devices keeps out one that has unknown data: whoever names
     * a device knows what is on it, but one that was found must be empty.
     */
    public static String unknownData(String name) {
        return ("%s has data in its first or last MiB, though nothing that is known; if nobody"
                    + " needs it, clear the disk, for example with \"blkdiscard\", or name it in"
                    + " the deviceSelector")
                .formatted(name);
    }
}
