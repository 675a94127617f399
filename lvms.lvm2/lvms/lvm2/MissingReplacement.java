package lvms.lvm2;

import java.nio.file.Path;
import java.util.List;

/**
 * Devices that take the place of a group's missing physical volumes.
 *
 * @param group the group
 * @param devices the new devices; those already in the group are ignored; if empty, the group's
 *     other devices are used
 * @param wipe whether LVM may wipe signatures it finds on them
 */
public record MissingReplacement(Identity<String> group, List<Path> devices, boolean wipe) {
    public MissingReplacement {
        devices = List.copyOf(devices);
        Grammar.requireVgName(group.name());
        devices.forEach(Grammar::requireDevice);
    }
}
