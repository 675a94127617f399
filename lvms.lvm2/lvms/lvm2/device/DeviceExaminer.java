package lvms.lvm2.device;

import static lvms.lvm2.device.DeviceExaminer.Depth.NONE;
import static lvms.lvm2.device.DeviceExaminer.Depth.SPARING;
import static lvms.lvm2.device.DeviceExaminer.Depth.THOROUGH;

import lvms.lvm2.filesystem.MountTable;
import lvms.lvm2.system.DeviceNumber;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/**
 * Proves that devices are free. It looks at sysfs, at the mounts of every namespace of a process
 * that we can see, at swap and at the content; finally it opens the device exclusively for a
 * moment, which is the kernel's own proof. Starts no process and trusts no cache. A device that
 * gives no answer is {@link Obstacle.Unreadable}. Any thread may call.
 *
 * <p>The proof holds for that moment. To keep the device free, take a {@link DeviceClaim}.
 */
public final class DeviceExaminer {
    /** A disk that is busy, or starts to turn, answers within this time. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** One for all, so that a disk that gave no answer is not waited for again. */
    private static final Questions CONTENTS = new Questions(PATIENCE);

    private final BlockDevices devices;
    private final Questions contents;

    /**
     * @param devices where to look for devices
     */
    public DeviceExaminer(BlockDevices devices) {
        this(devices, CONTENTS);
    }

    DeviceExaminer(BlockDevices devices, Questions contents) {
        this.devices = devices;
        this.contents = contents;
    }

    /** How thoroughly to look at a device. */
    enum Depth {
        /** Not opened. */
        NONE,
        /** Opened exclusively only if there is no other obstacle. */
        SPARING,
        /** Opened exclusively in any case. */
        THOROUGH
    }

    /** Looks at this machine. */
    public static DeviceExaminer system() {
        return new DeviceExaminer(BlockDevices.system());
    }

    /**
     * What all examinations of one round share.
     *
     * @param all all devices
     * @param mounts mounts of all namespaces
     * @param swaps numbers and paths of swap areas
     * @param open who has devices open; read once a device needs it
     */
    private record Machine(
            List<BlockDevice> all, MountTable mounts, Set<Object> swaps, Open open) {}

    /** Looking at all processes is dear, so it is done only for a device that seems free. */
    private static final class Open {
        private Optional<OpenDevices> devices = Optional.empty();

        OpenDevices read() throws IOException {
            if (devices.isEmpty()) {
                devices = Optional.of(OpenDevices.read());
            }
            return devices.get();
        }
    }

    /** Examines a device, following links; empty if the path leads to none. */
    public Optional<DeviceExamination> examine(Path device)
            throws IOException, InterruptedException {
        var found = devices.find(device);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(examine(found.get(), machine(), THOROUGH));
    }

    /**
     * Examines all devices. It does not open those with content exclusively: they are not free
     * anyway, and somebody may be about to mount them.
     *
     * @param look which devices may be opened; the others are {@link Obstacle.Unreadable}
     */
    public List<DeviceExamination> all(Predicate<BlockDevice> look)
            throws IOException, InterruptedException {
        var machine = machine();
        var found = new ArrayList<DeviceExamination>();
        for (var device : machine.all()) {
            found.add(examine(device, machine, look.test(device) ? SPARING : NONE));
        }
        return List.copyOf(found);
    }

    private Machine machine() throws IOException {
        return new Machine(devices.list(), MountTable.readAllNamespaces(), swaps(), new Open());
    }

    /** By number too: a swap area may have been named by another node. */
    private static Set<Object> swaps() throws IOException {
        var swaps = new HashSet<Object>();
        for (var path : Swaps.active()) {
            swaps.add(path);
            if (Files.exists(path)) { // as our mount namespace has it
                swaps.add(DeviceNumber.ofDev((long) Files.getAttribute(path, "unix:rdev")));
            }
        }
        return swaps;
    }

