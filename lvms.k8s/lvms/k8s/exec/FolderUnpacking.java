package lvms.k8s.exec;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Unpacks a tar archive that somebody else made into a folder of this machine. Nothing is written
 * outside of it: no name leads out, no link does, and nothing is written through a link.
 *
 * <p>A file has its name once it is whole.
 */
final class FolderUnpacking {
    private final Path root;
    private final Progress progress;
    private final LinkedHashMap<Path, Integer> folderModes = new LinkedHashMap<>();

    private FolderUnpacking(Path root, Progress progress) {
        this.root = root;
        this.progress = progress;
    }

    /** Unpacks into a folder, which is made if it is missing; it reads up to the end. */
    static void unpack(InputStream in, Path folder, Progress progress) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder);
        }
        new FolderUnpacking(folder.toRealPath(), progress).unpack(in);
    }

    private void unpack(InputStream in) throws IOException {
        var tar = new TarReader(in);
        for (var next = tar.next(); next.isPresent(); next = tar.next()) {
            var entry = next.get();
            var steps =
                    ArchiveNames.steps(entry.name())
                            .orElseThrow(() -> refused(entry, "its name leads out of the folder"));
            if (!steps.isEmpty()) {
                progress.begin(String.join("/", steps), entry.sizeBytes());
                place(entry, steps, tar);
                progress.end();
            }
        }
        in.transferTo(OutputStream.nullOutputStream()); // zeros, up to the size of a tape's record
        for (var folder : List.copyOf(folderModes.keySet()).reversed()) {
            chmod(folder, folderModes.get(folder)); // one without a right to write is full by now
        }
    }

    private void place(TarEntry entry, List<String> steps, TarReader tar) throws IOException {
        try {
            var parent = parent(entry, steps);
            var path = parent.resolve(steps.getLast());
            switch (entry.kind()) {
                case FOLDER -> {
                    folder(entry, path);
                    folderModes.put(path, entry.mode());
                }
                case FILE -> file(entry, parent, path, tar);
                case LINK -> link(entry, steps.size() - 1, path);
                case HARD_LINK -> hardLink(entry, path);
            }
        } catch (InvalidPathException e) {
            throw refused(entry, "this machine has no such names");
        }
    }

    private Path parent(TarEntry entry, List<String> steps) throws IOException {
        var parent = root;
        for (var step : steps.subList(0, steps.size() - 1)) {
            parent = parent.resolve(step);
            folder(entry, parent);
        }
        return parent;
    }

    private static void folder(TarEntry entry, Path path) throws IOException {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            throw refused(entry, path + " is no folder here");
        }
        Files.createDirectory(path);
    }

    private void file(TarEntry entry, Path parent, Path path, TarReader tar) throws IOException {
        var part = Files.createTempFile(parent, ".part-", "");
        try {
            try (var out = new Counted(Files.newOutputStream(part))) {
                tar.copy(out);
            }
            chmod(part, entry.mode());
            if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                throw refused(entry, path + " is a folder here");
            }
            Files.move(part, path, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static void link(TarEntry entry, int depth, Path path) throws IOException {
        if (ArchiveNames.leadsOut(depth, entry.target())) {
            throw refused(entry, "it is a link to " + entry.target() + ", out of the folder");
        }
        replace(entry, path);
        Files.createSymbolicLink(path, Path.of(entry.target()));
    }

    private void hardLink(TarEntry entry, Path path) throws IOException {
        var target = root;
        for (var step : ArchiveNames.steps(entry.target()).orElse(List.of())) {
            if (Files.isSymbolicLink(target)) {
                throw refused(entry, "it is a second name of " + entry.target() + " by a link");
            }
            target = target.resolve(step);
        }
        if (!Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)) {
            throw refused(entry, "it is a second name of " + entry.target() + ", no file of it");
        }
        replace(entry, path);
        Files.createLink(path, target);
    }

    private static void replace(TarEntry entry, Path path) throws IOException {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            throw refused(entry, path + " is a folder here");
        }
        Files.deleteIfExists(path);
    }

    private static void chmod(Path path, int mode) throws IOException {
        Files.setPosixFilePermissions(path, Modes.permissions(mode));
    }

    private static IOException refused(TarEntry entry, String why) {
        return new IOException(entry.name() + " is refused: " + why);
    }

    /** Tells how much was written. */
    private final class Counted extends OutputStream {
        private final OutputStream out;

        Counted(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int b) throws IOException {
            out.write(b);
            progress.moved(1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
            progress.moved(length);
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }
}
