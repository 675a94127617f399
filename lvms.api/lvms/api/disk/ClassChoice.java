package lvms.api.disk;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a device class itself has against a device, whatever the device is. The node agent decides
 * by it, and whoever says in advance what the agent will do.
 *
 * @param deviceClass name of the class and of its volume group
 * @param selection its device selector, resolved on the node
 * @param claims which class a contested device belongs to
 */
public record ClassChoice(String deviceClass, DeviceSelection selection, DeviceClaims claims) {
    /** Returns why the class does not want the device; nothing if it does. */
    public Stream<String> objections(String name, String kernelName) {
        return Stream.of(notSelected(name, kernelName), claimedByAnother(name, kernelName))
                .flatMap(Optional::stream);
    }

    private Optional<String> notSelected(String name, String kernelName) {
        return selection.explicit() && !selection.names(kernelName)
                ? Optional.of(name + " is not part of the device selector")
                : Optional.empty();
    }

    private Optional<String> claimedByAnother(String name, String kernelName) {
        return claims.ownerOf(kernelName)
                .filter(owner -> !owner.equals(deviceClass))
                .map(owner -> name + " is claimed by device class \"" + owner + '"');
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
