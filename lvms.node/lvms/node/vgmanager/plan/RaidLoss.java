package lvms.node.vgmanager.plan;

import lvms.api.Names;
import lvms.api.disk.DeviceSelection;
import lvms.api.disk.DeviceSelection.SelectedPath;
import lvms.lvm2.LogicalVolume;
import lvms.node.disk.KnownPv;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Says in one line which device a RAID group lost, which volumes have no redundancy now, and what
 * happens next.
 *
 * @param group name of the volume group
 * @param devices number of its devices, including the missing ones
 * @param missing the missing ones
 * @param hurt volumes that have data on one of them
 */
record RaidLoss(String group, int devices, List<KnownPv> missing, List<LogicalVolume> hurt) {
    /**
     * A status is for people: of a hundred volumes it names some, and says how many more there are.
     */
    private static final int NAMED = 3;

    /** What comes next. */
    enum Outlook {
        NEEDS_DEVICE("plug it in again, or give the device class another device"),
        WAITS_FOR_DEVICE(
                "if it is not back within %d minutes, the free space of the other devices replaces"
                                .formatted(MissingDevices.GRACE.toMinutes())
                        + " it"),
        WAITS_FOR_SYNC("the other devices are not in sync yet, so nothing can replace it");

        private final String text;

        Outlook(String text) {
            this.text = text;
        }
    }

    String text(DeviceSelection selection, Outlook outlook) {
        return "volume group \"%s\" is missing %d of %d devices: %s; %s; %s"
                .formatted(group, missing.size(), devices, names(selection), toll(), outlook.text);
    }

    /** Nobody knows the name of a missing device, but a path that leads nowhere now is a hint. */
    private String names(DeviceSelection selection) {
        var paths =
                Stream.concat(selection.required().stream(), selection.optional().stream())
                        .filter(path -> path.kernelName().isEmpty())
                        .map(SelectedPath::path)
                        .collect(Collectors.joining(", "));
        var uuids =
                missing.stream()
                        .map(pv -> pv.pv().uuid())
                        .sorted()
                        .collect(Collectors.joining(", "));
        return "physical volume " + uuids + (paths.isEmpty() ? "" : ", nothing at " + paths);
    }

    private String toll() {
        if (hurt.isEmpty()) {
            return "no volume is on it, but none can be made or grown";
        }
        var names =
                hurt.stream().limit(NAMED).map(RaidLoss::name).collect(Collectors.joining(", "));
        int more = hurt.size() - NAMED;
        return "volumes without redundancy: " + names + (more > 0 ? " and " + more + " more" : "");
    }

    private static String name(LogicalVolume lv) {
        return lv.tags().stream()
                .filter(tag -> tag.startsWith(Names.VOLUME_NAME_TAG))
                .map(tag -> tag.substring(Names.VOLUME_NAME_TAG.length()))
                .findFirst()
                .orElse(lv.name().lv());
    }
}
