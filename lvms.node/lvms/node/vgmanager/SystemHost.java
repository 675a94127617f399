package lvms.node.vgmanager;

import lvms.lvm2.device.BlockDevice;
import lvms.lvm2.device.BlockDevices;
import lvms.lvm2.device.DeviceClaim;
import lvms.lvm2.device.DeviceType;
import lvms.lvm2.device.MountTable;
import lvms.lvm2.device.Program;
import lvms.lvm2.device.Signatures;
import lvms.lvm2.device.Swaps;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/**
 * This machine: sysfs, libblkid, the mounts of every namespace, and swap.
 *
 * @param blockDevices where devices are looked for
 * @param visible devices that may be looked at at all
 */
record SystemHost(BlockDevices blockDevices, Predicate<BlockDevice> visible) implements Host {
    private static final Duration WIPE_DEADLINE = Duration.ofSeconds(60);
    private static final Path PARTITIONS = Path.of("/proc/partitions");
    private static final Path SYS_BLOCK = Path.of("/sys/block");

    @Override
    public List<NodeDevice> devices() throws IOException {
        var mounts = MountTable.readAllNamespaces();
        var swaps = Swaps.active();
        var devices = new ArrayList<NodeDevice>();
        for (var block : blockDevices.list()) {
            if (block.sizeBytes() > 0 && block.type() != DeviceType.RAM && visible.test(block)) {
                devices.add(read(block, mounts, swaps));
            }
        }
        return List.copyOf(devices);
    }

    private static NodeDevice read(BlockDevice block, MountTable mounts, Set<Path> swaps) {
        var content = Content.of(block);
        return new NodeDevice(
                block.dmName().map(name -> "/dev/mapper/" + name).orElse(block.path().toString()),
                block.path().toString(),
                block.type().text(),
                block.sizeBytes(),
                block.readOnly(),
                block.suspended(),
                Optional.of(block.partitionLabel()).filter(label -> !label.isEmpty()),
                content.signature(),
                content.partitionTable(),
                block.backingFile().map(Path::toString),
                block.children(),
                uses(block, content, mounts, swaps),
                content.failure());
    }

    private static List<String> uses(
            BlockDevice block, Content content, MountTable mounts, Set<Path> swaps) {
        var uses = new ArrayList<String>();
        mounts.ofDevice(block.number()).stream()
                .map(mount -> "mounted at " + mount.mountPoint())
                .distinct()
                .forEach(uses::add);
        if (swaps.contains(block.path())) {
            uses.add("swap");
        }
        if (uses.isEmpty() && content.held()) {
            uses.add("held by the kernel or another program");
        }
        return uses;
    }

    /**
     * What lies on a device.
     *
     * @param held whether somebody has it open exclusively; asked only of a blank device, since
     *     every other one has a better reason
     */
    private record Content(
            Optional<String> signature,
            Optional<String> partitionTable,
            boolean held,
            Optional<String> failure) {
        private static final Content UNREAD =
                new Content(Optional.empty(), Optional.empty(), false, Optional.empty());

        static Content of(BlockDevice block) {
            if (block.type() == DeviceType.LVM || block.suspended()) {
                return UNREAD; // never a candidate; reading a suspended device would hang
            }
            try {
                return of(block, Signatures.probe(block.path()));
            } catch (IOException e) {
                return new Content(
                        Optional.empty(), Optional.empty(), false, Optional.of(e.getMessage()));
            }
        }

        private static Content of(BlockDevice block, Signatures found) throws IOException {
            return switch (found) {
                case Signatures.Blank() ->
                        new Content(
                                Optional.empty(),
                                Optional.empty(),
                                !block.hasChildren() && !DeviceClaim.isFree(block.path()),
                                Optional.empty());
                case Signatures.Found(var signature, var table) ->
                        new Content(
                                signature.map(Signatures.Signature::type),
                                table,
                                false,
                                Optional.empty());
                case Signatures.Ambivalent(var types) ->
                        new Content(
                                Optional.of(String.join("+", types)),
                                Optional.empty(),
                                false,
                                Optional.empty());
            };
        }
    }

    @Override
    public Optional<String> kernelName(Path path) throws IOException {
        return blockDevices.find(path).map(device -> device.path().toString());
    }

    @Override
    public void wipe(NodeDevice device) throws IOException, InterruptedException {
        try {
            var result =
                    Program.of(WIPE_DEADLINE, "wipefs", "--all", "--force", device.kernelName())
                            .run();
            if (!result.succeeded()) {
                throw new IOException(
                        "wipefs %s: %s (status %d)"
                                .formatted(
                                        device.kernelName(),
                                        result.stderr().strip(),
                                        result.status()));
            }
        } catch (TimeoutException e) {
            throw new IOException("wipefs " + device.kernelName() + ": " + e.getMessage(), e);
        }
    }

    /** One read of a small file; links that udev makes later count as well. */
    @Override
    public String fingerprint() throws IOException {
        var text = new StringBuilder();
        for (var line : Files.readAllLines(PARTITIONS)) {
            var name = line.substring(line.lastIndexOf(' ') + 1);
            if (!name.startsWith("dm-") || !isLogicalVolume(name)) {
                text.append(line).append('\n');
            }
        }
        for (var folder : List.of("by-id", "by-path", "by-uuid", "by-partuuid")) {
            text.append(changed(Path.of("/dev/disk", folder))).append('\n');
        }
        return text.toString();
    }

    private static boolean isLogicalVolume(String dmName) throws IOException {
        try {
            return Files.readString(SYS_BLOCK.resolve(dmName).resolve("dm/uuid"))
                    .startsWith("LVM-");
        } catch (NoSuchFileException e) {
            return true; // gone already; the next look sees the table without it
        }
    }

    private static String changed(Path folder) throws IOException {
        try {
            return Files.getLastModifiedTime(folder).toString();
        } catch (NoSuchFileException e) {
            return "";
        }
    }
}
