package lvms.lvm2.command;

import lvms.lvm2.DeviceScope;
import lvms.lvm2.EngineStatus;
import lvms.lvm2.Grammar;
import lvms.lvm2.LogicalVolumes;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.LvmOptions;
import lvms.lvm2.PhysicalVolumes;
import lvms.lvm2.RaidVolumes;
import lvms.lvm2.Snapshots;
import lvms.lvm2.ThinPools;
import lvms.lvm2.VolumeGroups;
import lvms.lvm2.engine.Command;
import lvms.lvm2.engine.Command.Effect;
import lvms.lvm2.engine.CommandWatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** LVM through its own commands: the way to get an {@link Lvm}. */
public final class LvmCommands implements Lvm {
    /** A change that holds LVM's lock for longer is not ours, or is repaired later. */
    private static final Duration START = Duration.ofSeconds(3);

    private final MendingRunner runner;
    private final CommandWatch watch;

    LvmCommands(MendingRunner runner, CommandWatch watch) {
        this.runner = runner;
        this.watch = watch;
    }

    /**
     * Chooses an engine by a self-test, and logs which and why.
     *
     * @throws LvmException.Unavailable if no engine works
     */
    public static Lvm open(LvmOptions options) throws LvmException, InterruptedException {
        var watch = new CommandWatch();
        return new LvmCommands(Opening.open(options, watch), watch);
    }

    /**
     * Lets I/O go on that changes of killed processes left waiting, as far as no other program is
     * changing their groups. It needs no LVM, so a process begins with it, whatever it has to wait
     * for before it can open LVM.
     *
     * @param options those that LVM will be opened with
     */
    public static void resumeSuspended(LvmOptions options) throws InterruptedException {
        if (options.activation()) {
            Resumption.of(options, START).afterAll();
        }
    }

    MendingRunner runner() {
        return runner;
    }

    @Override
    public EngineStatus engine() {
        return runner.commands().engine().status();
    }

    @Override
    public Optional<String> watchdogObstacle() {
        return runner.mending().watchdog().obstacle();
    }

    @Override
    public void onCommand(Listener listener) {
        watch.tell(listener);
    }

    @Override
    public Lvm limitedTo(DeviceScope scope) {
        return new LvmCommands(runner.within(scope), watch);
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

    /** The program prints past the library's log, so a worker could not catch it. */
    @Override
    public Map<String, String> configured(List<String> settings)
            throws LvmException, InterruptedException {
        settings.forEach(Grammar::requireSetting);
        var words = new ArrayList<>(List.of("lvmconfig", "--typeconfig", "full"));
        words.addAll(settings);
        var command = new Command(Effect.READ, words);
        var reply = runner.commands().longRunning().run(command);
        var values = new HashMap<String, String>();
        for (var line : reply.stdout().split("\n")) {
            int equals = line.indexOf('=');
            settings.stream()
                    .filter(
                            setting ->
                                    equals > 0 && setting.endsWith("/" + line.substring(0, equals)))
                    .forEach(setting -> values.put(setting, line.substring(equals + 1)));
        }
        if (reply.status() != 0 && values.isEmpty()) {
            throw new LvmException.Unavailable(command + ": " + reply.stderr().strip(), null);
        }
        return Map.copyOf(values);
    }

    @Override
    public void close() {
        runner.commands().engine().close();
        runner.commands().longRunning().close();
        runner.mending().watchdog().close();
    }
}
