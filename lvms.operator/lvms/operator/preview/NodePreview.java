package lvms.operator.preview;

import lvms.api.DeviceClass;
import lvms.api.DeviceSelector;
import lvms.api.LvmVolumeGroup;
import lvms.api.disk.ClassChoice;
import lvms.api.disk.DeviceClaims;
import lvms.api.disk.DeviceSelection;
import lvms.api.disk.DeviceSelection.SelectedPath;
import lvms.api.disk.Disk;
import lvms.operator.preview.DiskVerdict.Kind;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The disks of one node, and the classes that contend for them.
 *
 * @param node name of the node
 * @param disks its disks
 * @param classes the classes for this node
 * @param groups the LVMVolumeGroups that there are, by name
 */
record NodePreview(
        String node,
        List<Disk> disks,
        List<DeviceClass> classes,
        Map<String, LvmVolumeGroup> groups) {
    ClassOnNode judge(DeviceClass deviceClass) {
        var selection = selection(deviceClass);
        var choice = new ClassChoice(deviceClass.name(), selection, claims());
        var verdicts = disks.stream().map(disk -> judge(deviceClass, choice, disk)).toList();
        return new ClassOnNode(
                deviceClass.name(),
                !deviceClass.hasPaths(),
                node,
                true,
                verdicts,
                selection.required().stream()
                        .flatMap(path -> problem(path, verdicts).stream())
                        .findFirst());
    }

    private DiskVerdict judge(DeviceClass deviceClass, ClassChoice choice, Disk disk) {
        if (disk.group().equals(deviceClass.name())) {
            return new DiskVerdict(disk, Kind.MEMBER, List.of());
        }
        var own = choice.objections(disk.name(), disk.kernelName(), disk.sizeBytes()).toList();
        var late = late(deviceClass, disk);
        if (own.isEmpty() && late.isEmpty() && disk.obstacles().isEmpty()) {
            return new DiskVerdict(disk, Kind.TAKEN, List.of());
        }
        if (own.isEmpty() && disk.keptFromWipe().isEmpty() && wipes(deviceClass)) {
            return new DiskVerdict(disk, Kind.WIPED, List.of());
        }
        var reasons =
                Stream.of(own.stream(), disk.obstacles().stream(), late.stream())
                        .flatMap(some -> some)
                        .toList();
        return new DiskVerdict(disk, Kind.LEFT, reasons);
    }

    /** What keeps a disk out that is free. */
    private Optional<String> late(DeviceClass deviceClass, Disk disk) {
        boolean complete =
                deviceClass.group().effectiveDiscovery().isComplete(exists(deviceClass.name()));
        return complete
                ? Optional.of(ClassChoice.late(disk.name()))
                : disk.unknownData() && !deviceClass.hasPaths()
                        ? Optional.of(ClassChoice.unknownData(disk.name()))
                        : Optional.empty();
    }

    /** Named devices are wiped once, and not if the group is there. */
    private boolean wipes(DeviceClass deviceClass) {
        var group = Optional.ofNullable(groups.get(deviceClass.name()));
        return deviceClass.hasPaths()
                && deviceClass
                        .group()
                        .deviceSelector()
                        .flatMap(DeviceSelector::forceWipe)
                        .orElse(false)
                && !exists(deviceClass.name())
                && group.filter(g -> g.wipedOn(node)).isEmpty();
    }

    private boolean exists(String volumeGroup) {
        return disks.stream().anyMatch(disk -> disk.group().equals(volumeGroup));
    }

    private DeviceClaims claims() {
        return DeviceClaims.of(
                classes.stream().map(this::claimant).toList(),
                disks.stream().map(Disk::kernelName).toList());
    }

    private DeviceClaims.Claimant claimant(DeviceClass deviceClass) {
        var created =
                Optional.ofNullable(groups.get(deviceClass.name()))
                        .flatMap(group -> group.object().creationTimestamp());
        return new DeviceClaims.Claimant(
                deviceClass.name(),
                created.orElse(Instant.MAX),
                selection(deviceClass),
                deviceClass
                        .group()
                        .effectiveDiscovery()
                        .takesNewDevices(exists(deviceClass.name())));
    }

    private DeviceSelection selection(DeviceClass deviceClass) {
        return new DeviceSelection(
                resolved(deviceClass.paths()), resolved(deviceClass.optionalPaths()));
    }

    private List<SelectedPath> resolved(List<String> paths) {
        return paths.stream().map(path -> new SelectedPath(path, kernelName(path))).toList();
    }

    private Optional<String> kernelName(String path) {
        return disks.stream().filter(disk -> disk.isAt(path)).map(Disk::kernelName).findFirst();
    }

    /** A mandatory path that cannot be used keeps the class from doing anything. */
    private static Optional<String> problem(SelectedPath path, List<DiskVerdict> verdicts) {
        var verdict =
                verdicts.stream()
                        .filter(v -> path.kernelName().equals(Optional.of(v.disk().kernelName())))
                        .findFirst();
        return verdict.isEmpty()
                ? Optional.of(path.path() + " is not there")
                : verdict.filter(v -> v.is(Kind.LEFT)).map(NodePreview::why);
    }

    private static String why(DiskVerdict verdict) {
        return String.join("; ", verdict.reasons());
    }
}
