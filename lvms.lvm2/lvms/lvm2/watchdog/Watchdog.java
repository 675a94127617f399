package lvms.lvm2.watchdog;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Knows which changes suspend devices, and lets I/O go on if this process dies or hangs in one.
 * Nothing fails because of it: without a watchdog the next process resumes what was left. Any
 * thread may call.
 */
public interface Watchdog extends AutoCloseable {
    /** There is none. */
    Watchdog NONE =
            new Watchdog() {
                @Override
                public void begun(Path note, Optional<Duration> longest) {}

                @Override
                public void ended(Path note) {}

                @Override
                public void left(Path note) {}

                @Override
                public Optional<String> obstacle() {
                    return Optional.of("there is no watchdog");
                }

                @Override
                public void close() {}
            };

    /**
     * A change begins.
     *
     * @param note the file that notes it
     * @param longest how long it may hold I/O; then this returns once the watchdog knows of it.
     *     Empty if LVM decides that
     */
    void begun(Path note, Optional<Duration> longest);

    /** A change has ended, and its file is gone. */
    void ended(Path note);

    /** A change was cut, and this process goes on; its file stays until it is repaired. */
    void left(Path note);

    /**
     * Tries it, and returns why the watchdog would end with this process; empty if it would not.
     */
    Optional<String> obstacle();

    /** Lets it end, and resume nothing, unless a change runs. */
    @Override
    void close();
}
