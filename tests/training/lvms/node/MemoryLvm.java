package lvms.node;

import lvms.lvm2.AllocationPolicy;
import lvms.lvm2.DeviceScope;
import lvms.lvm2.EngineStatus;
import lvms.lvm2.Identity;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LogicalVolumes;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.PhysicalVolume;
import lvms.lvm2.PhysicalVolumes;
import lvms.lvm2.RaidVolumes;
import lvms.lvm2.Snapshots;
import lvms.lvm2.ThinPools;
import lvms.lvm2.VolumeGroup;
import lvms.lvm2.VolumeGroupReport;
import lvms.lvm2.VolumeGroups;
import lvms.node.disk.TestLvm;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * LVM with one large group of thick volumes in memory. A call takes its time: changes one after the
 * other, as LVM makes them, reports beside each other. What an active volume is costs nothing,
 * since the kernel says it.
 */
final class MemoryLvm implements Lvm {
    static final String VG = "fleet";
    private static final long SIZE = 1L << 40;

    private final EngineTimes times;
    private final String uuid;
    private final Map<String, LogicalVolume> volumes = new ConcurrentHashMap<>();
    private final ReentrantLock changing = new ReentrantLock(true);
    private volatile Listener listener = (_, _, _) -> {};

    /**
     * @param number tells its group from those of other nodes
     */
    MemoryLvm(EngineTimes times, int number) {
        this.times = times;
        uuid = "fleet0-0000-0000-0000-0000-0000-%06d".formatted(number);
    }

    private void takes(String command, Duration time) throws InterruptedException {
        Thread.sleep(time);
        listener.ended(command, time, true);
    }

    private VolumeGroupReport report() throws InterruptedException {
        takes("fullreport", times.report());
        var all = List.copyOf(volumes.values());
        long used = all.stream().mapToLong(LogicalVolume::sizeBytes).sum();
        var group =
                new VolumeGroup(
                        VG,
                        uuid,
                        SIZE,
                        SIZE - used,
                        TestLvm.EXTENT,
                        0,
                        0,
                        all.size(),
                        0,
                        TestLvm.MIB,
                        TestLvm.MIB,
                        "",
                        Optional.empty(),
                        true,
                        true,
                        false,
                        false,
                        AllocationPolicy.NORMAL,
                        Set.of());
        return new VolumeGroupReport(group, List.of(), all, List.of(), List.of());
    }

    /** What is asked of the group. */
    final class Groups {
        List<String> names() throws InterruptedException {
            takes("vgs", times.report());
            return List.of(VG);
        }

        Optional<VolumeGroupReport> report(String vg) throws InterruptedException {
            return Optional.of(MemoryLvm.this.report()).filter(r -> r.group().name().equals(vg));
        }

        List<VolumeGroupReport> reports() throws InterruptedException {
            return List.of(MemoryLvm.this.report());
        }

        boolean unfinished(String vg) {
            return false;
        }
    }

    /** What is asked of volumes. */
    final class Volumes {
        Optional<Identity<LvName>> identify(LvName name) {
            return Optional.ofNullable(volumes.get(name.lv())).map(LogicalVolume::identity);
        }

        Optional<LogicalVolume> find(LvName name) throws InterruptedException {
            takes("lvs", times.report());
            return Optional.ofNullable(volumes.get(name.lv()));
        }

        List<LogicalVolume> all(String vg) throws InterruptedException {
            takes("lvs", times.report());
            return List.copyOf(volumes.values());
        }

        LogicalVolume createThick(NewThickVolume wanted) throws InterruptedException {
            changing.lockInterruptibly();
            try {
                takes("lvcreate", times.creation());
                var name = wanted.name();
                var made = TestLvm.lv(name.vg(), name.lv(), "-wi-a-----", wanted.sizeBytes());
                var tagged = TestLvm.tagged(made, wanted.tags());
                var before = volumes.putIfAbsent(name.lv(), tagged);
                return before == null ? tagged : before;
            } finally {
                changing.unlock();
            }
        }

        void remove(Identity<LvName> volume) throws InterruptedException {
            changing.lockInterruptibly();
            try {
                takes("lvremove", times.removal());
                volumes.remove(volume.name().lv());
            } finally {
                changing.unlock();
            }
        }
    }

    /** The group is on no device. */
    static final class Devices {
        List<PhysicalVolume> all() {
            return List.of();
        }
    }

    @Override
    public EngineStatus engine() {
        return new EngineStatus(EngineStatus.Kind.WORKER, "in memory", "2.03.16(2)");
    }

    @Override
    public Optional<String> watchdogObstacle() {
        return Optional.empty();
    }

    @Override
    public void onCommand(Listener next) {
        listener = next;
    }

    @Override
    public Lvm limitedTo(DeviceScope scope) {
        return this;
    }

    @Override
    public VolumeGroups groups() {
        return Partial.of(VolumeGroups.class, new Groups());
    }

    @Override
    public PhysicalVolumes physicalVolumes() {
        return Partial.of(PhysicalVolumes.class, new Devices());
    }

    @Override
    public LogicalVolumes volumes() {
        return Partial.of(LogicalVolumes.class, new Volumes());
    }

    @Override
    public ThinPools pools() {
        return Partial.of(ThinPools.class, this);
    }

    @Override
    public Snapshots snapshots() {
        return Partial.of(Snapshots.class, this);
    }

    @Override
    public RaidVolumes raid() {
        return Partial.of(RaidVolumes.class, this);
    }

    @Override
    public Map<String, String> configured(List<String> settings) {
        return Map.of();
    }

    @Override
    public void close() {}
}
