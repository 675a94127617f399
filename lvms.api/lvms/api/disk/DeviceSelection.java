package lvms.api.disk;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The device selector of a class with its paths resolved on this node.
 *
 * @param required paths that must be usable or in the volume group already
 * @param optional paths that are used where they exist
 */
public record DeviceSelection(List<SelectedPath> required, List<SelectedPath> optional) {
    /** No selector: every usable device. */
    public static final DeviceSelection EVERYTHING = new DeviceSelection(List.of(), List.of());

    public DeviceSelection {
        required = List.copyOf(required);
        optional = List.copyOf(optional);
    }

    /**
     * A path as the user wrote it.
     *
     * @param path such as {@code /dev/disk/by-id/wwn-0x5000}
     * @param kernelName the device behind it; empty if there is none
     */
    public record SelectedPath(String path, Optional<String> kernelName) {}

    /** Whether the user named devices. */
    public boolean explicit() {
        return !required.isEmpty() || !optional.isEmpty();
    }

    /** Whether a path, required or optional, leads to the device. */
    public boolean names(String kernelName) {
        return kernelNames().contains(kernelName);
    }

    Set<String> kernelNames() {
        return Stream.concat(required.stream(), optional.stream())
                .flatMap(selected -> selected.kernelName().stream())
                .collect(Collectors.toUnmodifiableSet());
    }
}
