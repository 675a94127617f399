package lvms.node.deviceclass;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Device classes that people wrote for volume groups that they made. They are served beside those
 * of the LVMVolumeGroups, which share no name, no group and no default with them.
 *
 * @param file where they stand
 * @param classes the classes
 */
public record UserClasses(Path file, DeviceClasses classes) {
    /**
     * Returns, in one line, why these classes cannot be served beside others; empty if they can.
     *
     * @param own the classes of the LVMVolumeGroups
     */
    Optional<String> refusal(DeviceClasses own) {
        return own.classes().stream()
                .flatMap(c -> clash(c.name(), c.volumeGroup(), c.isDefault()).stream())
                .findFirst()
                .or(() -> optionClash(own));
    }

    /**
     * Returns, in one line, what these classes share with the class of an LVMVolumeGroup; empty if
     * nothing.
     */
    Optional<String> clash(String name, String volumeGroup, boolean isDefault) {
        return classes.classes().stream()
                .flatMap(theirs -> clash(theirs, name, volumeGroup, isDefault).stream())
                .findFirst()
                .map(what -> file + ": " + what);
    }

    private static Optional<String> clash(
            NodeDeviceClass theirs, String name, String volumeGroup, boolean isDefault) {
        if (theirs.name().equals(name)) {
            return Optional.of(
                    ("device class %s is that of an LVMVolumeGroup, too: give one of them another"
                                    + " name")
                            .formatted(name));
        }
        if (theirs.volumeGroup().equals(volumeGroup)) {
            return Optional.of(
                    ("device class %s: volume group %s is that of device class %s of an"
                                    + " LVMVolumeGroup: name a group that you made")
                            .formatted(theirs.name(), volumeGroup, name));
        }
        return theirs.isDefault() && isDefault
                ? Optional.of(
                        ("device class %s and class %s of an LVMVolumeGroup are both the default:"
                                        + " only one can be")
                                .formatted(theirs.name(), name))
                : Optional.empty();
    }

    private Optional<String> optionClash(DeviceClasses own) {
        return classes.lvcreateOptionClasses().entrySet().stream()
                .filter(
                        mine ->
                                own.lvcreateOptions(mine.getKey())
                                        .filter(options -> !options.equals(mine.getValue()))
                                        .isPresent())
                .map(
                        mine ->
                                ("%s: lvcreate option class %s has other options in the agent's"
                                                + " lvmd.yaml: give one of them another name")
                                        .formatted(file, mine.getKey()))
                .sorted()
                .findFirst();
    }

    /** Returns both; there must be no {@link #refusal} of the others. */
    DeviceClasses beside(DeviceClasses own) {
        var options = new HashMap<>(own.lvcreateOptionClasses());
        options.putAll(classes.lvcreateOptionClasses());
        return new DeviceClasses(
                Stream.concat(own.classes().stream(), classes.classes().stream()).toList(),
                options);
    }
}
