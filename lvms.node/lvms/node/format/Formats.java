package lvms.node.format;

import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.lvm2.LvmException;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The volumes on which this process makes a filesystem, and those of which it takes a copy: no
 * volume is both. A filesystem waits for copies, which are taken in a moment; mkfs may take
 * minutes, so a copy does not wait here, but is refused and asked for again.
 *
 * <p>A filesystem that was begun and is not whole is noted, so its volume is not copied after a
 * process that was killed, or a mkfs that failed, either. Volumes are named by their ids. Any
 * thread may call.
 */
public final class Formats {
    /** Kubelet waits two minutes for a call, and the next call for the same volume one. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Optional<FormatNotes> notes;
    private final Optional<FormatNotes> made;
    private final Duration patience;
    private final Set<String> formatted = new HashSet<>(); // guarded by this
    private final Map<String, Integer> copied = new HashMap<>(); // guarded by this: how many copies
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();

    private Formats(Optional<Path> folder, Duration patience) {
        this.notes = folder.map(FormatNotes::begun);
        this.made = folder.map(FormatNotes::made);
        this.patience = patience;
    }

    /** For a process that makes no filesystems. */
    public static Formats none() {
        return new Formats(Optional.empty(), PATIENCE);
    }

    /**
     * For a process that makes filesystems.
     *
     * @param folder where the next process looks for what this one did not finish; it is made
     */
    public static Formats notedIn(Path folder) {
        return notedIn(folder, PATIENCE);
    }

    /**
     * The same.
     *
     * @param patience how long a filesystem waits for copies
     */
    public static Formats notedIn(Path folder, Duration patience) {
        return new Formats(Optional.of(folder), patience);
    }

    /**
     * Has the listener told of each volume whose filesystem is no longer being made, whole or not;
     * it returns at once.
     */
    public void onEnd(Consumer<String> listener) {
        listeners.add(listener);
    }

    /**
     * From now on until it is closed no copy of the volume is taken.
     *
     * @throws VolumeException ABORTED if the copies that are being taken take too long
     */
    public Format begin(String volume) throws VolumeException, InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        synchronized (this) {
            while (copied.containsKey(volume)) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    throw new VolumeException(
                            StatusCode.ABORTED,
                            "a copy of volume "
                                    + volume
                                    + " is being taken, so its filesystem is made later");
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
            if (!formatted.add(volume)) {
                throw new IllegalStateException("two calls make a filesystem on " + volume);
            }
        }
        return new Format(volume);
    }

    /** A volume that is about to get a filesystem, and of which no copy is taken. */
    public final class Format implements AutoCloseable {
        private final String volume;

        private Format(String volume) {
            this.volume = volume;
        }

        /** Writes to a volume what makes a filesystem of it. */
        @FunctionalInterface
        public interface Work {
            void run() throws VolumeException, LvmException, IOException, InterruptedException;
        }

        /**
         * Makes the filesystem.
         *
         * @throws IOException if it cannot be noted; nothing is done then
         */
        public void make(Work work)
                throws VolumeException, LvmException, IOException, InterruptedException {
            notes.orElseThrow().write(volume);
            work.run();
            boolean _ = notes.orElseThrow().remove(volume);
        }

        @Override
        public void close() {
            synchronized (Formats.this) {
                formatted.remove(volume);
            }
            tell(volume);
        }
    }

    /** Notes that a volume was found to have a whole filesystem: only the note was not removed. */
    public void whole(String volume) {
        if (notes.isPresent() && notes.get().remove(volume)) {
            tell(volume);
        }
    }

    /** Returns whether this node has begun a filesystem on a volume that is not whole yet. */
    public boolean begun(String volume) {
        return notes.filter(known -> known.has(volume)).isPresent();
    }

    /**
     * Notes that a volume is about to be made here that is to have a filesystem and has none yet.
     * For volumes that cannot remember it themselves; those have a {@link ContentMark}.
     *
     * @throws IOException if it cannot be noted
     */
    public void making(String volume) throws IOException {
        made.orElseThrow().write(volume);
    }

    /** Returns whether a volume was made here and has not had a filesystem yet. */
    public boolean isNew(String volume) {
        return made.filter(known -> known.has(volume)).isPresent();
    }

    /**
     * Notes that a volume has a filesystem.
     *
     * @throws IOException if that cannot be noted
     */
    public void notNew(String volume) throws IOException {
        if (made.isPresent()) {
            made.get().delete(volume);
        }
    }

    /** Forgets a volume that is gone. */
    public void gone(String volume) {
        notes.ifPresent(known -> known.remove(volume));
        made.ifPresent(known -> known.remove(volume));
    }

    /**
     * From now on until it is closed no filesystem is begun on these volumes.
     *
     * @throws BeingFormatted if one of them has not got its filesystem yet that was begun
     */
    public Copying copying(Collection<String> sources) throws BeingFormatted {
        var copying = new Copying(List.copyOf(sources));
        synchronized (this) {
            for (var source : sources) {
                if (formatted.contains(source)) {
                    throw BeingFormatted.now(source);
                }
            }
            sources.forEach(source -> copied.merge(source, 1, Integer::sum));
        }
        for (var source : sources) { // whatever is noted now was cut short
            if (notes.filter(known -> known.mayHave(source)).isPresent()) {
                copying.close();
                throw BeingFormatted.cutShort(source);
            }
        }
        return copying;
    }

    /** Volumes of which copies are being taken. */
    public final class Copying implements AutoCloseable {
        private final List<String> sources;

        private Copying(List<String> sources) {
            this.sources = sources;
        }

        @Override
        public void close() {
            synchronized (Formats.this) {
                sources.forEach(this::less);
                Formats.this.notifyAll();
            }
        }

        private void less(String source) {
            copied.computeIfPresent(source, (_, copies) -> copies == 1 ? null : copies - 1);
        }
    }

    private void tell(String volume) {
        listeners.forEach(listener -> listener.accept(volume));
    }
}
