package lvms.node.volume;

import lvms.api.LogicalVolume;
import lvms.api.UnclaimedVolume;
import lvms.k8s.object.Quantity;
import lvms.node.erasure.Marks;
import lvms.node.proof.Proofs;

import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Compares the volumes of a group with the objects of this node, from either side. */
final class TwoSides {
    /** The names that TopoLVM gives, whose volumes have no tag of ours. */
    private static final Pattern UID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private TwoSides() {}

    /** Returns our volumes that no object names, by name. */
    static List<UnclaimedVolume> unclaimed(
            Collection<lvms.lvm2.LogicalVolume> volumes, Collection<LogicalVolume> objects) {
        var names =
                objects.stream()
                        .flatMap(o -> List.of(o.uid(), o.volumeName()).stream())
                        .collect(Collectors.toSet());
        return volumes.stream()
                .filter(lv -> lv.path().isPresent() && !lv.isThinPool())
                .filter(lv -> !Marks.isQuarantined(lv) && !Marks.isGrowth(lv))
                .filter(lv -> !Marks.isHeldStill(lv))
                .filter(lv -> !names.contains(lv.name().lv()))
                .filter(TwoSides::ours)
                .map(TwoSides::unclaimed)
                .sorted((a, b) -> a.name().compareTo(b.name()))
                .toList();
    }

    private static boolean ours(lvms.lvm2.LogicalVolume volume) {
        return Proofs.taggedFor(volume.tags()).isPresent()
                || UID.matcher(volume.name().lv()).matches();
    }

    private static UnclaimedVolume unclaimed(lvms.lvm2.LogicalVolume volume) {
        return new UnclaimedVolume(
                volume.name().lv(),
                Proofs.taggedFor(volume.tags()).orElse(""),
                Quantity.ofBytes(volume.sizeBytes()));
    }

    /** Returns the objects whose volume is not among the volumes of their group. */
    static List<LogicalVolume> missing(
            Collection<lvms.lvm2.LogicalVolume> volumes, Collection<LogicalVolume> objects) {
        var names = volumes.stream().map(lv -> lv.name().lv()).collect(Collectors.toSet());
        return objects.stream()
                .filter(o -> o.state() == LogicalVolume.State.READY)
                .filter(o -> !names.contains(o.status().volumeId()))
                .toList();
    }
}
