package lvms.node.csi;

import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.lvm2.LvmException;
import lvms.lvm2.device.BlockDevices;
import lvms.lvm2.system.Program;
import lvms.node.format.ContentMark;
import lvms.node.proof.Formatting;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;

/**
 * Volumes on loop devices: what LVM would give, on a machine without a device-mapper. Needs root.
 */
final class LoopVolumes implements VolumeDevices {
    private static final int CAP_SYS_RESOURCE = 24; // capability.h

    private final Path folder;
    private final Map<String, Path> nodes = new ConcurrentHashMap<>();
    private final Set<String> copies = ConcurrentHashMap.newKeySet();
    private final Map<String, ContentMark> marks = new ConcurrentHashMap<>();
    private final Map<String, Instant> created = new ConcurrentHashMap<>();
    private final Set<String> permitted = ConcurrentHashMap.newKeySet();
    private volatile boolean locked;
    private final Set<String> hidden = ConcurrentHashMap.newKeySet();
    private volatile Optional<String> trouble = Optional.empty();

    LoopVolumes(Path folder) {
        this.folder = folder;
    }

    static boolean possible() {
        return "root".equals(System.getProperty("user.name"))
                && Files.isWritable(Path.of("/dev/loop-control"));
    }

    /**
     * Whether the kernel lets this process grow a mounted filesystem: ext4 asks for
     * CAP_SYS_RESOURCE.
     */
    static boolean mayGrow(String type) throws IOException {
        var line =
                Files.readAllLines(Path.of("/proc/self/status")).stream()
                        .filter(l -> l.startsWith("CapEff:"))
                        .findFirst()
                        .orElseThrow();
        long effective = Long.parseUnsignedLong(line.substring(7).strip(), 16);
        return !type.equals("ext4") || (effective & 1L << CAP_SYS_RESOURCE) != 0;
    }

    Path create(String volume, long sizeBytes) throws Exception {
        resizeFile(volume, sizeBytes);
        created.put(volume, Instant.now());
        return attach(volume);
    }

    /** From now on the tags of volumes cannot be changed, or they can again. */
    void lockTags(boolean lock) {
        locked = lock;
    }

    /** A person allows a filesystem in place of what is on a volume. */
    void permit(String volume) {
        permitted.add(volume);
    }

    /** What a volume remembers of its content; empty for one of an older version. */
    Optional<ContentMark> remembered(String volume) {
        return Optional.ofNullable(marks.get(volume));
    }

    /**
     * Another volume that is made in the extents of one that is removed, in the next second; LVM
     * wipes signatures.
     */
    void replace(String old, String volume) throws Exception {
        run("wipefs", "--all", nodes.get(old).toString());
        forget(old);
        Files.move(file(old), file(volume));
        created.put(volume, Instant.now().plusSeconds(1));
        attach(volume);
    }

    /** A volume with the same content, as a snapshot has. */
    Path copy(String source, String volume) throws Exception {
        run("sync");
        return copyInUse(source, volume);
    }

    /** The same without the filesystem's help: only what was synced is sure to be there. */
    Path copyInUse(String source, String volume) throws Exception {
        run("cp", "--sparse=always", file(source).toString(), file(volume).toString());
        copies.add(volume);
        return attach(volume);
    }

    private Path attach(String volume) throws Exception {
        var node = Path.of(run("losetup", "--find", "--show", file(volume).toString()).strip());
        nodes.put(volume, node);
        return node;
    }

    Path node(String volume) {
        return nodes.get(volume);
    }

    void grow(String volume, long sizeBytes) throws Exception {
        resizeFile(volume, sizeBytes);
        run("losetup", "--set-capacity", nodes.get(volume).toString());
    }

    void setReadOnly(String volume) throws Exception {
        run("blockdev", "--setro", nodes.get(volume).toString());
    }

    /** From now on its device cannot be opened, as that of a disk that is gone. */
    void hideNode(String volume) {
        hidden.add(volume);
    }

    void setTrouble(String text) {
        trouble = Optional.of(text);
    }

    void forget(String volume) throws Exception {
        var node = nodes.remove(volume).toString();
        run("blockdev", "--setrw", node); // a loop device would keep it for its next user
        run("losetup", "--detach", node);
    }

    private Path file(String volume) {
        return folder.resolve(volume + ".img");
    }

    private void resizeFile(String volume, long sizeBytes) throws IOException {
        try (var image = new RandomAccessFile(file(volume).toFile(), "rw")) {
            image.setLength(sizeBytes);
        }
    }

    static String run(String... command) throws IOException, InterruptedException {
        try {
            var result = Program.of(Duration.ofMinutes(2), command).run();
            if (!result.succeeded()) {
                throw new IOException(String.join(" ", command) + ": " + result.stderr());
            }
            return result.stdout();
        } catch (TimeoutException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void require(VolumeId volume) throws VolumeException {
        if (!nodes.containsKey(volume.text())) {
            throw new VolumeException(StatusCode.NOT_FOUND, "no volume " + volume);
        }
    }

    @Override
    public void requireHome(VolumeId volume, Optional<String> handedOut) {}

    @Override
    public VolumeDevice active(VolumeId volume) throws VolumeException, IOException {
        require(volume);
        return find(volume).orElseThrow();
    }

    @Override
    public Optional<VolumeDevice> find(VolumeId volume) throws VolumeException, IOException {
        require(volume);
        var device = BlockDevices.system().find(nodes.get(volume.text())).orElseThrow();
        return Optional.of(
                new VolumeDevice(
                        hidden.contains(volume.text()) ? folder.resolve("gone") : device.path(),
                        device.number(),
                        BlockDevices.sizeBytes(device.path()),
                        device.readOnly()));
    }

    @Override
    public VolumePast past(VolumeId volume, boolean anew) throws VolumeException {
        require(volume);
        var name = volume.text();
        return new VolumePast(
                remembered(name),
                Optional.empty(),
                copies.contains(name),
                Formatting.Blocks.EXTENTS,
                Optional.ofNullable(created.get(name)),
                false,
                new VolumePast.Permission(
                        "logicalvolumes.topolvm.io",
                        name,
                        "topolvm.io/allow-format",
                        "uuid-of-" + name,
                        permitted.contains(name)));
    }

    @Override
    public void mark(VolumeId volume, ContentMark mark) throws LvmException {
        if (locked) {
            throw new LvmException.Unavailable("the group cannot be changed", null);
        }
        marks.put(volume.text(), mark);
    }

    @Override
    public void takePermission(VolumeId volume) {
        permitted.remove(volume.text());
    }

    @Override
    public Optional<String> trouble(VolumeId volume) {
        return trouble;
    }

    void close() throws Exception {
        for (var volume : nodes.keySet()) {
            forget(volume);
        }
    }
}
