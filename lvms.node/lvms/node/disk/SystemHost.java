package lvms.node.disk;

import lvms.lvm2.device.BlockDevice;
import lvms.lvm2.device.BlockDevices;
import lvms.lvm2.device.DeviceClaim;
import lvms.lvm2.device.DeviceExamination;
import lvms.lvm2.device.DeviceExaminer;
import lvms.lvm2.device.DeviceType;
import lvms.lvm2.device.DeviceWipe;
import lvms.lvm2.device.Disks;
import lvms.lvm2.device.Obstacle;
import lvms.lvm2.device.Signatures;
import lvms.lvm2.label.DeviceData;
import lvms.lvm2.label.PvLabel;
import lvms.node.proof.DiskTaking;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * This machine: sysfs, libblkid, the mounts of every namespace, and swap.
 *
 * @param blockDevices where devices are looked for
 * @param visible selects the devices that may be looked at
 */
public record SystemHost(BlockDevices blockDevices, Predicate<BlockDevice> visible)
        implements Host {
    private static final Path PARTITIONS = Path.of("/proc/partitions");
    private static final String LINKS = "/dev/disk/";
    static final Path SYS_BLOCK = Path.of("/sys/block");

    /** How long udev may look at a new disk. */
    private static final Duration LOCK_PATIENCE = Duration.ofSeconds(5);

    @Override
    public List<NodeDevice> devices() throws IOException, InterruptedException {
        return new DeviceExaminer(blockDevices)
                .all(block -> shown(block) && mayBeTaken(block)).stream()
                        .filter(examination -> shown(examination.device()))
                        .map(SystemHost::read)
                        .toList();
    }

    private boolean shown(BlockDevice block) {
        return block.sizeBytes() > 0 && block.type() != DeviceType.RAM && visible.test(block);
    }

    /** Reading a volume may hang if its pool does; reading a suspended device would hang. */
    private static boolean mayBeTaken(BlockDevice block) {
        return block.type() != DeviceType.LVM && !block.suspended();
    }

    private static NodeDevice read(DeviceExamination examination) {
        var block = examination.device();
        var content = examination.content();
        return new NodeDevice(
                block.dmName().map(name -> "/dev/mapper/" + name).orElse(block.path().toString()),
                block.path().toString(),
                block.type().text(),
                block.sizeBytes(),
                block.sequence(),
                block.readOnly(),
                block.suspended(),
                Optional.of(block.partitionLabel()).filter(label -> !label.isEmpty()),
                content.flatMap(SystemHost::signature),
                content.flatMap(SystemHost::partitionTable),
                block.backingFile().map(Path::toString),
                block.children(),
                examination.obstacles().stream().flatMap(o -> use(o).stream()).toList(),
                hardware(examination),
                failure(examination));
    }

    private static Hardware hardware(DeviceExamination examination) {
        var block = examination.device();
        return new Hardware(
                block.links().stream()
                        .map(Path::toString)
                        .filter(link -> link.startsWith(LINKS))
                        .toList(),
                block.rotational(),
                block.model(),
                block.serial(),
                block.vendor(),
                block.wwn(),
                block.parents().stream().findFirst().orElse(""),
                block.number(),
                examination.identity());
    }

    private static Optional<String> signature(Signatures content) {
        return switch (content) {
            case Signatures.Blank() -> Optional.empty();
            case Signatures.Found(var signature, _) -> signature.map(Signatures.Signature::type);
            case Signatures.Ambivalent(var types) -> Optional.of(String.join("+", types));
        };
    }

    private static Optional<String> partitionTable(Signatures content) {
        return content instanceof Signatures.Found(_, var table) ? table : Optional.empty();
    }

    /** Returns who uses the device; for everything else the filters have reasons of their own. */
    private static Optional<String> use(Obstacle obstacle) {
        return switch (obstacle) {
            case Obstacle.Mounted(var at) -> Optional.of(NodeDevice.MOUNTED + at);
            case Obstacle.Swap() -> Optional.of(NodeDevice.SWAP);
            case Obstacle.Opened _ -> Optional.of(obstacle.text().substring("is ".length()));
            case Obstacle.Held() -> Optional.of("held by the kernel or another program");
            case Obstacle.OtherPath(var others) ->
                    Optional.of("a path to the same disk as " + String.join(", ", others));
            case Obstacle.ReadOnly _,
                    Obstacle.Suspended _,
                    Obstacle.NoMedium _,
                    Obstacle.Content _,
                    Obstacle.PartitionTable _,
                    Obstacle.Children _,
                    Obstacle.Unreadable _ ->
                    Optional.empty();
        };
    }

    private static Optional<String> failure(DeviceExamination examination) {
        return examination.obstacles().stream()
                .filter(_ -> mayBeTaken(examination.device()))
                .filter(Obstacle.Unreadable.class::isInstance)
                .map(obstacle -> ((Obstacle.Unreadable) obstacle).why())
                .findFirst();
    }

    @Override
    public Optional<String> kernelName(Path path) throws IOException {
        return blockDevices.find(path).map(device -> device.path().toString());
    }

    @Override
    public PvLabel label(NodeDevice device) throws IOException {
        return PvLabel.read(Path.of(device.kernelName()));
    }

    @Override
    public String labelStamp(NodeDevice device) throws IOException {
        return PvLabel.stamp(Path.of(device.kernelName()));
    }

    @Override
    public boolean hasData(NodeDevice device) throws IOException {
        return DeviceData.isOn(Path.of(device.kernelName()));
    }

    @Override
    public long sequence(String kernelName) throws IOException {
        return Disks.sequence(Path.of(kernelName));
    }

    @Override
    public DiskTaking lastLook(NodeDevice device) throws IOException, InterruptedException {
        var path = Path.of(device.kernelName());
        boolean locked = !DeviceClaim.awaitUnlocked(path, LOCK_PATIENCE);
        var found = new DeviceExaminer(blockDevices).examine(path);
        return new DiskTaking(
                device.name(),
                found.filter(now -> now.device().sequence() == device.sequence())
                        .filter(now -> now.device().sizeBytes() == device.sizeBytes())
                        .isPresent(),
                locked,
                found.stream()
                        .flatMap(now -> now.obstacles().stream())
                        .filter(obstacle -> !(device.isLvmMember() && isLabel(obstacle)))
                        .map(Obstacle::text)
                        .toList());
    }

    /** LVM's own label was judged before: it belongs to no group, or is outdated. */
    private static boolean isLabel(Obstacle obstacle) {
        return obstacle.equals(new Obstacle.Content(List.of("LVM2_member")));
    }

    @Override
    public void wipe(NodeDevice device) throws IOException {
        var seen =
                blockDevices
                        .find(Path.of(device.kernelName()))
                        .filter(block -> block.sequence() == device.sequence())
                        .filter(block -> block.sizeBytes() == device.sizeBytes())
                        .orElseThrow(
                                () ->
                                        new IOException(
                                                device.name()
                                                        + " is gone, or its name now belongs to"
                                                        + " another disk"));
        DeviceWipe.wipe(seen);
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

    /** One that is gone, the next look will not find. */
    private static boolean isLogicalVolume(String dmName) {
        return DmUuid.of(SYS_BLOCK, dmName).filter(uuid -> !uuid.isLogicalVolume()).isEmpty();
    }

    private static String changed(Path folder) throws IOException {
        try {
            return Files.getLastModifiedTime(folder).toString();
        } catch (NoSuchFileException e) {
            return "";
        }
    }
}
