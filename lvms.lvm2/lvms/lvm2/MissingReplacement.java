package lvms.lvm2;

import java.nio.file.Path;
import java.util.List;

/**
 * Devices that take the place of a group's missing physical volumes.
 *
 * @param vg the group
 * @param devices the new devices; those in the group already are passed over; empty rebuilds on
 *     what the group has left
 * @param wipe whether LVM may wipe signatures it finds on them
 */
public record MissingReplacement(String vg, List<Path> devices, boolean wipe) {
    /** Copies and checks against LVM's grammar. */
    public MissingReplacement {
        devices = List.copyOf(devices);
        Grammar.requireVgName(vg);
        devices.forEach(Grammar::requireDevice);
    }
}
