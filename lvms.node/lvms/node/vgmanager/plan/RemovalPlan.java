package lvms.node.vgmanager.plan;

import lvms.api.disk.DeviceSelection;
import lvms.api.disk.DeviceSelection.SelectedPath;
import lvms.node.disk.KnownPv;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Decides which physical volumes the user has taken out of the device selector. Only a selector
 * that names devices can remove any, and only devices that are certainly not among the named ones.
 */
final class RemovalPlan {
    private static final int NAMED = 5;

    private RemovalPlan() {}

    /** Returns what to do about surplus physical volumes; empty if there are none. */
    static Optional<Decision> next(Situation s) {
        var surplus = s.members().stream().filter(s::isSurplus).toList();
        if (surplus.isEmpty()) {
            return Optional.empty();
        }
        var objection = objection(s, surplus);
        if (objection.isPresent()) {
            return blocked(objection.get());
        }
        var empty = surplus.stream().filter(pv -> pv.pv().allocatedExtents() == 0).toList();
        return empty.isEmpty()
                ? blocked(holding(s, surplus))
                : Optional.of(new Decision.Act(new Step.RemoveDevices(empty)));
    }

    private static Optional<Decision> blocked(String message) {
        return Optional.of(new Decision.Blocked(EventReason.REMOVAL_FAILED, message));
    }

    /** Only a person knows whether the data may be moved now, so nothing is. */
    private static String holding(Situation s, List<KnownPv> surplus) {
        return surplus.stream().map(pv -> holding(s, pv)).collect(Collectors.joining("; "));
    }

    private static String holding(Situation s, KnownPv pv) {
        return "cannot remove %1$s yet: volumes are on it: %2$s; move them with \"pvmove %1$s\" on"
                        .formatted(pv.pv().device(), volumesOn(s, pv))
                + " the node, or delete them";
    }

    /** Names of LVM, of which a thin pool has hidden ones. */
    private static String volumesOn(Situation s, KnownPv pv) {
        var names =
                s.ours().stream()
                        .flatMap(ours -> ours.physicalSegments().stream())
                        .filter(segment -> segment.pvUuid().equals(pv.pv().uuid()))
                        .flatMap(segment -> segment.volume().stream())
                        .distinct()
                        .sorted()
                        .toList();
        return names.size() <= NAMED
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, NAMED))
                        + " and %d more".formatted(names.size() - NAMED);
    }

    private static Optional<String> objection(Situation s, List<KnownPv> surplus) {
        var names = surplus.stream().map(pv -> pv.pv().device()).collect(Collectors.joining(", "));
        int left = s.members().size() - surplus.size();
        if (surplus.stream().anyMatch(pv -> pv.kernelName().isEmpty())) {
            return Optional.of("cannot remove " + names + ": it is not a device of this node");
        }
        if (left < 1) {
            return Optional.of("cannot remove " + names + ": no device would remain");
        }
        return dangling(s.selection())
                .map(
                        path ->
                                ("cannot remove %s: the path %s leads nowhere now and may have"
                                                + " named it")
                                        .formatted(names, path))
                .or(
                        () ->
                                s.goal()
                                        .raid()
                                        .flatMap(raid -> raid.problemWith(left))
                                        .map(problem -> "cannot remove " + names + ": " + problem));
    }

    /**
     * A link that leads nowhere proves nothing, since udev may not have made it yet. A plain kernel
     * name that is not there is proof: no device has that name.
     */
    private static Optional<String> dangling(DeviceSelection selection) {
        return selection.optional().stream()
                .filter(path -> path.kernelName().isEmpty())
                .map(SelectedPath::path)
                .filter(path -> !isKernelName(path))
                .findFirst();
    }

    private static boolean isKernelName(String path) {
        return path.startsWith("/dev/") && path.indexOf('/', "/dev/".length()) < 0;
    }
}
