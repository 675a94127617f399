package lvms.lvm2.device;

import lvms.lvm2.system.DeviceNumber;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The block devices of this machine, from sysfs, udev's database and the links below {@code /dev}.
 * Each call reads everything again, and ignores a device that vanishes meanwhile. Any thread may
 * call.
 */
public final class BlockDevices {
    private final Path sysClassBlock;
    private final Path udevData;
    private final Path dev;

    /**
     * Looks below other roots than the machine's own.
     *
     * @param sys where sysfs is mounted
     * @param run where {@code /run} is, with udev's database; it may be missing
     * @param dev where the device nodes are
     */
    public BlockDevices(Path sys, Path run, Path dev) {
        this.sysClassBlock = sys.resolve("class/block");
        this.udevData = run.resolve("udev/data");
        this.dev = dev;
    }

    /** Looks at {@code /sys}, {@code /run} and {@code /dev}. */
    public static BlockDevices system() {
        return new BlockDevices(Path.of("/sys"), Path.of("/run"), Path.of("/dev"));
    }

    /** Lists all block devices, sorted by kernel name; without loop devices that have no file. */
    public List<BlockDevice> list() throws IOException {
        var links = DeviceLinks.below(dev);
        var devices = new ArrayList<BlockDevice>();
        for (var name : names(sysClassBlock)) {
            read(name, links).filter(BlockDevices::present).ifPresent(devices::add);
        }
        return List.copyOf(devices);
    }

    /** Finds the device behind a path, following links; empty if it is not a block device. */
    public Optional<BlockDevice> find(Path device) throws IOException {
        Path real;
        try {
            real = device.toRealPath();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        var name = real.getFileName().toString();
        var direct = read(name, DeviceLinks.below(dev)).filter(d -> d.path().equals(real));
        return direct.isPresent() ? direct : byNode(real);
    }

    public Optional<BlockDevice> find(DeviceNumber number) throws IOException {
        return list().stream().filter(d -> d.number().equals(number)).findFirst();
    }

    /** Reads the size of a block device or file, in bytes, by asking the kernel. */
    public static long sizeBytes(Path device) throws IOException {
        try (var channel = FileChannel.open(device, StandardOpenOption.READ)) {
            return channel.size(); // BLKGETSIZE64 for a block device
        }
    }

    /** Finds a device by a node of another name, such as one made with mknod. */
    private Optional<BlockDevice> byNode(Path real) throws IOException {
        var attributes = Files.readAttributes(real, "unix:mode,rdev");
        boolean block = ((int) attributes.get("mode") & 0170000) == 0060000;
        return block ? find(DeviceNumber.ofDev((long) attributes.get("rdev"))) : Optional.empty();
    }

    private static boolean present(BlockDevice device) {
        return device.type() != DeviceType.LOOP || device.backingFile().isPresent();
    }

    private Optional<BlockDevice> read(String name, DeviceLinks links) throws IOException {
        var folder = new SysfsFolder(sysClassBlock.resolve(name));
        var number = folder.text("dev");
        if (number.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(read(name, folder, DeviceNumber.parse(number), links));
    }

    private BlockDevice read(
            String name, SysfsFolder folder, DeviceNumber number, DeviceLinks links)
            throws IOException {
        boolean partition = !folder.text("partition").isEmpty();
        var disk = partition ? folder.parent() : folder;
        var udev = UdevData.read(udevData.resolve("b" + number));
        var holders = folder.names("holders");
        var children = new ArrayList<>(partition ? List.<String>of() : folder.partitions());
        children.addAll(holders);
        var path = dev.resolve(name.replace('!', '/'));
        return new BlockDevice(
                name,
                path,
                number,
                disk.number("diskseq"),
                type(name, folder),
                folder.number("size") * 512, // sysfs counts sectors of 512, whatever the disk's
                folder.number("ro") == 1,
                disk.number("removable") == 1,
                disk.number("queue/rotational") == 1,
                first(disk.text("device/model"), udev.getOrDefault("ID_MODEL", "")),
                first(disk.text("device/vendor"), udev.getOrDefault("ID_VENDOR", "")),
                first(disk.text("device/serial"), disk.text("serial"), serial(udev)),
                first(disk.text("wwid"), disk.text("device/wwid"), udev.getOrDefault("ID_WWN", "")),
                state(folder, disk),
                first(folder.uevent("PARTNAME"), udev.getOrDefault("ID_PART_ENTRY_NAME", "")),
                partition ? List.of(disk.name()) : folder.names("slaves"),
                children,
                holders,
                optional(folder.text("loop/backing_file")).map(Path::of),
                optional(folder.text("dm/name")),
                optional(folder.text("dm/uuid")),
                links.to(path));
    }

    private static String serial(Map<String, String> udev) {
        return udev.getOrDefault("ID_SERIAL_SHORT", udev.getOrDefault("ID_SERIAL", ""));
    }

    private static String state(SysfsFolder folder, SysfsFolder disk) throws IOException {
        return switch (folder.text("dm/suspended")) {
            case "1" -> "suspended";
            case "0" -> "running";
            default -> disk.text("device/state");
        };
    }

    static DeviceType type(String name, SysfsFolder folder) throws IOException {
        if (!folder.text("partition").isEmpty()) {
            return DeviceType.PARTITION;
        }
        if (name.startsWith("dm-")) {
            return ofDeviceMapper(folder.text("dm/uuid"));
        }
        if (name.matches("md\\d.*") || name.startsWith("md_")) {
            return DeviceType.RAID;
        }
        if (name.matches("loop\\d+")) {
            return DeviceType.LOOP;
        }
        if (name.matches("z?ram\\d+")) {
            return DeviceType.RAM;
        }
        boolean optical = name.matches("sr\\d+") || folder.text("device/type").equals("5");
        return optical ? DeviceType.ROM : DeviceType.DISK;
    }

    private static DeviceType ofDeviceMapper(String uuid) {
        if (uuid.startsWith("LVM-")) {
            return DeviceType.LVM;
        }
        if (uuid.startsWith("mpath-")) {
            return DeviceType.MULTIPATH;
        }
        if (uuid.startsWith("CRYPT-")) {
            return DeviceType.CRYPT;
        }
        // kpartx and multipath tools put partN- in front of the parent's UUID
        return uuid.matches("part\\d+-.*") ? DeviceType.PARTITION : DeviceType.DEVICE_MAPPER;
    }

    private static String first(String... candidates) {
        for (var candidate : candidates) {
            if (!candidate.isEmpty()) {
                return candidate;
            }
        }
        return "";
    }

    private static Optional<String> optional(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    private static List<String> names(Path folder) throws IOException {
        try (var entries = Files.list(folder)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        }
    }
}
