package lvms.node.snapshot;

import static java.lang.System.Logger.Level.WARNING;

import lvms.api.Names;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.VolumeGroupReport;
import lvms.lvm2.device.DeviceMapper;
import lvms.node.erasure.Groups;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Follows the snapshots of thick volumes on this node: their stores grow before they are full, and
 * one that is lost all the same is told. There is one thread for each group that has such
 * snapshots, and none on other nodes. Any thread may call.
 */
public final class SnapshotKeeper implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(SnapshotKeeper.class.getName());

    private final Groups groups;
    private final DeviceMapper deviceMapper;
    private final Map<String, SnapshotFollower> followers = new HashMap<>(); // guarded by this
    private final Set<LvName> ofObjects = ConcurrentHashMap.newKeySet();
    private final Map<LvName, String> lost = new ConcurrentHashMap<>();
    private final List<Consumer<LvName>> listeners = new CopyOnWriteArrayList<>();
    private volatile Optional<SnapshotMetrics> metrics = Optional.empty();
    private boolean closed; // guarded by this

    public SnapshotKeeper(Groups groups, DeviceMapper deviceMapper) {
        this.groups = groups;
        this.deviceMapper = deviceMapper;
    }

    /** Has the listener told of each snapshot that is lost; it returns at once. */
    public void onLost(Consumer<LvName> listener) {
        listeners.add(listener);
    }

    /** Shows from now on how full the stores are. */
    public void measuredBy(SnapshotMetrics gauges) {
        metrics = Optional.of(gauges);
    }

    /**
     * Says that an object stands for a snapshot that another program took, and so without our tags.
     * From the next report on that shows it, it is followed.
     */
    public void hasObject(LvName snapshot) {
        ofObjects.add(snapshot);
    }

    /** Follows all snapshots of ours that a report shows, such as those of an earlier process. */
    public void seen(VolumeGroupReport report) {
        report.logicalVolumes().stream()
                .filter(LogicalVolume::isThickSnapshot)
                .filter(this::isOurs)
                .forEach(this::follow);
    }

    /** What people take by hand is theirs. */
    private boolean isOurs(LogicalVolume snapshot) {
        return snapshot.tags().contains(Names.VOLUME_GROUP_TAG)
                || ofObjects.contains(snapshot.name());
    }

    /** Follows a snapshot until it is gone. */
    public synchronized void follow(LogicalVolume snapshot) {
        if (!closed && !lost.containsKey(snapshot.name())) {
            followers.computeIfAbsent(snapshot.name().vg(), this::follower).add(snapshot);
        }
    }

    private SnapshotFollower follower(String vg) {
        var follower = new SnapshotFollower(vg, groups, deviceMapper, this);
        follower.start();
        return follower;
    }

    /** Forgets a snapshot that was removed. */
    public synchronized void forget(LvName snapshot) {
        ofObjects.remove(snapshot);
        lost.remove(snapshot);
        var follower = followers.get(snapshot.vg());
        if (follower != null) {
            follower.remove(snapshot);
        }
    }

    /** Returns why a snapshot is lost; empty if nobody has seen that it is. */
    public Optional<String> whyLost(LvName snapshot) {
        return Optional.ofNullable(lost.get(snapshot));
    }

    /** Returns whether the follower of a group has nothing to do any more, and may end. */
    synchronized boolean ended(String vg, SnapshotFollower follower) {
        if (!follower.idle()) {
            return false;
        }
        followers.remove(vg, follower);
        metrics.ifPresent(gauges -> gauges.remove(vg));
        return true;
    }

    void told(String vg, double fullest) {
        metrics.ifPresent(gauges -> gauges.fullest(vg, fullest));
    }

    void isLost(LvName snapshot, String why) {
        LOG.log(WARNING, () -> "a snapshot is lost lv=" + snapshot + ": " + why);
        lost.put(snapshot, why);
        metrics.ifPresent(gauges -> gauges.countLost(snapshot.vg()));
        listeners.forEach(listener -> listener.accept(snapshot));
    }

    /** Stores do not grow any more, until the next process follows them. */
    @Override
    public synchronized void close() {
        closed = true;
        followers.values().forEach(SnapshotFollower::end);
    }
}
