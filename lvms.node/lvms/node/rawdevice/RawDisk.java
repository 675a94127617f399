package lvms.node.rawdevice;

import lvms.api.nativestor.RawDevice;
import lvms.lvm2.device.BlockDevice;
import lvms.lvm2.device.BlockDevices;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds the disk of a RawDevice as sysfs shows it now, without reading from any disk. */
final class RawDisk {
    private static final Set<String> TYPES = Set.of("disk", "part", "mpath", "crypt", "loop");

    private RawDisk() {}

    static Optional<BlockDevice> of(RawDevice object, BlockDevices devices) throws IOException {
        var blocks =
                devices.list().stream()
                        .filter(block -> TYPES.contains(block.type().text()))
                        .toList();
        var match =
                RawDeviceMatch.of(List.of(object), blocks.stream().map(PresentDevice::of).toList());
        return match.device(object)
                .flatMap(
                        device ->
                                blocks.stream()
                                        .filter(
                                                b ->
                                                        b.path()
                                                                .toString()
                                                                .equals(device.kernelName()))
                                        .findFirst());
    }
}
