package lvms.lvm2.command;

import lvms.lvm2.DeviceScope;
import lvms.lvm2.EngineStatus;
import lvms.lvm2.LogicalVolumes;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.LvmOptions;
import lvms.lvm2.PhysicalVolumes;
import lvms.lvm2.RaidVolumes;
import lvms.lvm2.Snapshots;
import lvms.lvm2.ThinPools;
import lvms.lvm2.VolumeGroups;

/** LVM through its own commands: the way to get an {@link Lvm}. */
public final class LvmCommands implements Lvm {
    private final MendingRunner runner;

    LvmCommands(MendingRunner runner) {
        this.runner = runner;
    }

    /**
     * Chooses an engine by a self-test, and logs which and why.
     *
     * @throws LvmException.Unavailable if no engine works
     */
    public static Lvm open(LvmOptions options) throws LvmException, InterruptedException {
        return new LvmCommands(Opening.open(options));
    }

    MendingRunner runner() {
        return runner;
    }

    @Override
    public EngineStatus engine() {
        return runner.commands().engine().status();
    }

    @Override
    public Lvm limitedTo(DeviceScope scope) {
        return new LvmCommands(runner.within(scope));
    }

    @Override
    public VolumeGroups groups() {
        return new GroupChanges(runner);
    }

    @Override
    public PhysicalVolumes physicalVolumes() {
        return new PhysicalVolumeChanges(runner);
    }

    @Override
    public ThinPools pools() {
        return new PoolChanges(runner);
    }

    @Override
    public LogicalVolumes volumes() {
        return new VolumeChanges(runner);
    }

    @Override
    public Snapshots snapshots() {
        return new SnapshotChanges(runner);
    }

    @Override
    public RaidVolumes raid() {
        return new RaidChanges(runner);
    }

    @Override
    public void close() {
        runner.commands().engine().close();
        runner.commands().longRunning().close();
    }
}
