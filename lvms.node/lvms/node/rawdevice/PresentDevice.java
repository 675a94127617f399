package lvms.node.rawdevice;

import lvms.lvm2.device.BlockDevice;
import lvms.lvm2.device.DeviceIdentity;
import lvms.lvm2.device.DeviceIdentity.Mark;
import lvms.lvm2.device.DeviceType;
import lvms.node.disk.NodeDevice;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A device that is there, with what tells whose it is.
 *
 * @param name name for people, such as {@code /dev/mapper/mpatha}
 * @param kernelName path by the kernel's name; unique on the node
 * @param type kind, in the words of lsblk(8)
 * @param sizeBytes size in bytes
 * @param identity what identifies it, whatever is on it; its place, if nothing else does
 * @param place where it is plugged in, as a link says; empty without udev
 */
record PresentDevice(
        String name,
        String kernelName,
        String type,
        long sizeBytes,
        DeviceIdentity identity,
        Optional<String> place) {
    private static final Path PLACES = Path.of("/dev/disk/by-path");

    static PresentDevice of(NodeDevice device) {
        return of(
                device.name(),
                device.kernelName(),
                device.type(),
                device.sizeBytes(),
                device.hardware().identity().lasting(),
                device.hardware().links().stream().map(Path::of));
    }

    static PresentDevice of(BlockDevice block) {
        return of(
                block.dmName().map(name -> "/dev/mapper/" + name).orElse(block.path().toString()),
                block.path().toString(),
                block.type().text(),
                block.sizeBytes(),
                DeviceIdentity.of(block),
                block.links().stream());
    }

    private static PresentDevice of(
            String name,
            String kernelName,
            String type,
            long sizeBytes,
            DeviceIdentity marks,
            Stream<Path> links) {
        var place =
                links.filter(link -> PLACES.equals(link.getParent()))
                        .map(link -> link.getFileName().toString())
                        .findFirst();
        var identity =
                marks.marks().isEmpty() && place.isPresent()
                        ? new DeviceIdentity(Map.of(Mark.BY_PATH, place.get()))
                        : marks;
        return new PresentDevice(name, kernelName, type, sizeBytes, identity, place);
    }

    boolean isPartition() {
        return type.equals(DeviceType.PARTITION.text());
    }

    boolean isAt(String path) {
        return name.equals(path) || kernelName.equals(path);
    }
}
