package lvms.lvm2.command;

import lvms.lvm2.DeviceScope;
import lvms.lvm2.EngineStatus;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.LvmOptions;
import lvms.lvm2.MoveProgress;
import lvms.lvm2.NewPhysicalVolume;
import lvms.lvm2.NewSnapshot;
import lvms.lvm2.NewThickSnapshot;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.NewThinPool;
import lvms.lvm2.NewThinVolume;
import lvms.lvm2.NewVolumeGroup;
import lvms.lvm2.PhysicalVolume;
import lvms.lvm2.PhysicalVolumeMove;
import lvms.lvm2.PoolSize;
import lvms.lvm2.RaidVolumes;
import lvms.lvm2.ThinPool;
import lvms.lvm2.ThinPoolCheck;
import lvms.lvm2.VolumeGroup;
import lvms.lvm2.VolumeGroupReport;
import lvms.lvm2.VolumeReduction;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** LVM by its own commands: the way to get an {@link Lvm}. */
public final class LvmCommands implements Lvm {
    private final CommandRunner runner;
    private final Reads reads;
    private final GroupChanges groups;
    private final PhysicalVolumeChanges devices;
    private final PoolChanges pools;
    private final ThinPoolChecks checks;
    private final VolumeChanges volumes;
    private final SnapshotChanges snapshots;
    private final RaidChanges raid;

    LvmCommands(CommandRunner runner) {
        this.runner = runner;
        this.reads = new Reads(runner);
        this.groups = new GroupChanges(runner, reads);
        this.devices = new PhysicalVolumeChanges(runner, reads);
        this.checks = new ThinPoolChecks(runner, reads);
        this.snapshots = new SnapshotChanges(runner, reads);
        this.raid = new RaidChanges(runner, reads, groups);
        this.pools = new PoolChanges(runner, reads);
        this.volumes = new VolumeChanges(runner, reads);
    }

    /**
     * Chooses an engine by a self-test, and logs which and why.
     *
     * @throws LvmException.Unavailable if no engine works
     */
    public static Lvm open(LvmOptions options) throws LvmException, InterruptedException {
        return Opening.open(options);
    }

    CommandRunner runner() {
        return runner;
    }

    @Override
    public EngineStatus engine() {
        return runner.engine().status();
    }

    @Override
    public Lvm limitedTo(DeviceScope scope) {
        return new LvmCommands(runner.within(scope));
    }

    @Override
    public List<VolumeGroup> volumeGroups() throws LvmException, InterruptedException {
        return reads.volumeGroups();
    }

    @Override
    public Optional<VolumeGroup> volumeGroup(String name)
            throws LvmException, InterruptedException {
        return reads.volumeGroup(name);
    }

    @Override
    public List<PhysicalVolume> physicalVolumes() throws LvmException, InterruptedException {
        return reads.physicalVolumes();
    }

    @Override
    public Optional<PhysicalVolume> physicalVolume(Path device)
            throws LvmException, InterruptedException {
        return devices.find(device);
    }

    @Override
    public List<LogicalVolume> logicalVolumes(String vg) throws LvmException, InterruptedException {
        return reads.logicalVolumes(vg);
    }

    @Override
    public Optional<LogicalVolume> logicalVolume(LvName name)
            throws LvmException, InterruptedException {
        return reads.logicalVolume(name);
    }

    @Override
    public Optional<ThinPool> thinPool(LvName name) throws LvmException, InterruptedException {
        return reads.thinPool(name);
    }

    @Override
    public Optional<VolumeGroupReport> report(String vg) throws LvmException, InterruptedException {
        return reads.report(vg);
    }

    @Override
    public List<VolumeGroupReport> reports() throws LvmException, InterruptedException {
        return reads.reports();
    }

    @Override
    public VolumeGroup createVolumeGroup(NewVolumeGroup request)
            throws LvmException, InterruptedException {
        return groups.create(request);
    }

    @Override
    public VolumeGroup extendVolumeGroup(String vg, List<Path> devices, boolean wipe)
            throws LvmException, InterruptedException {
        return groups.extend(vg, devices, wipe);
    }

    @Override
    public VolumeGroup reduceVolumeGroup(String vg, List<Path> devices)
            throws LvmException, InterruptedException {
        return groups.reduce(vg, devices);
    }

    @Override
    public void removeVolumeGroup(String vg) throws LvmException, InterruptedException {
        groups.remove(vg);
    }

    @Override
    public VolumeGroup changeVolumeGroupTags(String vg, Set<String> add, Set<String> remove)
            throws LvmException, InterruptedException {
        return groups.changeTags(vg, add, remove);
    }

    @Override
    public void deactivateVolumeGroup(String vg) throws LvmException, InterruptedException {
        groups.deactivate(vg);
    }

    @Override
    public VolumeGroup adoptVolumeGroup(String vg, Set<String> tags)
            throws LvmException, InterruptedException {
        return groups.adopt(vg, tags);
    }

    @Override
    public VolumeGroup exportVolumeGroup(String vg) throws LvmException, InterruptedException {
        return groups.exportGroup(vg);
    }

    @Override
    public VolumeGroup importVolumeGroup(String vg) throws LvmException, InterruptedException {
        return groups.importGroup(vg);
    }

