package lvms.operator.takeover;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.VolumeCounts;
import lvms.k8s.client.ApiException;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.operator.uninstall.NodeMarks;
import lvms.operator.uninstall.Reads;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What our agents made and a predecessor would treat otherwise: it finds a volume by the UID of its
 * object, removes a thick volume together with its snapshots, and knows none of the volumes that
 * only our agents know what to do with.
 *
 * @param system name of the predecessor, for people
 * @param drivers whose LogicalVolumes it would serve
 * @param marks what our agents put on the nodes where they work
 */
record ReturnObstacles(Reads reads, String system, List<Driver> drivers, NodeMarks marks) {
    /** Any of them may have been served by our agent, and then has its own annotation. */
    private static final List<Driver> REPORTED = List.of(Driver.TOPOLVM, Driver.LEGACY);

    List<String> all() throws ApiException, InterruptedException {
        var volumes = new ArrayList<LogicalVolume>();
        for (var driver : drivers) {
            reads.list(driver.logicalVolumes()).stream()
                    .map(item -> LogicalVolume.tolerant(item.object()))
                    .forEach(volumes::add);
        }
        var retained =
                reads.list(Types.PV).stream()
                        .map(item -> item.object())
                        .filter(ReturnObstacles::isRetained)
                        .flatMap(pv -> pv.text("spec", "csi", "volumeHandle").stream())
                        .collect(Collectors.toSet());
        var found = new ArrayList<String>();
        for (var volume : volumes) {
            ofVolume(volume, retained).ifPresent(found::add);
        }
        for (var node : reads.list(Types.NODE)) {
            var here =
                    volumes.stream().filter(v -> v.spec().nodeName().equals(node.name())).toList();
            if (!here.isEmpty() || marks.on(node.object())) {
                ofNode(node.object(), here, found);
            }
        }
        return found;
    }

    private static boolean isRetained(KubeObject persistentVolume) {
        return persistentVolume
                .text("spec", "persistentVolumeReclaimPolicy")
                .filter("Retain"::equals)
                .isPresent();
    }

    private Optional<String> ofVolume(LogicalVolume volume, Set<String> retained) {
        var name = "LogicalVolume " + volume.name();
        var id = volume.status().volumeId();
        if (id.isEmpty()) {
            boolean fails = volume.state() == LogicalVolume.State.FAILED;
            return fails && volume.spec().source().isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            name
                                    + " is not made yet, and "
                                    + system
                                    + " would hand it out without its content: wait, or delete its"
                                    + " claim or snapshot");
        }
        if (isThickSnapshot(volume)) {
            return Optional.of(
                    name
                            + " is a snapshot of a thick volume, and "
                            + system
                            + " removes it together with its source: delete its VolumeSnapshot;"
                            + " restore it to a claim before, if you need it");
        }
        return id.equals(volume.uid()) || retained.contains(id)
                ? Optional.empty()
                : Optional.of(
                        name
                                + " has volume "
                                + id
                                + ", and "
                                + system
                                + " would never remove or grow it, since it looks for the UID of"
                                + " the object: copy it to a new claim, delete it, or set the"
                                + " reclaim policy of its PersistentVolume to Retain");
    }

    /** No other snapshot has a store of its own. */
    private static boolean isThickSnapshot(LogicalVolume volume) {
        return volume.isSnapshot() && volume.storeBytes().isPresent();
    }

    private void ofNode(KubeObject node, List<LogicalVolume> volumes, List<String> found) {
        var counts =
                REPORTED.stream()
                        .flatMap(d -> node.annotation(d.volumeCountsAnnotation()).stream())
                        .flatMap(text -> VolumeCounts.of(text).stream())
                        .findFirst();
        if (counts.isEmpty()) {
            found.add(
                    "Node "
                            + node.name()
                            + " has no annotation "
                            + Driver.TOPOLVM.volumeCountsAnnotation()
                            + ", so what is in its volume groups is unknown: wait until a node"
                            + " agent of this version runs there and reads all of them");
            return;
        }
        var now = counts.get();
        add(found, node, now.removed(), "removed volumes (lvms-erase-*) are not erased yet");
        add(found, node, now.growth(), "volumes (lvms-grow-*) hold room for a growth");
        add(found, node, now.copied(), "snapshots (lvms-still-*) are being copied");
        long known = volumes.stream().filter(ReturnObstacles::isThickSnapshot).count();
        if (now.thickSnapshots() > known) {
            found.add(
                    ("Node %s: %d snapshots of thick volumes have no LogicalVolume, and %s removes"
                                    + " them together with their sources: lvms volumes lists them")
                            .formatted(node.name(), now.thickSnapshots() - known, system));
        }
    }

    private void add(List<String> found, KubeObject node, long count, String what) {
        if (count > 0) {
            found.add(
                    ("Node %s: %d %s, and %s would leave them on the disks: wait until there are"
                                    + " none")
                            .formatted(node.name(), count, what, system));
        }
    }
}
