package lvms.node.deviceclass;

import lvms.k8s.yaml.YamlException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Optional;

/**
 * lvmd.yaml on disk. It is read anew each time, so changes by others are never overlooked, and
 * replaced as a whole, so a reader never sees half of it.
 *
 * @param path usually {@link #PATH}
 */
public record LvmdConfigFile(Path path) {
    /** Where TopoLVM and LVMS keep the file. */
    public static final Path PATH = Path.of("/etc/topolvm/lvmd.yaml");

    private static final long MAXIMUM_BYTES = 2L << 20;

    /**
     * Reads the file; empty if there is none.
     *
     * @throws IOException also if it is not YAML, or not a mapping
     */
    public Optional<LvmdConfig> read() throws IOException {
        try {
            if (Files.size(path) >= MAXIMUM_BYTES) {
                throw new IOException(path + " is too large: 2 MiB or more");
            }
            return Optional.of(LvmdConfig.parse(Files.readString(path)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IllegalArgumentException | YamlException e) {
            throw new IOException(path + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Replaces the file; readable by its owner only. */
    void write(LvmdConfig config) throws IOException {
        Files.createDirectories(path.getParent());
        var fresh = path.resolveSibling(path.getFileName() + ".new");
        Files.deleteIfExists(fresh); // left by a pass that was killed here
        Files.createFile(
                fresh,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try (var channel = FileChannel.open(fresh, EnumSet.of(StandardOpenOption.WRITE))) {
            var bytes = ByteBuffer.wrap(config.text().getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(
                fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    void delete() throws IOException {
        Files.deleteIfExists(path);
    }

    /**
     * Returns a text that changes whenever someone writes or replaces the file; cheap enough to be
     * read every second.
     */
    public String fingerprint() throws IOException {
        try {
            return Files.readAttributes(path, "unix:ino,ctime,size").toString();
        } catch (NoSuchFileException e) {
            return "";
        }
    }
}