    @Override
    public PhysicalVolume createPhysicalVolume(NewPhysicalVolume request)
            throws LvmException, InterruptedException {
        return devices.create(request);
    }

    @Override
    public void resizePhysicalVolume(Path device) throws LvmException, InterruptedException {
        devices.resize(device);
    }

    @Override
    public void removePhysicalVolume(Path device) throws LvmException, InterruptedException {
        devices.remove(device);
    }

    @Override
    public void forgetDevice(String pvUuid) throws LvmException, InterruptedException {
        devices.forget(pvUuid);
    }

    @Override
    public ThinPool createThinPool(NewThinPool request) throws LvmException, InterruptedException {
        return pools.create(request);
    }

    @Override
    public ThinPool extendThinPool(LvName pool, PoolSize size)
            throws LvmException, InterruptedException {
        return pools.extend(pool, size);
    }

    @Override
    public ThinPool extendThinPoolMetadata(LvName pool, long sizeBytes)
            throws LvmException, InterruptedException {
        return pools.extendMetadata(pool, sizeBytes);
    }

    @Override
    public ThinPool adoptThinPool(LvName pool, Set<String> tags)
            throws LvmException, InterruptedException {
        return pools.adopt(pool, tags);
    }

    @Override
    public ThinPoolCheck checkThinPool(LvName pool) throws LvmException, InterruptedException {
        return checks.check(pool);
    }

    @Override
    public ThinPoolCheck repairThinPool(LvName pool) throws LvmException, InterruptedException {
        return checks.repair(pool);
    }

    @Override
    public LogicalVolume createThinVolume(NewThinVolume request)
            throws LvmException, InterruptedException {
        return volumes.createThin(request);
    }

    @Override
    public LogicalVolume createThickVolume(NewThickVolume request)
            throws LvmException, InterruptedException {
        return volumes.createThick(request);
    }

    @Override
    public LogicalVolume createSnapshot(NewSnapshot request)
            throws LvmException, InterruptedException {
        return snapshots.create(request);
    }

    @Override
    public LogicalVolume createThickSnapshot(NewThickSnapshot request)
            throws LvmException, InterruptedException {
        return snapshots.create(request);
    }

    @Override
    public void mergeSnapshot(LvName snapshot) throws LvmException, InterruptedException {
        snapshots.merge(snapshot);
    }

    @Override
    public LogicalVolume extendVolume(LvName name, long sizeBytes)
            throws LvmException, InterruptedException {
        return volumes.extend(name, sizeBytes);
    }

    @Override
    public LogicalVolume reduceVolume(VolumeReduction request)
            throws LvmException, InterruptedException {
        return volumes.reduce(request);
    }

    @Override
    public LogicalVolume renameVolume(LvName name, String newName)
            throws LvmException, InterruptedException {
        return volumes.rename(name, newName);
    }

    @Override
    public void removeVolume(LvName name) throws LvmException, InterruptedException {
        volumes.remove(name);
    }

    @Override
    public void removeThinPoolWithVolumes(LvName pool) throws LvmException, InterruptedException {
        pools.removeWithVolumes(pool);
    }

    @Override
    public LogicalVolume activate(LvName name) throws LvmException, InterruptedException {
        return volumes.activate(name);
    }

    @Override
    public void deactivate(LvName name) throws LvmException, InterruptedException {
        volumes.deactivate(name);
    }

    @Override
    public LogicalVolume changePermission(LvName name, boolean writable)
            throws LvmException, InterruptedException {
        return volumes.changePermission(name, writable);
    }

    @Override
    public LogicalVolume changeVolumeTags(LvName name, Set<String> add, Set<String> remove)
            throws LvmException, InterruptedException {
        return volumes.changeTags(name, add, remove);
    }

    @Override
    public void wipeSignatures(LvName name) throws LvmException, InterruptedException {
        volumes.wipeSignatures(name);
    }

    @Override
    public void refresh(LvName name) throws LvmException, InterruptedException {
        volumes.refresh(name);
    }

    @Override
    public boolean unfinished(String vg) throws InterruptedException {
        return volumes.unfinished(vg);
    }

    @Override
    public void mend(String vg) throws InterruptedException {
        volumes.mend(vg);
    }

    @Override
    public RaidVolumes raid() {
        return raid;
    }

    @Override
    public void movePhysicalVolume(PhysicalVolumeMove request, MoveProgress progress)
            throws LvmException, InterruptedException {
        devices.move(request, progress);
    }

    @Override
    public void abortMove(Path from) throws LvmException, InterruptedException {
        devices.abortMove(from);
    }

    @Override
    public VolumeGroup removeMissing(String vg) throws LvmException, InterruptedException {
        return groups.removeMissing(vg);
    }

    @Override
    public VolumeGroup restoreMissing(String vg, List<Path> devices)
            throws LvmException, InterruptedException {
        return groups.restoreMissing(vg, devices);
    }

    @Override
    public void forgetOutdated(String vg) throws LvmException, InterruptedException {
        groups.forgetOutdated(vg);
    }

    @Override
    public void close() {
        runner.engine().close();
        runner.longRunning().close();
    }
}
