package lvms.operator.overview;

import lvms.api.DeviceClass;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.disk.Disk;
import lvms.api.finding.Finding;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Classes that name a disk of their volume group by the kernel's name, which another disk may have
 * after the next boot, although the disk has a path that stays with it. Pure.
 */
final class PassingNames {
    private static final String BY_ID = "/dev/disk/by-id/";

    private PassingNames() {}

    static List<Finding> of(Overview overview) {
        return overview.statuses().stream()
                .flatMap(
                        status ->
                                overview.clusters().stream()
                                        .flatMap(cluster -> cluster.deviceClasses().stream())
                                        .flatMap(deviceClass -> of(status, deviceClass)))
                .toList();
    }

    private static Stream<Finding> of(LvmVolumeGroupNodeStatus status, DeviceClass deviceClass) {
        return Stream.concat(deviceClass.paths().stream(), deviceClass.optionalPaths().stream())
                .flatMap(
                        path ->
                                member(status, deviceClass, path).stream()
                                        .flatMap(disk -> lasting(disk).stream())
                                        .map(link -> finding(status, deviceClass, path, link)));
    }

    private static Optional<Disk> member(
            LvmVolumeGroupNodeStatus status, DeviceClass deviceClass, String path) {
        return status.disks().stream()
                .filter(disk -> disk.kernelName().equals(path))
                .filter(disk -> disk.group().equals(deviceClass.name()))
                .findFirst();
    }

    /** The disk's own identity first; the link by LVM's UUID goes when the label does. */
    private static Optional<String> lasting(Disk disk) {
        return disk.links().stream()
                .filter(link -> link.startsWith(BY_ID) && !link.startsWith(BY_ID + "lvm-pv-uuid-"))
                .min(
                        Comparator.comparing((String link) -> !link.startsWith(BY_ID + "wwn-"))
                                .thenComparing(link -> !link.startsWith(BY_ID + "nvme-eui."))
                                .thenComparing(Comparator.naturalOrder()));
    }

    private static Finding finding(
            LvmVolumeGroupNodeStatus status, DeviceClass deviceClass, String path, String link) {
        return Finding.note(
                "node " + status.node() + ", class " + deviceClass.name(),
                path + " is " + link + "; another disk may have the first name after a boot",
                "name " + link + " in the class instead");
    }
}
