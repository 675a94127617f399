package lvms.node.loop;

import lvms.lvm2.filesystem.FilesystemUsage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Files of the host, by the paths that the host has for them. A container sees them below the root
 * of the host's first process, where an absolute link would lead back into the container, so links
 * are followed here.
 *
 * @param root where the host's root is seen, {@code /proc/1/root} in a pod with the host's
 *     processes
 */
public record HostFiles(Path root) {
    private static final Path TOP = Path.of("/");
    private static final int MOST_LINKS = 40;

    /** Returns the path without links; what it leads to need not exist. */
    public Path real(Path hostPath) throws IOException {
        var rest = new ArrayDeque<Path>();
        hostPath.normalize().forEach(rest::addLast);
        var at = TOP;
        for (int links = 0; !rest.isEmpty(); ) {
            var next = at.resolve(rest.removeFirst()).normalize();
            var here = seen(next);
            if (!Files.isSymbolicLink(here)) {
                at = next;
                continue;
            }
            if (++links > MOST_LINKS) {
                throw new IOException("too many links lead to " + hostPath);
            }
            var target = Files.readSymbolicLink(here);
            at = target.isAbsolute() ? TOP : at;
            var names = new ArrayDeque<Path>();
            target.forEach(names::addFirst);
            names.forEach(rest::addFirst);
        }
        return at;
    }

    /** Returns where a path without links is seen here. */
    public Path seen(Path real) {
        return root.resolve(TOP.relativize(real));
    }

    /** Returns the size of a file, in bytes; empty if there is no such file. */
    public OptionalLong size(Path real) throws IOException {
        var file = seen(real);
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new IOException(real + " is not a file");
        }
        try {
            return OptionalLong.of(Files.size(file));
        } catch (NoSuchFileException e) {
            return OptionalLong.empty();
        }
    }

    /** Returns whether there is such a folder. */
    public boolean isFolder(Path real) {
        return Files.isDirectory(seen(real));
    }

    /** Returns how much may still be written to the filesystem of a folder, in bytes. */
    public long usableBytes(Path folder) throws IOException {
        return FilesystemUsage.of(seen(folder)).availableBytes(); // a FileStore looks in our mounts
    }

    /**
     * Makes a file of that size that takes no space yet and is root's alone. It is there whole, or
     * not at all.
     */
    public void makeSparse(Path real, long bytes) throws IOException {
        var file = seen(real);
        var part = file.resolveSibling(file.getFileName() + ".part");
        try {
            Files.deleteIfExists(part); // of a process that was killed
            write(part, bytes);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new IOException("cannot make %s: %s".formatted(real, reason(e)), e);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static void write(Path part, long bytes) throws IOException {
        var mine = PosixFilePermissions.fromString("rw-------");
        Files.createFile(part, PosixFilePermissions.asFileAttribute(mine));
        try (var channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(1), bytes - 1);
            channel.force(true);
        }
    }

    /** The message of a FileSystemException may be the path alone. */
    private static String reason(IOException e) {
        return e instanceof FileSystemException file
                ? Optional.ofNullable(file.getReason()).orElse(e.getClass().getSimpleName())
                : e.getMessage();
    }

    /** Removes a file; succeeds if there is none. */
    public void remove(Path real) throws IOException {
        Files.deleteIfExists(seen(real));
    }
}
