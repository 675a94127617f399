package lvms.node.survey;

import static java.lang.System.Logger.Level.INFO;

import lvms.api.disk.Disk;
import lvms.k8s.client.ApiException;
import lvms.lvm2.LvmException;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Publishes the disks of the agent's node whenever they differ from what was published last. Of
 * many changes in a row, such as a storage system that comes up, it writes some of the states in
 * between and the last one. One thread calls.
 */
public final class DiskReport {
    private static final System.Logger LOG = System.getLogger(DiskReport.class.getName());

    /** The shortest time between two writes. */
    private static final Duration PAUSE = Duration.ofSeconds(10);

    /** Finds out which disks there are. */
    @FunctionalInterface
    public interface Look {
        List<Disk> disks() throws IOException, LvmException, InterruptedException;
    }

    /** Where the disks are published. */
    public interface Board {
        /** Returns what is there; empty while there is no place for it. */
        Optional<List<Disk>> read();

        void write(List<Disk> disks) throws ApiException, InterruptedException;
    }

    private final Look look;
    private final Board board;
    private final InstantSource clock;
    private Instant next = Instant.MIN;

    public DiskReport(Look look, Board board, InstantSource clock) {
        this.look = look;
        this.board = board;
        this.clock = clock;
    }

    /** Looks, and writes if something is new; returns when it has to be called again, if so. */
    public Optional<Duration> run()
            throws IOException, LvmException, ApiException, InterruptedException {
        var published = board.read();
        if (published.isEmpty()) {
            return Optional.empty();
        }
        var disks = look.disks();
        if (disks.equals(published.get())) {
            return Optional.empty();
        }
        var now = clock.instant();
        if (now.isBefore(next) && now.isAfter(next.minus(PAUSE))) { // clocks may be put back
            return Optional.of(Duration.between(now, next));
        }
        board.write(disks);
        next = now.plus(PAUSE);
        LOG.log(INFO, () -> "disks published count=" + disks.size());
        return Optional.empty();
    }
}
