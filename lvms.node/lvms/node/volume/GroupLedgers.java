package lvms.node.volume;

import lvms.lvm2.DeviceScope;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvHealth;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.VolumeGroup;
import lvms.lvm2.VolumeGroupReport;
import lvms.lvm2.device.DeviceMapper;
import lvms.node.capacity.ClassCapacity;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning.Thin;
import lvms.node.erasure.Erasures;
import lvms.node.erasure.Groups;
import lvms.node.format.Formats;
import lvms.node.pool.PoolGroups;
import lvms.node.snapshot.SnapshotKeeper;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The ledgers of the volume groups that volumes are made in, each with the group's last report, so
 * that a burst of volumes asks LVM for nothing but the volumes. Any thread may call; while one
 * reads a group, others that need the same group wait for the same answer.
 */
public final class GroupLedgers implements Groups, PoolGroups {
    /** Others rarely change a group; LVM or a new report then shows what they took. */
    private static final Duration MAX_AGE = Duration.ofSeconds(60);

    /** Reports that it takes at most until a disk had its name before and after one of them. */
    private static final int ATTEMPTS = 3;

    private final Lvm lvm;
    private final ClassCapacity capacity;
    private final LongSupplier nanoTime;
    private final Map<String, Group> groups = new ConcurrentHashMap<>();
    private final Erasures erasures = new Erasures();
    private final Formats formats;
    private final SnapshotKeeper snapshots = new SnapshotKeeper(this, DeviceMapper.system());

    /**
     * For a process that makes no filesystems.
     *
     * @param lvm sees all devices that LVM's configuration allows; changes go through views of it
     */
    public GroupLedgers(Lvm lvm) {
        this(lvm, Formats.none());
    }

    /**
     * @param lvm sees all devices that LVM's configuration allows; changes go through views of it
     * @param formats where filesystems are made on volumes of these groups
     */
    public GroupLedgers(Lvm lvm, Formats formats) {
        this(lvm, ClassCapacity.standard(), formats);
    }

    /**
     * @param lvm sees all devices that LVM's configuration allows; changes go through views of it
     * @param capacity what the groups can hold, and which pools refuse
     * @param formats where filesystems are made on volumes of these groups
     */
    public GroupLedgers(Lvm lvm, ClassCapacity capacity, Formats formats) {
        this(lvm, capacity, formats, System::nanoTime);
    }

    GroupLedgers(Lvm lvm, ClassCapacity capacity, Formats formats, LongSupplier nanoTime) {
        this.lvm = lvm;
        this.capacity = capacity;
        this.formats = formats;
        this.nanoTime = nanoTime;
    }

    private static final class Group {
        private final ReentrantLock lock = new ReentrantLock();
        private volatile GroupLedger ledger;
        private GroupDevices devices = GroupDevices.NONE;
        private volatile OptionalLong readAt = OptionalLong.empty();
    }

    private interface Question<T> {
        T ask(GroupLedger ledger);
    }

    /**
     * Returns LVM, limited to the devices of a group. If a device came back under another name, LVM
     * would think it missing, and note that in the group with the next change. So the devices that
     * were read are used only while each path leads to the same disk.
     *
     * @throws LvmException.NotFound if there is no such group
     * @throws LvmException.MissingDevice if its disks change their names at this moment
     */
    @Override
    public Lvm limitedTo(String vg) throws LvmException, InterruptedException {
        var known = devices(vg, false);
        // a group without a device may have got it back
        var devices = known.whole() && known.unchanged() ? known : devices(vg, true);
        if (!devices.unchanged()) {
            throw new LvmException.MissingDevice(
                    "volume group " + vg + ": a disk changed its name or went while it was read");
        }
        return limitedTo(devices);
    }

    private Lvm limitedTo(GroupDevices devices) {
        var paths = devices.marks().keySet();
        return paths.isEmpty() ? lvm : lvm.limitedTo(DeviceScope.only(paths));
    }

    /** Returns what is being erased in these groups. */
    public Erasures erasures() {
        return erasures;
    }

    /** Returns where filesystems are made on volumes of these groups. */
    public Formats formats() {
        return formats;
    }

    /** Returns what looks after the snapshots of thick volumes in these groups. */
    public SnapshotKeeper snapshots() {
        return snapshots;
    }

    private GroupDevices devices(String vg, boolean anew)
            throws LvmException, InterruptedException {
        return ask(vg, anew, _ -> groups.get(vg).devices).orElseThrow(() -> missing(vg));
    }

    /**
     * Mends what killed commands left in a group; runs a command only if something is left.
     *
     * @param pools the thin pools of classes in it
     */
    void mend(String vg, Set<String> pools) throws LvmException, InterruptedException {
        if (lvm.groups().unfinished(vg)) {
            limitedTo(vg).groups().mend(vg, pools);
        }
    }

    @Override
    public Optional<VolumeGroupReport> fresh(String vg) throws LvmException, InterruptedException {
        return ask(vg, true, GroupLedger::report);
    }

