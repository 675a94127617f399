package lvms.tests.lab.machine;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a node is made of.
 *
 * @param memoryMib memory in MiB; it costs the machine only what the node touches
 * @param diskBytes sizes of the blank disks
 * @param udev whether systemd-udevd runs
 * @param mounts folders of the machine that the node has at other paths: node path to folder
 * @param kernelArguments further arguments of its kernel
 * @param above a folder whose files lie above those of the machine, such as another LVM
 */
public record NodeOptions(
        String name,
        int memoryMib,
        List<Long> diskBytes,
        boolean udev,
        Map<String, Path> mounts,
        List<String> kernelArguments,
        Optional<Path> above) {
    private static final int MEMORY_MIB = 2048;
    private static final Path IMAGE = Path.of("out/oci/debian");
    private static final Optional<Path> ABOVE =
            System.getProperty("lvms.lvm", "").equals("image")
                    ? Optional.of(IMAGE)
                    : Optional.empty();

    public NodeOptions {
        diskBytes = List.copyOf(diskBytes);
        mounts = Map.copyOf(mounts);
        kernelArguments = List.copyOf(kernelArguments);
    }

    /** A node with the machine's programs, or the image's if the tests were asked for these. */
    public NodeOptions(
            String name,
            int memoryMib,
            List<Long> diskBytes,
            boolean udev,
            Map<String, Path> mounts) {
        this(name, memoryMib, diskBytes, udev, mounts, List.of(), ABOVE);
    }

    /** A node without udev. */
    public static NodeOptions named(String name, List<Long> diskBytes) {
        return new NodeOptions(name, MEMORY_MIB, diskBytes, false, Map.of());
    }

    /** The same with udev. */
    public NodeOptions withUdev() {
        return new NodeOptions(name, memoryMib, diskBytes, true, mounts, kernelArguments, above);
    }

    /** The same with a folder of the machine at a path of the node. */
    public NodeOptions withMounts(Map<String, Path> folders) {
        return new NodeOptions(name, memoryMib, diskBytes, udev, folders, kernelArguments, above);
    }

    /** The same with further arguments of the kernel. */
    public NodeOptions withKernel(String... arguments) {
        return new NodeOptions(name, memoryMib, diskBytes, udev, mounts, List.of(arguments), above);
    }

    /** The same with the container image's LVM, filesystem tools and C library. */
    public NodeOptions withImagesPrograms() {
        return new NodeOptions(
                name, memoryMib, diskBytes, udev, mounts, kernelArguments, Optional.of(IMAGE));
    }
}
