package lvms.tests.lab.machine;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What a node is made of.
 *
 * @param memoryMib memory in MiB; it costs the machine only what the node touches
 * @param diskBytes sizes of the blank disks
 * @param udev whether systemd-udevd runs
 * @param mounts folders of the machine that the node has at other paths: node path to folder
 */
public record NodeOptions(
        String name, int memoryMib, List<Long> diskBytes, boolean udev, Map<String, Path> mounts) {
    private static final int MEMORY_MIB = 2048;

    public NodeOptions {
        diskBytes = List.copyOf(diskBytes);
        mounts = Map.copyOf(mounts);
    }

    /** A node without udev. */
    public static NodeOptions named(String name, List<Long> diskBytes) {
        return new NodeOptions(name, MEMORY_MIB, diskBytes, false, Map.of());
    }

    /** The same with udev. */
    public NodeOptions withUdev() {
        return new NodeOptions(name, memoryMib, diskBytes, true, mounts);
    }

    /** The same with a folder of the machine at a path of the node. */
    public NodeOptions withMounts(Map<String, Path> folders) {
        return new NodeOptions(name, memoryMib, diskBytes, udev, folders);
    }
}