    private DeviceExamination examine(BlockDevice device, Machine machine, Depth depth)
            throws InterruptedException {
        var obstacles = new ArrayList<Obstacle>();
        fromSysfs(device, obstacles);
        otherPaths(device, machine.all(), obstacles);
        machine.mounts().ofDevice(device.number(), device.names()).stream()
                .map(mount -> new Obstacle.Mounted(mount.mountPoint()))
                .distinct()
                .forEach(obstacles::add);
        if (machine.swaps().contains(device.path()) || machine.swaps().contains(device.number())) {
            obstacles.add(new Obstacle.Swap());
        }
        return withContent(device, obstacles, depth, machine);
    }

    private static void fromSysfs(BlockDevice device, List<Obstacle> obstacles) {
        if (device.readOnly()) {
            obstacles.add(new Obstacle.ReadOnly());
        }
        if (device.suspended()) {
            obstacles.add(new Obstacle.Suspended());
        }
        if (device.sizeBytes() == 0) {
            obstacles.add(new Obstacle.NoMedium());
        }
        if (device.hasChildren()) {
            obstacles.add(new Obstacle.Children(device.children()));
        }
    }

    private static void otherPaths(
            BlockDevice device, List<BlockDevice> all, List<Obstacle> obstacles) {
        var others =
                all.stream()
                        .filter(other -> DeviceIdentity.paths(device, other))
                        .map(BlockDevice::kernelName)
                        .toList();
        if (!others.isEmpty()) {
            obstacles.add(new Obstacle.OtherPath(others));
        }
    }

    private DeviceExamination withContent(
            BlockDevice device, List<Obstacle> obstacles, Depth depth, Machine machine)
            throws InterruptedException {
        if (device.suspended() || device.sizeBytes() == 0) {
            return new DeviceExamination(device, Optional.empty(), obstacles); // it would hang
        }
        if (depth == NONE) {
            obstacles.add(new Obstacle.Unreadable("it was not opened"));
            return new DeviceExamination(device, Optional.empty(), obstacles);
        }
        try {
            var content = ask(device, () -> Signatures.probe(device.path()));
            obstacles.addAll(ofContent(content));
            boolean open = obstacles.isEmpty() || depth == THOROUGH && !device.hasChildren();
            if (open && !ask(device, () -> DeviceClaim.isFree(device.path()))) {
                obstacles.add(new Obstacle.Held());
            }
            if (open) {
                opened(device, machine).ifPresent(obstacles::add);
            }
            return new DeviceExamination(device, Optional.of(content), obstacles);
        } catch (IOException e) {
            obstacles.add(new Obstacle.Unreadable(e.getMessage()));
            return new DeviceExamination(device, Optional.empty(), obstacles);
        }
    }

    private <T> T ask(BlockDevice device, Callable<T> question)
            throws IOException, InterruptedException {
        return contents.ask(device.path().toString(), question);
    }

    private static Optional<Obstacle> opened(BlockDevice device, Machine machine)
            throws IOException {
        var by = new ArrayList<>(machine.open().read().of(device));
        for (var other : machine.all()) {
            if (other.backingFile().filter(file -> leadsTo(file, device)).isPresent()) {
                by.add("loop device " + other.path());
            }
        }
        return by.isEmpty() ? Optional.empty() : Optional.of(new Obstacle.Opened(by));
    }

    private static boolean leadsTo(Path file, BlockDevice device) {
        try {
            return device.names().contains(file.toString())
                    || file.startsWith("/dev")
                            && DeviceNumber.ofDev((long) Files.getAttribute(file, "unix:rdev"))
                                    .equals(device.number());
        } catch (IOException e) {
            return false; // the name of another machine, or of a file that was deleted
        }
    }

    static List<Obstacle> ofContent(Signatures content) {
        return switch (content) {
            case Signatures.Blank() -> List.of();
            case Signatures.Ambivalent(var types) -> List.of(new Obstacle.Content(types));
            case Signatures.Found(var signature, var table) -> {
                var found = new ArrayList<Obstacle>();
                signature.ifPresent(s -> found.add(new Obstacle.Content(List.of(s.type()))));
                table.ifPresent(type -> found.add(new Obstacle.PartitionTable(type)));
                yield found;
            }
        };
    }
}
