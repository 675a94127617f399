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
 * @param explicit whether only these are meant; else there are none, and every usable device is
 */
public record DeviceSelection(
        List<SelectedPath> required, List<SelectedPath> optional, boolean explicit) {
    /** No selector: every usable device. */
    public static final DeviceSelection EVERYTHING = new DeviceSelection(List.of(), List.of());

    public DeviceSelection {
        required = List.copyOf(required);
        optional = List.copyOf(optional);
        if (!explicit && !(required.isEmpty() && optional.isEmpty())) {
            throw new IllegalArgumentException("whoever names devices means these");
        }
    }

    /** A selector that means every usable device if it names none. */
    public DeviceSelection(List<SelectedPath> required, List<SelectedPath> optional) {
        this(required, optional, !required.isEmpty() || !optional.isEmpty());
    }

    /**
     * A path as the user wrote it.
     *
     * @param path such as {@code /dev/disk/by-id/wwn-0x5000}
     * @param kernelName the device behind it; empty if there is none
     */
    public record SelectedPath(String path, Optional<String> kernelName) {}

    /** Whether no device at all is meant. */
    public boolean namesNothing() {
        return explicit && required.isEmpty() && optional.isEmpty();
    }

    /** Whether a path, required or optional, leads to the device. */
    public boolean names(String kernelName) {
        return kernelNames().contains(kernelName);
    }

    /** Returns the first path that leads to the device, as the user wrote it. */
    Optional<String> pathTo(String kernelName) {
        return pathsTo(kernelName).findFirst();
    }

    /** Returns the paths that lead to the device, as the user wrote them. */
    public Stream<String> pathsTo(String kernelName) {
        return paths().filter(path -> path.kernelName().filter(kernelName::equals).isPresent())
                .map(SelectedPath::path);
    }

    private Stream<SelectedPath> paths() {
        return Stream.concat(required.stream(), optional.stream());
    }

    Set<String> kernelNames() {
        return paths().flatMap(selected -> selected.kernelName().stream())
                .collect(Collectors.toUnmodifiableSet());
    }
}
