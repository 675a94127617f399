package lvms.launcher.lvm;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.command.LvmCommands;
import lvms.lvm2.device.MachineTools;
import lvms.node.host.DeviceTools;
import lvms.node.host.HostLvm;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Opens the LVM of this node, and waits while there is none: the image may lack it, or the host may
 * get it later.
 *
 * @param report is told at each attempt what is in the way
 * @param end says whether the process has to end
 * @param lvmdConfig lvmd.yaml, whose command prefix is used
 */
public record LvmSearch(Report report, End end, Path lvmdConfig) {
    private static final System.Logger LOG = System.getLogger("lvms");
    private static final Path OWN_CONFIGURATION = Path.of("/run/lvms/lvm");
    private static final Duration RETRY = Duration.ofSeconds(5);

    @FunctionalInterface
    public interface Report {
        void tell(String obstacle) throws InterruptedException;
    }

    @FunctionalInterface
    public interface End {
        boolean within(Duration time) throws InterruptedException;
    }

    /** Returns LVM, or nothing if the process is to end. */
    public Optional<Lvm> find() throws InterruptedException {
        while (true) {
            var host = HostLvm.look();
            var tools = new DeviceTools(MachineTools.ofProcess(), host.entersHost());
            var obstacle = tools.obstacle();
            if (obstacle.isEmpty()) {
                try {
                    var lvm = open(prefixed(choice(host)));
                    tools.filesystemObstacle()
                            .ifPresent(o -> LOG.log(WARNING, () -> "volumes may fail: " + o));
                    return Optional.of(lvm);
                } catch (LvmException e) {
                    obstacle = Optional.of("LVM cannot be used: " + e.getMessage());
                }
            }
            report.tell(host.withUnseen(obstacle.get()));
            if (end.within(RETRY)) {
                return Optional.empty();
            }
        }
    }

    private HostLvm.Choice prefixed(HostLvm.Choice choice) {
        var options = CommandPrefix.apply(choice.options(), CommandPrefix.of(lvmdConfig));
        return new HostLvm.Choice(options, choice.reason());
    }

    /** How LVM is run here, with the files of a worker. */
    public static HostLvm.Choice choice(HostLvm host) {
        var choice = host.choose(OWN_CONFIGURATION);
        var cache = Path.of(System.getProperty("java.home"), "lib", "worker.aot");
        var options =
                choice.options()
                        .withWorkerFiles(
                                Optional.of(cache).filter(Files::exists),
                                Path.of(System.getProperty("java.io.tmpdir")));
        return new HostLvm.Choice(options, choice.reason());
    }

    /**
     * Lets I/O go on that an agent left waiting when it was killed. Nothing else may come before
     * it: whatever else a start waits for, such as the API server, may take hours.
     */
    public static void resumeSuspended() throws InterruptedException {
        LvmCommands.resumeSuspended(choice(HostLvm.look()).options());
    }

    /** Opens LVM, and logs whose it is, and what keeps its watchdog from outliving this process. */
    public static Lvm open(HostLvm.Choice choice) throws LvmException, InterruptedException {
        var lvm = LvmCommands.open(choice.options());
        LOG.log(INFO, () -> "LVM chosen reason=\"" + choice.reason() + "\"");
        var obstacle = lvm.watchdogObstacle(); // which logs it
        LOG.log(DEBUG, () -> "watchdog tried obstacle=" + obstacle);
        return lvm;
    }
}
