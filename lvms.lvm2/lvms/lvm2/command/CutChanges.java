package lvms.lvm2.command;

import lvms.lvm2.Identity;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmOptions;
import lvms.lvm2.filesystem.FileLock;
import lvms.lvm2.watchdog.Watchdog;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Which changes of ours were cut short, proven across processes: each change has a file beside
 * LVM's own locks, which holds its words and is locked while it runs. If the file is there and
 * nobody holds the lock, the process died. A reboot takes these files with it, and what they tell
 * of.
 *
 * @param folder the folder of LVM's locks
 */
record CutChanges(Path folder) {
    private static final System.Logger LOG = System.getLogger(CutChanges.class.getName());
    private static final String PREFIX = "lvms-change-";

    /** LVM's {@code global/locking_dir}, as LVM itself sees it. */
    static final Path LOCKS = Path.of("/run/lock/lvm");

    /**
     * Stands between the words of a change and the volume that is active before and after it. No
     * word of a command has a space.
     */
    private static final String ACTIVE = "active before and after";

    /** Stands before the volumes whose I/O went on before LVM had looked at them. */
    private static final String RESUMED = "resumed before LVM";

    /** The word of a change that holds the I/O of volumes; their names follow. */
    private static final String HOLD = "suspend";

    /** A change that is being made; it counts as cut unless it {@link #ended}. */
    static final class Running implements AutoCloseable {
        private final Path file;
        private final FileLock lock;
        private final Watchdog watchdog;

        private Running(Path file, FileLock lock, Watchdog watchdog) {
            this.file = file;
            this.lock = lock;
            this.watchdog = watchdog;
        }

        /** Whatever came of it, LVM has done with it. */
        void ended() {
            delete(file);
            watchdog.ended(file);
        }

        @Override
        public void close() {
            lock.close();
            watchdog.left(file);
        }
    }

    static CutChanges of(LvmOptions options) {
        return new CutChanges(lockFolder(options));
    }

    /** Returns LVM's {@code global/locking_dir} in the mount namespace that it works in. */
    static Path lockFolder(LvmOptions options) {
        return root(options).resolve(Path.of("/").relativize(LOCKS));
    }

    /** Returns the root of the mount namespace that LVM works in. */
    static Path root(LvmOptions options) {
        var host = options.hostPid();
        return Path.of(host.isPresent() ? "/proc/" + host.getAsLong() + "/root" : "/");
    }

    /**
     * Notes that a change begins.
     *
     * @param watchdog gets to know it before it begins
     * @param longest how long it may hold I/O; empty if LVM decides that
     * @throws IOException if that cannot be noted
     */
    Running begin(List<String> words, Watchdog watchdog, Optional<Duration> longest)
            throws IOException {
        var running = begin(words, watchdog);
        watchdog.begun(running.file, longest);
        return running;
    }

    /** Notes that something begins that suspends no device. */
    Running begin(List<String> words) throws IOException {
        return begin(words, Watchdog.NONE);
    }

    private Running begin(List<String> words, Watchdog watchdog) throws IOException {
        Files.createDirectories(folder);
        while (true) {
            var file = folder.resolve(PREFIX + UUID.randomUUID());
            var lock = FileLock.tryLock(file);
            if (lock.isPresent()) {
                Files.writeString(file, String.join("\n", words));
                return new Running(file, lock.get(), watchdog);
            }
            Files.delete(file); // somebody looked at it between its creation and its lock
        }
    }

    /** Returns the words of a change that deactivates a volume and activates it again. */
    static List<String> keepingActive(Identity<LvName> volume, List<String> words) {
        var noted = new ArrayList<>(words);
        noted.addAll(List.of(ACTIVE, volume.name().toString(), volume.uuid()));
        return noted;
    }

    /** Returns the volumes of a group that changes may have left inactive when they were cut. */
    List<Identity<LvName>> keptActive(String vg) {
        return about(words -> changes(words, vg)).values().stream()
                .filter(words -> words.contains(ACTIVE))
                .map(words -> words.subList(words.indexOf(ACTIVE) + 1, words.size()))
                .map(volume -> new Identity<>(name(volume.getFirst()), volume.get(1)))
                .toList();
    }