    /** Reads a group anew: its devices have changed. */
    public void refresh(String vg) throws LvmException, InterruptedException {
        ask(vg, true, GroupLedger::report);
    }

    /**
     * Finds the group that has a volume of this name.
     *
     * @param likely names of groups to look at first; no command runs if the volume is known there
     */
    public Optional<LvName> locate(String volume, Collection<String> likely)
            throws LvmException, InterruptedException {
        var found = locateIn(likely, volume);
        if (found.isPresent()) {
            return found;
        }
        var others = new LinkedHashSet<>(lvm.groups().names());
        others.removeAll(likely);
        return holder(others, volume, true);
    }

    /** Finds which of some groups has a volume of this name; the devices of others are not read. */
    Optional<LvName> locateIn(Collection<String> vgs, String volume)
            throws LvmException, InterruptedException {
        var known = holder(vgs, volume, false);
        return known.isPresent() ? known : holder(vgs, volume, true);
    }

    private Optional<LvName> holder(Collection<String> vgs, String volume, boolean anew)
            throws LvmException, InterruptedException {
        for (var vg : vgs) {
            if (ask(vg, anew, ledger -> ledger.holds(volume)).orElse(false)) {
                return Optional.of(new LvName(vg, volume));
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the names of the volumes of a group that have a tag.
     *
     * @param anew whether LVM is asked again
     */
    List<String> tagged(String vg, String tag, boolean anew)
            throws LvmException, InterruptedException {
        return ask(vg, anew, ledger -> ledger.tagged(tag)).orElse(List.of());
    }

    /** Finds a volume as the last report shows it; asks LVM if that does not have it. */
    public Optional<LogicalVolume> volume(LvName name) throws LvmException, InterruptedException {
        var known = report(name.vg()).flatMap(report -> report.logicalVolume(name.lv()));
        return known.isPresent() ? known : limitedTo(name.vg()).volumes().find(name);
    }

    /** Notes that a volume has other tags, as LVM has just written them. */
    public void retagged(LogicalVolume volume) {
        tell(volume.name().vg(), ledger -> ledger.retag(volume.name().lv(), volume.tags()));
    }

    /** Returns the name of the group with this UUID; empty if it is not on this machine. */
    Optional<String> named(String uuid) throws LvmException, InterruptedException {
        return lvm.groups().all().stream()
                .filter(group -> group.uuid().equals(uuid))
                .map(VolumeGroup::name)
                .findFirst();
    }

    /** Returns LVM's UUID of a group; empty if it is not on this machine. */
    public Optional<String> uuid(String vg) throws LvmException, InterruptedException {
        return ask(vg, false, ledger -> ledger.report().group().uuid());
    }

    /**
     * Reserves virtual space of a thin pool for a volume; {@link #confirm} or {@link #release} must
     * follow. TopoLVM's rule: pool size times ratio, minus the sizes of all its volumes.
     *
     * @throws LvmException.OutOfSpace if even a fresh report does not show enough space
     */
    void reserve(LvName name, Thin thin, long sizeBytes) throws LvmException, InterruptedException {
        if (!reserved(name, thin, sizeBytes, false) && !reserved(name, thin, sizeBytes, true)) {
            long free =
                    ask(name.vg(), false, l -> free(l, name, thin))
                            .orElseThrow(() -> missing(name.vg()));
            throw new LvmException.OutOfSpace(
                    "thin pool "
                            + thin.pool()
                            + " of "
                            + name.vg()
                            + ": "
                            + sizeBytes
                            + " bytes requested, "
                            + free
                            + " left at overprovision ratio "
                            + thin.overprovisionRatio());
        }
    }

    /**
     * Refuses a volume in a pool that gets none now, unless it is there: the caller repeats itself.
     *
     * @param sizeBytes size that it has to have; 0 for that of its source
     * @throws LvmException.OutOfSpace saying why the pool refuses it
     */
    void admit(LvName name, Thin thin, long sizeBytes) throws LvmException, InterruptedException {
        var refusal = capacity.pools().of(new LvName(name.vg(), thin.pool()));
        if (refusal.isPresent() && !has(name, sizeBytes)) {
            throw new LvmException.OutOfSpace(refusal.get());
        }
    }

    /** Returns what the classes of this node can hold. */
    public ClassCapacity capacity() {
        return capacity;
    }

    @Override
    public void changed(String vg) {
        groups.computeIfAbsent(vg, _ -> new Group()).readAt = OptionalLong.empty();
    }

    /** Forgets what was read: somebody else has changed a group. */
    public void forget() {
        groups.values().forEach(group -> group.readAt = OptionalLong.empty());
    }

    /** Returns whether a volume is there and at least this large: the caller repeats itself. */
    private boolean has(LvName name, long sizeBytes) throws LvmException, InterruptedException {
        return ask(
                        name.vg(),
                        true,
                        ledger ->
                                ledger.report()
                                        .logicalVolume(name.lv())
                                        .filter(lv -> lv.sizeBytes() >= sizeBytes)
                                        .isPresent())
                .orElse(false);
    }

    private boolean reserved(LvName name, Thin thin, long sizeBytes, boolean anew)
            throws LvmException, InterruptedException {
        return ask(
                        name.vg(),
                        anew,
                        ledger -> {
                            boolean fits = free(ledger, name, thin) >= sizeBytes;
                            if (fits) {
                                ledger.reserve(name.lv(), thin.pool(), sizeBytes);
                            }
                            return fits;
                        })
                .orElseThrow(() -> missing(name.vg()));
    }

    private static long free(GroupLedger ledger, LvName name, Thin thin) {
        return ledger.freeBytes(thin.pool(), thin.overprovisionRatio(), name.lv());
    }

    /** Notes that a volume is there, as LVM has just made or changed it. */
    void confirm(LogicalVolume made, Optional<Thin> thin) {
        var name = made.name();
        var pool = thin.map(Thin::pool).orElse("");
        tell(name.vg(), l -> l.confirm(name.lv(), pool, made.sizeBytes(), made.tags()));
    }

    /** Releases a reservation: the volume was not made. */
    void release(LvName name) {
        tell(name.vg(), ledger -> ledger.release(name.lv()));
    }

    /** Notes that a volume is gone. */
    void removed(LvName name) {
        tell(name.vg(), ledger -> ledger.remove(name.lv()));
    }

    private <T> Optional<T> ask(String vg, boolean anew, Question<T> question)
            throws LvmException, InterruptedException {
        var group = groups.computeIfAbsent(vg, _ -> new Group());
        group.lock.lockInterruptibly();
        try {
            if (anew || group.ledger == null || isOld(group)) {
                read(vg, group);
            }
            return Optional.ofNullable(group.ledger).map(question::ask);
        } finally {
            group.lock.unlock();
        }
    }

    private void tell(String vg, Consumer<GroupLedger> news) {
        var group = groups.computeIfAbsent(vg, _ -> new Group());
        group.lock.lock();
        try {
            if (group.ledger != null) {
                news.accept(group.ledger);
            }
        } finally {
            group.lock.unlock();
        }
    }

    private boolean isOld(Group group) {
        var readAt = group.readAt;
        return readAt.isEmpty() || nanoTime.getAsLong() - readAt.getAsLong() > MAX_AGE.toNanos();
    }

    private void read(String vg, Group group) throws LvmException, InterruptedException {
        var confirmed = group.ledger == null ? Set.<String>of() : group.ledger.confirmed();
        for (int attempt = 1; ; attempt++) {
            var report = reported(vg, group);
            if (report.isEmpty()) {
                group.ledger = null;
                return;
            }
            var before = group.devices;
            group.devices = GroupDevices.of(report.get().physicalVolumes());
            if (group.devices.equals(before) || attempt == ATTEMPTS) {
                keep(group, report.get(), confirmed);
                return;
            }
        }
    }

    /** What is noted while it reads is not in the report. */
    private Optional<VolumeGroupReport> reported(String vg, Group group)
            throws LvmException, InterruptedException {
        group.readAt = OptionalLong.of(nanoTime.getAsLong());
        boolean read = false;
        try {
            var report = current(vg, group);
            read = true;
            return report;
        } finally {
            if (!read) {
                group.readAt = OptionalLong.empty();
            }
        }
    }

    private void keep(Group group, VolumeGroupReport report, Set<String> confirmed) {
        snapshots.seen(report);
        if (group.ledger == null) {
            group.ledger = new GroupLedger(report);
        } else {
            group.ledger.replace(report, confirmed);
        }
    }

    /**
     * Reads only the group's own devices, since one of another group may hang; all devices, if
     * those no longer show the whole group.
     */
    private Optional<VolumeGroupReport> current(String vg, Group group)
            throws LvmException, InterruptedException {
        if (group.ledger != null) {
            var before = group.ledger.report();
            if (!group.devices.marks().isEmpty() && group.devices.unchanged()) {
                var seen = limitedTo(group.devices).groups().report(vg);
                if (seen.filter(now -> isWhole(now.group(), before.group())).isPresent()) {
                    return seen;
                }
            }
        }
        return lvm.groups().report(vg);
    }

    private static boolean isWhole(VolumeGroup now, VolumeGroup before) {
        return now.uuid().equals(before.uuid()) && now.missingPhysicalVolumes() == 0;
    }

    private static LvmException missing(String vg) {
        return new LvmException.NotFound("volume group " + vg + " is not on this node");
    }

    /**
     * Returns what the last report said of a volume's health; starts no command and never waits.
     */
    public Optional<LvHealth> lastHealth(LvName name) {
        return Optional.ofNullable(groups.get(name.vg()))
                .flatMap(group -> Optional.ofNullable(group.ledger))
                .flatMap(ledger -> ledger.report().logicalVolume(name.lv()))
                .flatMap(volume -> volume.attributes().health());
    }

    @Override
    public Optional<VolumeGroupReport> report(String vg) throws LvmException, InterruptedException {
        return ask(vg, false, GroupLedger::report);
    }
}
