package lvms.k8s.exec;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.List;

/**
 * Packs a folder of this machine into a tar archive: files, folders and links. A folder with a link
 * that leads out of it, or with a device, a pipe or a socket, is refused before anything is sent.
 */
final class FolderPacking {
    private final Path root;
    private final List<Path> paths;
    private final Progress progress;

    private FolderPacking(Path root, List<Path> paths, Progress progress) {
        this.root = root;
        this.paths = paths;
        this.progress = progress;
    }

    /** Looks at the whole folder, but at the content of no file. */
    static FolderPacking of(Path folder, Progress progress) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IOException(folder + " is no folder");
        }
        var root = folder.toRealPath();
        try (var walk = Files.walk(root)) {
            var paths = walk.filter(path -> !path.equals(root)).sorted().toList();
            var packing = new FolderPacking(root, paths, progress);
            for (var path : paths) {
                packing.entry(path);
            }
            return packing;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    void pack(OutputStream out) throws IOException {
        var tar = new TarWriter(out, Instant.now().getEpochSecond());
        for (var path : paths) {
            var entry = entry(path);
            progress.begin(entry.name(), entry.sizeBytes());
            if (entry.kind() == TarEntry.Kind.FILE) {
                try (var content = new Counted(Files.newInputStream(path))) {
                    tar.add(entry, content);
                }
            } else {
                tar.add(entry);
            }
            progress.end();
        }
        tar.end();
    }

    private TarEntry entry(Path path) throws IOException {
        var below = root.relativize(path);
        var name = String.join("/", names(below));
        var kind = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (kind.isSymbolicLink()) {
            var target = Files.readSymbolicLink(path).toString();
            if (ArchiveNames.leadsOut(below.getNameCount() - 1, target)) {
                throw new IOException(
                        path + " is refused: it is a link to " + target + ", out of the folder");
            }
            return TarEntry.link(name, target);
        }
        int mode = Modes.of(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
        if (kind.isDirectory()) {
            return TarEntry.folder(name + "/", mode);
        }
        if (kind.isRegularFile()) {
            return TarEntry.file(name, mode, kind.size());
        }
        throw new IOException(path + " is a device, a pipe or a socket, which is not copied");
    }

    private static List<String> names(Path below) {
        var names = new String[below.getNameCount()];
        for (int i = 0; i < names.length; i++) {
            names[i] = below.getName(i).toString();
        }
        return List.of(names);
    }

    /** Tells how much was read. */
    private final class Counted extends FilterInputStream {
        Counted(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int size = super.read(bytes, offset, length);
            progress.moved(Math.max(0, size));
            return size;
        }
    }
}
