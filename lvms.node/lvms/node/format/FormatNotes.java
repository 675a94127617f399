package lvms.node.format;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URLEncoder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Files that say something of volumes. Unlike the notes of changes in LVM they outlive the machine,
 * as what they tell of does.
 *
 * @param suffix what they say; it keeps any id from being another file
 */
record FormatNotes(Path folder, String suffix) {
    /** Notes of volumes on which a filesystem was begun and is not whole yet. */
    static FormatNotes begun(Path folder) {
        return new FormatNotes(folder, ".begun");
    }

    /** Notes of volumes that were made here and have not had a filesystem yet. */
    static FormatNotes made(Path folder) {
        return new FormatNotes(folder, ".new");
    }

    private static final System.Logger LOG = System.getLogger(FormatNotes.class.getName());

    /** Once this returns, a machine that loses its power has the note. */
    void write(String volume) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(file(volume), "");
        try (var entries = FileChannel.open(folder, StandardOpenOption.READ)) {
            entries.force(true);
        }
    }

    /** A folder that cannot be read may have the note. */
    boolean mayHave(String volume) {
        return !Files.notExists(file(volume), LinkOption.NOFOLLOW_LINKS);
    }

    /** A folder that cannot be read has no note. */
    boolean has(String volume) {
        return Files.exists(file(volume), LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * A note that stays keeps copies waiting, until the volume is mounted the next time.
     *
     * @return whether there was one
     */
    boolean remove(String volume) {
        try {
            return Files.deleteIfExists(file(volume));
        } catch (IOException e) {
            LOG.log(Level.WARNING, () -> "cannot remove the note " + file(volume) + ": " + e);
            return false;
        }
    }

    /** Once this returns, a machine that loses its power has lost the note. */
    void delete(String volume) throws IOException {
        if (Files.deleteIfExists(file(volume))) {
            try (var entries = FileChannel.open(folder, StandardOpenOption.READ)) {
                entries.force(true);
            }
        }
    }

    private Path file(String volume) {
        return folder.resolve(URLEncoder.encode(volume, StandardCharsets.UTF_8) + suffix);
    }
}
