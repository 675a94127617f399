package lvms.node.capacity;

import static java.lang.System.Logger.Level.DEBUG;

import lvms.lvm2.PhysicalVolume;
import lvms.lvm2.VolumeGroupReport;
import lvms.lvm2.device.MetadataArea;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Notices that somebody else changed a volume group, by hand or by dmeventd: it compares where the
 * metadata lies on one disk of each group, once a second. That reads a few bytes of the page cache
 * and starts no process.
 *
 * <p>Our own changes are followed by a report, which takes note of the metadata that it read. So a
 * difference that lasts is somebody else's.
 */
public final class MetadataWatch implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(MetadataWatch.class.getName());
    private static final Duration PERIOD = Duration.ofSeconds(1);

    /** How long a disk may take; one that hangs must not keep the others waiting. */
    private static final Duration PATIENCE = Duration.ofMillis(200);

    private final Runnable onChange;
    private final Thread thread = Thread.ofVirtual().name("metadata-watch").unstarted(this::run);
    private Map<String, Disk> disks = Map.of();
    private Map<String, String> noted = Map.of();
    private Map<String, String> last = Map.of();
    private int reports;

    /**
     * @param onChange called after somebody else's change; it must return at once
     */
    public MetadataWatch(Runnable onChange) {
        this.onChange = onChange;
    }

    /** The disk that is read for a group, and what it said last. */
    private static final class Disk {
        private final String vg;
        private final Path device;
        private final Semaphore free = new Semaphore(1);
        private volatile String mark = "";

        Disk(String vg, Path device) {
            this.vg = vg;
            this.device = device;
        }

        boolean same(Map<String, String> one, Map<String, String> other) {
            return Objects.equals(one.get(device.toString()), other.get(device.toString()));
        }

        boolean is(String group, Path path) {
            return vg.equals(group) && device.equals(path);
        }

        /** Asks the disk; the answer may come later than {@code patience}, or never. */
        void ask() throws InterruptedException {
            if (!free.tryAcquire()) {
                return; // the last question is still open
            }
            Thread.ofVirtual().name("metadata-of " + device).start(this::read);
            if (free.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                free.release();
            }
        }

        private void read() {
            try {
                var area = MetadataArea.find(device);
                mark = area.isPresent() ? area.get().mark() : "";
            } catch (IOException e) {
                LOG.log(DEBUG, () -> "cannot read the metadata of LVM: " + e.getMessage());
            } finally {
                free.release();
            }
        }
    }

    void start() {
        thread.start();
    }

    /** A report begins; returns what the disks say before it. */
    Map<String, String> before() throws InterruptedException {
        Collection<Disk> asked;
        synchronized (this) {
            reports++;
            asked = disks.values();
        }
        return marks(asked);
    }

    /**
     * Returns the groups that were changed since the last report, by whomever.
     *
     * @param before what {@link #before} returned
     */
    synchronized List<String> changed(Map<String, String> before) {
        return disks.values().stream()
                .filter(disk -> !disk.same(before, noted))
                .map(disk -> disk.vg)
                .toList();
    }

    /**
     * A report has ended.
     *
     * @param before what {@link #before} returned
     * @return whether groups or disks are new, so that their changes have not been watched
     */
    synchronized boolean reported(Map<String, String> before, List<VolumeGroupReport> groups) {
        var next = new TreeMap<String, Disk>();
        for (var group : groups) {
            witness(group)
                    .ifPresent(
                            device -> {
                                var vg = group.group().name();
                                var known = disks.get(group.group().uuid());
                                boolean same = known != null && known.is(vg, device);
                                next.put(group.group().uuid(), same ? known : new Disk(vg, device));
                            });
        }
        boolean more = !disks.values().containsAll(next.values());
        disks = next;
        noted = before;
        reports = 0;
        return more;
    }

    private static Optional<Path> witness(VolumeGroupReport group) {
        return group.physicalVolumes().stream()
                .filter(pv -> !pv.missing() && pv.metadataAreas() > 0)
                .map(PhysicalVolume::device)
                .filter(device -> device.startsWith("/dev/"))
                .map(Path::of)
                .findFirst();
    }

    private static Map<String, String> marks(Collection<Disk> disks) throws InterruptedException {
        var marks = new TreeMap<String, String>();
        for (var disk : disks) {
            disk.ask();
            marks.put(disk.device.toString(), disk.mark);
        }
        return marks;
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(PERIOD);
                look();
            }
        } catch (InterruptedException e) {
            LOG.log(DEBUG, "metadata watch ended"); // only close() interrupts this thread
        }
    }

    private void look() throws InterruptedException {
        Collection<Disk> asked;
        synchronized (this) {
            asked = disks.values();
        }
        var now = marks(asked);
        if (differs(now)) {
            LOG.log(DEBUG, "somebody else changed a volume group");
            onChange.run();
        }
    }

    /** A report that is under way would show the difference. */
    private synchronized boolean differs(Map<String, String> now) {
        boolean lasts = now.equals(last);
        last = now;
        if (!lasts || reports > 0 || now.equals(noted)) {
            return false;
        }
        noted = now;
        return true;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
