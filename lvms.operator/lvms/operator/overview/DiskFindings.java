package lvms.operator.overview;

import lvms.api.DeviceClass;
import lvms.api.DeviceSelector;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.VolumeGroupState;
import lvms.api.VolumeGroupStatus;
import lvms.api.disk.Disk;
import lvms.api.finding.Finding;
import lvms.k8s.object.KubeObject;
import lvms.operator.preview.ClassOnNode;
import lvms.operator.preview.ClusterPreview;
import lvms.operator.preview.DiskVerdict;
import lvms.operator.preview.DiskVerdict.Kind;
import lvms.operator.preview.NodeDisks;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Disks that device classes want and do not get, by what the node agents have published of them. A
 * node whose agent has published nothing has no findings. Pure.
 */
final class DiskFindings {
    private final Overview overview;
    private final List<Trouble> troubles;

    private DiskFindings(Overview overview) {
        this.overview = overview;
        this.troubles =
                overview.knows(LvmVolumeGroup.TYPE, LvmVolumeGroupNodeStatus.TYPE)
                        ? overview.statuses().stream().flatMap(this::troubles).toList()
                        : List.of();
    }

    /**
     * A path that a class names in vain.
     *
     * @param node name of the node
     * @param deviceClass name of the class
     * @param path as the class has it; empty if the class names none and finds no disk
     * @param required whether the class waits for it
     * @param finding what to say of it
     */
    private record Trouble(
            String node, String deviceClass, String path, boolean required, Finding finding) {}

    static DiskFindings of(Overview overview) {
        return new DiskFindings(overview);
    }

    /** Returns what no volume group says of itself. */
    List<Finding> untold() {
        return troubles.stream()
                .filter(trouble -> !told(trouble))
                .map(Trouble::finding)
                .distinct()
                .toList();
    }

    private boolean told(Trouble trouble) {
        var group = group(trouble.node(), trouble.deviceClass());
        return group.filter(g -> tells(g, trouble)).isPresent();
    }

    /** Whoever is ready has what it must have, even by a link that is not published. */
    private static boolean tells(VolumeGroupStatus group, Trouble trouble) {
        return trouble.path().isEmpty()
                ? !group.is(VolumeGroupState.PROGRESSING)
                : names(group, trouble.path())
                        || trouble.required() && group.is(VolumeGroupState.READY);
    }

    private Optional<VolumeGroupStatus> group(String node, String deviceClass) {
        return overview.statuses().stream()
                .filter(status -> status.node().equals(node))
                .flatMap(status -> status.deviceClass(deviceClass).stream())
                .findFirst();
    }

    private static boolean names(VolumeGroupStatus group, String path) {
        return group.reason().contains('"' + path + '"');
    }

    /** Returns what to do about the path that keeps a volume group from working. */
    Optional<String> cure(String node, VolumeGroupStatus group) {
        return troubles.stream()
                .filter(t -> t.node().equals(node) && t.deviceClass().equals(group.deviceClass()))
                .filter(t -> !t.path().isEmpty() && names(group, t.path()))
                .map(t -> t.finding().cure())
                .findFirst();
    }

    private Stream<Trouble> troubles(LvmVolumeGroupNodeStatus status) {
        var node = overview.node(status.node()).filter(Overview::ready).filter(overview::wanted);
        return node.isEmpty() || status.disks().isEmpty()
                ? Stream.empty()
                : overview.clusters().stream()
                        .map(cluster -> ClusterPreview.of(cluster, overview.groups()))
                        .flatMap(preview -> troubles(preview, node.get(), status.disks()));
    }

    private static Stream<Trouble> troubles(
            ClusterPreview preview, KubeObject node, List<Disk> disks) {
        var nodes = List.of(new NodeDisks(node, Optional.of(disks)));
        return preview.cluster().deviceClasses().stream()
                .flatMap(
                        deviceClass ->
                                preview.on(nodes, deviceClass::equals).stream()
                                        .flatMap(entry -> troubles(deviceClass, entry)));
    }

    private static Stream<Trouble> troubles(DeviceClass deviceClass, ClassOnNode entry) {
        var wanting = new Wanting(deviceClass, entry);
        return deviceClass.hasPaths()
                ? Stream.concat(
                        deviceClass.paths().stream().flatMap(wanting::required),
                        deviceClass.optionalPaths().stream().flatMap(wanting::optional))
                : wanting.anything();
    }

    /** A class that wants disks of a node. */
    private record Wanting(DeviceClass deviceClass, ClassOnNode entry) {
        Stream<Trouble> required(String path) {
            return entry.at(path).isEmpty()
                    ? Stream.of(
                            trouble(
                                    path,
                                    true,
                                    Finding.warning(
                                            subject(),
                                            "no disk of the node is listed at " + path,
                                            "plug the disk in, or correct the path; lvms disks"
                                                    + " shows what each node has")))
                    : left(path, true, Finding.Severity.ERROR);
        }

        Stream<Trouble> optional(String path) {
            return left(path, false, Finding.Severity.WARNING);
        }

        private Stream<Trouble> left(String path, boolean required, Finding.Severity severity) {
            return entry.at(path).filter(verdict -> verdict.kind() == Kind.LEFT).stream()
                    .map(
                            verdict ->
                                    new Finding(
                                            severity,
                                            subject(),
                                            text(path, verdict),
                                            cure(path, verdict.disk())))
                    .map(finding -> trouble(path, required, finding));
        }

        Stream<Trouble> anything() {
            boolean some = entry.verdicts().stream().anyMatch(v -> v.kind() != Kind.LEFT);
            return some
                    ? Stream.empty()
                    : Stream.of(
                            trouble(
                                    "",
                                    true,
                                    Finding.error(
                                            subject(),
                                            "no disk of the node is free for it",
                                            "lvms disks --class=%s shows what keeps each disk out"
                                                    .formatted(deviceClass.name()))));
        }

        private String subject() {
            return "node " + entry.node() + ", class " + deviceClass.name();
        }

        private Trouble trouble(String path, boolean required, Finding finding) {
            return new Trouble(entry.node(), deviceClass.name(), path, required, finding);
        }

        private String text(String path, DiskVerdict verdict) {
            Set<String> reasons = new LinkedHashSet<>(verdict.reasons());
            verdict.disk().keptFromWipe().filter(_ -> wipes()).ifPresent(reasons::add);
            return path + " cannot be used: " + String.join("; ", reasons);
        }

        private boolean wipes() {
            return deviceClass
                    .group()
                    .deviceSelector()
                    .flatMap(DeviceSelector::forceWipe)
                    .orElse(false);
        }

        private static String cure(String path, Disk disk) {
            if (disk.obstacles().isEmpty()) {
                return "a disk serves one class: take the path out of the others";
            }
            if (!disk.group().isEmpty()) {
                return "if nobody needs volume group %s: vgremove %s and pvremove %s on the node"
                        .formatted(disk.group(), disk.group(), path);
            }
            if (!disk.partitions().isEmpty()) {
                return "name one of %s instead, or remove them on the node"
                        .formatted(String.join(", ", disk.partitions()));
            }
            return disk.content().isEmpty() || disk.keptFromWipe().isPresent()
                    ? "free the disk on the node, or name another one; lvms disks shows them"
                    : "if nobody needs what is on it: wipefs --all %s on the node".formatted(path);
        }
    }
}
