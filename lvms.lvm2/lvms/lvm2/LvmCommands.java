package lvms.lvm2;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The whole of {@link Lvm}, from its parts. */
final class LvmCommands implements Lvm {
    private final CommandRunner runner;
    private final Reads reads;
    private final GroupChanges groups;
    private final PoolChanges pools;
    private final VolumeChanges volumes;

    LvmCommands(CommandRunner runner) {
        this.runner = runner;
        this.reads = new Reads(runner);
        this.groups = new GroupChanges(runner, reads);
        this.pools = new PoolChanges(runner, reads);
        this.volumes = new VolumeChanges(runner, reads);
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
    public void resizePhysicalVolume(Path device) throws LvmException, InterruptedException {
        groups.resizeDevice(device);
    }

    @Override
    public void removePhysicalVolume(Path device) throws LvmException, InterruptedException {
        groups.removeDevice(device);
    }

    @Override
    public void forgetDevice(String pvUuid) throws LvmException, InterruptedException {
        groups.forget(pvUuid);
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
        return volumes.createSnapshot(request);
    }

    @Override
    public LogicalVolume extendVolume(LvName name, long sizeBytes)
            throws LvmException, InterruptedException {
        return volumes.extend(name, sizeBytes);
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
    public void repairRaid(LvName name) throws LvmException, InterruptedException {
        volumes.repairRaid(name);
    }

    @Override
    public void movePhysicalVolume(Path from, Collection<Path> to)
            throws LvmException, InterruptedException {
        groups.move(from, to);
    }

    @Override
    public VolumeGroup removeMissing(String vg) throws LvmException, InterruptedException {
        return groups.removeMissing(vg);
    }

    @Override
    public void close() {
        runner.engine().close();
        runner.longRunning().close();
    }
}
