package lvms.tests.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * What a node of a real cluster is made of.
 *
 * @param diskBytes sizes of the blank disks, besides the one that holds {@code /var/lib}
 * @param hostLvm whether the host has LVM; without it the image's serves
 * @param udev whether systemd-udevd runs
 * @param thinPoolModule whether the kernel has the module of thin pools
 * @param kubeletRoot kubelet's {@code --root-dir}
 * @param memoryMib memory in MiB; it costs the machine only what the node touches
 */
public record NodeSpec(
        String name,
        List<Long> diskBytes,
        boolean hostLvm,
        boolean udev,
        boolean thinPoolModule,
        String kubeletRoot,
        int memoryMib) {
    private static final long GIB = 1L << 30;
    private static final int MEMORY_MIB = 2304;
    private static final String KUBELET_ROOT = "/var/lib/kubelet";

    public NodeSpec {
        diskBytes = List.copyOf(diskBytes);
    }

    /** A host without LVM and udev of its own, with two disks of 4 GiB. */
    public static NodeSpec plain(String name) {
        var disks = List.of(4 * GIB, 4 * GIB);
        return new NodeSpec(name, disks, false, false, true, KUBELET_ROOT, MEMORY_MIB);
    }

    /** A host as Debian sets it up, LVM and udev and all, with two disks of 4 GiB. */
    public static NodeSpec debian(String name) {
        var disks = List.of(4 * GIB, 4 * GIB);
        return new NodeSpec(name, disks, true, true, true, KUBELET_ROOT, MEMORY_MIB);
    }

    /** The nodes node1, node2, ... of a cluster: one without LVM, the next with, and so on. */
    public static List<NodeSpec> alternating(int count) {
        var nodes = new ArrayList<NodeSpec>();
        for (int i = 1; i <= count; i++) {
            nodes.add(i % 2 == 1 ? plain("node" + i) : debian("node" + i));
        }
        return nodes;
    }

    /** The same with other blank disks. */
    public NodeSpec disks(Long... sizes) {
        return new NodeSpec(
                name, List.of(sizes), hostLvm, udev, thinPoolModule, kubeletRoot, memoryMib);
    }

    /** The same without the kernel's module of thin pools. */
    public NodeSpec withoutThinPoolModule() {
        return new NodeSpec(name, diskBytes, hostLvm, udev, false, kubeletRoot, memoryMib);
    }

    /** The same with kubelet's folder elsewhere. */
    public NodeSpec kubeletRoot(String folder) {
        return new NodeSpec(name, diskBytes, hostLvm, udev, thinPoolModule, folder, memoryMib);
    }
}
