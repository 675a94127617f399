package lvms.lvm2.device;

import java.nio.file.Path;
import java.util.List;

/** Why a device is not free. Each one is reason enough. */
public sealed interface Obstacle {
    /** The kernel refuses writes to it. */
    record ReadOnly() implements Obstacle {}

    /** Device-mapper holds its I/O back. */
    record Suspended() implements Obstacle {}

    /** It has no medium, or is an empty loop device. */
    record NoMedium() implements Obstacle {}

    /**
     * It has content: a filesystem, RAID, LVM label, swap area or anything else that libblkid
     * knows. Also a leg of a multipath ({@code mpath_member}) or md device ({@code
     * linux_raid_member}) that is not assembled.
     *
     * @param types its type; if several contradict each other, all of them
     */
    record Content(List<String> types) implements Obstacle {
        public Content {
            types = List.copyOf(types);
        }
    }

    /**
     * There is a partition table, perhaps without partitions.
     *
     * @param type such as {@code gpt}
     */
    record PartitionTable(String type) implements Obstacle {}

    /**
     * Partitions, or device-mapper or md devices, are on top of it, for example a multipath disk on
     * its leg.
     *
     * @param kernelNames their names
     */
    record Children(List<String> kernelNames) implements Obstacle {
        public Children {
            kernelNames = List.copyOf(kernelNames);
        }
    }

    /**
     * Its filesystem is mounted, in the mount namespace of some process that we can see.
     *
     * @param at where
     */
    record Mounted(Path at) implements Obstacle {}

    /** It is in use as swap. */
    record Swap() implements Obstacle {}

    /**
     * Other disks have the same world wide name: they are paths to one disk, which multipathd has
     * not joined, or not yet.
     *
     * @param kernelNames the other paths
     */
    record OtherPath(List<String> kernelNames) implements Obstacle {
        public OtherPath {
            kernelNames = List.copyOf(kernelNames);
        }
    }

    /**
     * The kernel or a program holds it exclusively: a mount that we cannot see, a filesystem of
     * several devices, ZFS, a virtual machine.
     */
    record Held() implements Obstacle {}

    /**
     * Programs have it open for writing, and nothing keeps others from doing the same; or a loop
     * device lies on it.
     *
     * @param by who, for people
     */
    record Opened(List<String> by) implements Obstacle {
        public Opened {
            by = List.copyOf(by);
        }
    }

    /**
     * Its content could not be read, so nothing is proved.
     *
     * @param why what was tried and what came back
     */
    record Unreadable(String why) implements Obstacle {}

    /** Returns it as the end of a sentence that begins with the device's name. */
    default String text() {
        return switch (this) {
            case ReadOnly() -> "is read-only";
            case Suspended() -> "is suspended";
            case NoMedium() -> "has no size";
            case Content(var types) -> "has content: " + String.join("+", types);
            case PartitionTable(var type) -> "has a partition table: " + type;
            case Children(var names) -> "has devices on it: " + String.join(", ", names);
            case Mounted(var at) -> "is mounted at " + at;
            case Swap() -> "is in use as swap";
            case OtherPath(var names) -> "is the same disk as " + String.join(", ", names);
            case Opened(var by) -> "is open for writing in " + String.join(", ", by);
            case Held() -> "is held by the kernel or another program";
            case Unreadable(var why) -> "could not be examined: " + why;
        };
    }
}