    /** Returns the words of a change that holds the I/O of volumes. */
    static List<String> holding(Collection<LvName> volumes) {
        var noted = new ArrayList<>(List.of(HOLD));
        volumes.forEach(volume -> noted.add(volume.toString()));
        return noted;
    }

    /** Returns the volumes whose I/O a change holds; none if it is another change. */
    static Set<LvName> held(List<String> words) {
        return words.isEmpty() || !words.getFirst().equals(HOLD)
                ? Set.of()
                : words.stream()
                        .skip(1)
                        .takeWhile(word -> !word.equals(RESUMED))
                        .map(CutChanges::name)
                        .collect(Collectors.toSet());
    }

    /**
     * Notes in the file of a change that the I/O of these volumes goes on before LVM has looked at
     * them, so their devices may lack what the change has written down.
     *
     * @throws NoSuchFileException if the change has ended
     */
    static void resumed(Path file, Set<LvName> volumes) throws IOException {
        if (!resumed(Files.readAllLines(file)).containsAll(volumes)) {
            var more = new ArrayList<>(List.of("", RESUMED));
            volumes.forEach(volume -> more.add(volume.toString()));
            Files.writeString(file, String.join("\n", more), StandardOpenOption.APPEND);
        }
    }

    private static Set<LvName> resumed(List<String> words) {
        return words.stream()
                .dropWhile(word -> !word.equals(RESUMED))
                .filter(word -> !word.equals(RESUMED))
                .map(CutChanges::name)
                .collect(Collectors.toSet());
    }

    /** Returns the volumes of these groups that {@link #resumed(Path, Set)} noted. */
    Set<LvName> resumed(Predicate<String> groups) {
        return about(words -> words.contains(RESUMED)).values().stream()
                .flatMap(words -> resumed(words).stream())
                .filter(volume -> groups.test(volume.vg()))
                .collect(Collectors.toSet());
    }

    /** Returns the files of all changes that were cut short. */
    Set<Path> all() {
        return about(words -> !words.isEmpty()).keySet();
    }

    /** Returns whether the change that was cut deactivates this volume itself. */
    boolean deactivated(Identity<LvName> volume) {
        return about(words -> changes(words, volume.name().vg())).values().stream()
                .anyMatch(words -> words.contains("-an") && words.contains(volume.uuid()));
    }

    private static LvName name(String word) {
        var parts = word.split("/");
        return new LvName(parts[0], parts[1]);
    }

    /** Returns the words of all changes of a group that were cut short. */
    List<String> words(String vg) {
        return about(words -> changes(words, vg)).values().stream().flatMap(List::stream).toList();
    }

    /** Returns whether a change of a group was cut short. */
    boolean concern(String vg) {
        return !about(words -> changes(words, vg)).isEmpty();
    }

    /** Returns whether exactly this was cut short. */
    boolean has(List<String> change) {
        return !about(change::equals).isEmpty();
    }

    /** Forgets the changes of a group that were cut short: what they left has been mended. */
    void forget(String vg) {
        about(words -> changes(words, vg)).keySet().forEach(CutChanges::delete);
    }

    void forget(List<String> change) {
        about(change::equals).keySet().forEach(CutChanges::delete);
    }

    /** A check of a pool changes nothing. */
    static boolean changes(List<String> words, String vg) {
        return Recovery.names(words, vg) && !words.contains("thin_check");
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.log(Level.WARNING, () -> "cannot remove " + file + ": " + e);
        }
    }

    private Map<Path, List<String>> about(Predicate<List<String>> which) {
        var found = new HashMap<Path, List<String>>();
        if (Files.isDirectory(folder)) {
            try (var files = Files.newDirectoryStream(folder, PREFIX + "*")) {
                for (var file : files) {
                    var words = isCut(file) ? Files.readAllLines(file) : List.<String>of();
                    if (which.test(words)) {
                        found.put(file, words);
                    }
                }
            } catch (NoSuchFileException e) {
                LOG.log(Level.DEBUG, () -> "a change ended meanwhile: " + e.getMessage());
            } catch (IOException e) {
                LOG.log(Level.WARNING, () -> "cannot read which changes were cut short: " + e);
            }
        }
        return found;
    }

    private static boolean isCut(Path file) throws IOException {
        try (var free = FileLock.tryExisting(file).orElse(null)) {
            return free != null;
        }
    }
}
