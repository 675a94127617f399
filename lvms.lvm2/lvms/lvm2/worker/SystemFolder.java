package lvms.lvm2.worker;

import lvms.lvm2.ffi.Environment;
import lvms.lvm2.ffi.PrivateTmpfs;

import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The machine's folder of LVM's configuration, as the library in this process sees it: all as it
 * is, but {@code use_aio=0} at the end of {@code lvm.conf}. LVM reads that setting from a file
 * only, and with its default each command waits 35 to 40 ms in the kernel (io_destroy).
 *
 * <p>The folder is a filesystem that nobody else can see, with a copy of {@code lvm.conf} and a
 * link to everything else. LVM gets it as {@code LVM_SYSTEM_DIR} while a handle is made; no program
 * that LVM starts (dmeventd stays for long) inherits the variable. It is writable only while this
 * class writes: whatever LVM would make in it fails, instead of being lost. Only the thread that
 * LVM runs on uses it. Files are read by streams of {@code java.io}: channels would load a library
 * of the JDK, which is not there in the host's mount namespace.
 */
final class SystemFolder {
    private static final String VARIABLE = "LVM_SYSTEM_DIR";
    private static final String CONFIGURATION = "lvm.conf";
    private static final String DEFAULT = "/etc/lvm";
    private static final Pattern BUILT_FOR =
            Pattern.compile("--with-default-system-dir=([^\\s'\"]+)");
    private static final Pattern OTHER_NAMES =
            Pattern.compile("--with-default-(archive|backup)-subdir=\\S+");

    /** A link leads to these even while they are missing, so that they count once they are made. */
    private static final List<String> EXPECTED = List.of("lvmlocal.conf", "devices");

    private final Path machines;
    private final Optional<String> configured;
    private final PrivateTmpfs ours;
    private List<Object> seen = List.of();

    private SystemFolder(Path machines, Optional<String> configured, PrivateTmpfs ours) {
        this.machines = machines;
        this.configured = configured;
        this.ours = ours;
    }

    /**
     * Makes the folder, without content yet.
     *
     * @param version what {@code lvm version} prints, with the options it was built with
     * @throws IOException saying why it cannot be done here
     */
    static SystemFolder over(String version) throws IOException {
        var otherNames = OTHER_NAMES.matcher(version);
        if (otherNames.find()) {
            throw new IOException("LVM was built " + otherNames.group());
        }
        var configured = Optional.ofNullable(System.getenv(VARIABLE));
        var machines = Path.of(configured.orElseGet(() -> builtFor(version)));
        if (!machines.isAbsolute() || machines.toString().matches(".*[\"\\\\\\p{Cntrl}].*")) {
            throw new IOException(VARIABLE + " is \"" + machines + '"');
        }
        return new SystemFolder(machines, configured, PrivateTmpfs.open());
    }

    private static String builtFor(String version) {
        var option = BUILT_FOR.matcher(version);
        return option.find() ? option.group(1) : DEFAULT;
    }

    /** Returns whether the machine's folder has changed since the last {@link #refresh}. */
    boolean stale() throws IOException {
        return !state().equals(seen);
    }

    /** Brings the folder up to date, if it is not. */
    void refresh() throws IOException {
        var state = state(); // before it is read: what changes meanwhile is read again
        if (state.equals(seen)) {
            return;
        }
        ours.writable(true);
        try {
            makeDevicesFolder();
            link();
            write();
        } finally {
            ours.writable(false);
        }
        seen = state;
    }

    /** What tells that the configuration or the entries of the folder changed. */
    private List<Object> state() throws IOException {
        return List.of(state(machines), state(machines.resolve(CONFIGURATION)));
    }

    private static Map<String, Object> state(Path path) throws IOException {
        try {
            return Files.readAttributes(path, "unix:dev,ino,size,lastModifiedTime,ctime");
        } catch (NoSuchFileException e) {
            return Map.of();
        }
    }

    /**
     * LVM makes this folder if it needs it, also for a report, but cannot make it where a link is.
     * Where nobody can make it, LVM could not either.
     */
    private void makeDevicesFolder() {
        try {
            Files.createDirectories(machines.resolve("devices"));
        } catch (IOException e) {
            // read-only, or no folder: LVM says so if it needs it
        }
    }

    private void link() throws IOException {
        var folder = ours.path();
        var wanted = new TreeSet<>(EXPECTED);
        wanted.addAll(names(machines));
        wanted.remove(CONFIGURATION);
        for (var name : names(folder)) {
            if (!name.equals(CONFIGURATION) && !wanted.contains(name)) {
                Files.delete(folder.resolve(name));
            }
        }
        for (var name : wanted) {
            var link = folder.resolve(name);
            if (!Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
                Files.createSymbolicLink(link, machines.resolve(name));
            }
        }
    }

    private static Set<String> names(Path folder) throws IOException {
        var names = new TreeSet<String>();
        try (var entries = Files.newDirectoryStream(folder)) {
            entries.forEach(entry -> names.add(entry.getFileName().toString()));
        } catch (NoSuchFileException e) {
            // then it has none
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return names;
    }

    /**
     * LVM makes the folders for backups where lvm.conf is, unless that says something else. The
     * machine's settings come after ours, so they count, and begin in the same line, so that LVM's
     * messages name the right one.
     */
    private void write() throws IOException {
        var text = new ByteArrayOutputStream();
        text.writeBytes(
                bytes(
                        "backup/backup_dir=\"%1$s/backup\" backup/archive_dir=\"%1$s/archive\" "
                                .formatted(machines)));
        try (var file = new FileInputStream(machines.resolve(CONFIGURATION).toFile())) {
            file.transferTo(text);
        } catch (FileNotFoundException e) {
            if (!state(machines.resolve(CONFIGURATION)).isEmpty()) {
                throw e; // it is there, and cannot be read
            }
        }
        text.writeBytes(bytes("\nglobal/use_aio=0\n"));
        try (var file = new FileOutputStream(ours.path().resolve(CONFIGURATION).toFile())) {
            text.writeTo(file);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Does something while LVM takes this folder for the machine's. */
    <T> T during(Supplier<T> made) {
        Environment.put(VARIABLE, Optional.of(ours.path().toString()));
        try {
            return made.get();
        } finally {
            Environment.put(VARIABLE, configured);
        }
    }
}
