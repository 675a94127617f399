package lvms.node.vgmanager.plan;

import lvms.api.disk.DeviceSelection.SelectedPath;
import lvms.node.disk.KnownPv;
import lvms.node.disk.NodeDevice;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Keeps a disk out of a group that may have got the name of a member. A name such as {@code
 * /dev/sdb} belongs to another disk after some boots; the member that had it is then in the group
 * still, and no path of the class leads to it.
 */
final class NameCheck {
    private NameCheck() {}

    /** Returns what is wrong if a new disk is named by such a name alone. */
    static Optional<String> problem(Situation s) {
        var unnamed = unnamedMembers(s);
        var doubtful = s.available().stream().filter(device -> onlyByName(s, device)).toList();
        return unnamed.isEmpty() || doubtful.isEmpty()
                ? Optional.empty()
                : Optional.of(text(s, unnamed, doubtful));
    }

    private static List<KnownPv> unnamedMembers(Situation s) {
        return s.members().stream()
                .filter(pv -> !pv.pv().missing())
                .filter(
                        pv ->
                                pv.kernelName()
                                        .filter(name -> !s.selection().names(name))
                                        .isPresent())
                .toList();
    }

    /** A link is the disk's own name, or its place: it does not go over to another disk. */
    private static boolean onlyByName(Situation s, NodeDevice device) {
        var paths =
                Stream.concat(s.selection().required().stream(), s.selection().optional().stream())
                        .filter(p -> p.kernelName().filter(device.kernelName()::equals).isPresent())
                        .map(SelectedPath::path)
                        .toList();
        return !paths.isEmpty() && paths.stream().allMatch(device.kernelName()::equals);
    }

    private static String text(Situation s, List<KnownPv> unnamed, List<NodeDevice> doubtful) {
        var members =
                unnamed.stream().map(pv -> pv.pv().device()).collect(Collectors.joining(", "));
        var names = doubtful.stream().map(NodeDevice::name).collect(Collectors.joining(", "));
        return ("%s is not taken: no path leads to %s, which is in volume group \"%s\", so the"
                    + " disks may have changed their names; name them by paths below /dev/disk, and"
                    + " to replace a disk, add the new one before you take the old one off")
                .formatted(names, members, s.goal().volumeGroup());
    }
}
