package lvms.k8s.client;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What of a container's log is read.
 *
 * @param container its name; empty if the pod has only one
 * @param follow whether the log goes on while the container runs
 * @param previous whether the log of the container's former run is meant
 * @param timestamps whether each line begins with its time
 * @param since leaves out what is older
 * @param tailLines how many of the last lines to begin with; empty for all
 */
public record LogOptions(
        String container,
        boolean follow,
        boolean previous,
        boolean timestamps,
        Optional<Instant> since,
        OptionalLong tailLines) {
    /** Returns options that read all there is, once. */
    public static LogOptions of(String container) {
        return new LogOptions(
                container, false, false, false, Optional.empty(), OptionalLong.empty());
    }

    /** Returns options that go on while the container runs. */
    public LogOptions following() {
        return new LogOptions(container, true, previous, timestamps, since, tailLines);
    }

    /** Returns options of the container's former run. */
    public LogOptions ofPreviousRun() {
        return new LogOptions(container, follow, true, timestamps, since, tailLines);
    }

    /** Returns options with the time of each line. */
    public LogOptions withTimestamps() {
        return new LogOptions(container, follow, previous, true, since, tailLines);
    }

    /** Returns options that leave out what is older. */
    public LogOptions since(Instant time) {
        return new LogOptions(
                container, follow, previous, timestamps, Optional.of(time), tailLines);
    }

    /** Returns options that begin with the last lines. */
    public LogOptions tail(long lines) {
        return new LogOptions(
                container, follow, previous, timestamps, since, OptionalLong.of(lines));
    }
}
