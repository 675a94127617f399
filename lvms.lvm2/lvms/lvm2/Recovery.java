package lvms.lvm2;

import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.engine.Command;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a killed change may leave behind: a suspended device, whose I/O hangs until somebody resumes
 * it (seen once in 64 kills of lvextend). {@code lvchange --refresh} does.
 */
final class Recovery {
    private static final System.Logger LOG = System.getLogger(Recovery.class.getName());
    private static final Pattern HIDDEN = Pattern.compile("_(tdata|tmeta|rimage_\\d+|rmeta_\\d+)$");

    private Recovery() {}

    /** Returns the volumes of the group that a command was about which are suspended now. */
    static List<LvName> suspended(Command killed, DeviceMapper deviceMapper)
            throws InterruptedException {
        var volumes = new ArrayList<LvName>();
        try {
            for (var device : deviceMapper.suspended()) {
                volumeOf(device)
                        .filter(name -> concerns(killed, name.vg()) && !volumes.contains(name))
                        .ifPresent(volumes::add);
            }
        } catch (IOException e) {
            LOG.log(
                    Level.WARNING,
                    () -> "cannot look for suspended devices cause=" + e.getMessage());
        }
        return volumes;
    }

    /**
     * Returns the visible volume that a device belongs to: names are joined by one hyphen, hyphens
     * inside are doubled, layers and hidden volumes have suffixes.
     */
    static Optional<LvName> volumeOf(String device) {
        var parts = device.replace("--", "\0").split("-");
        if (parts.length < 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
            return Optional.empty();
        }
        var lv = HIDDEN.matcher(parts[1].replace('\0', '-')).replaceFirst("");
        return lv.isEmpty()
                ? Optional.empty()
                : Optional.of(new LvName(parts[0].replace('\0', '-'), lv));
    }

    private static boolean concerns(Command command, String vg) {
        return command.words().stream()
                .anyMatch(word -> word.equals(vg) || word.startsWith(vg + "/"));
    }
}
