package lvms.launcher;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.LvmOptions;
import lvms.lvm2.device.MachineTools;
import lvms.node.host.DeviceTools;
import lvms.node.host.HostLvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Opens the LVM of this node, and waits where there is none: an image without it, or a host that
 * gets its LVM later.
 *
 * @param report gets, at each attempt, what is in the way
 * @param end tells whether the process was told to end meanwhile
 */
record LvmSearch(Report report, End end) {
    private static final System.Logger LOG = System.getLogger("lvms");
    private static final Path OWN_CONFIGURATION = Path.of("/run/lvms/lvm");
    private static final Duration RETRY = Duration.ofSeconds(5);

    @FunctionalInterface
    interface Report {
        void tell(String obstacle) throws InterruptedException;
    }

    @FunctionalInterface
    interface End {
        boolean within(Duration time) throws InterruptedException;
    }

    /** Returns LVM, or nothing if the process is to end. */
    Optional<Lvm> find() throws InterruptedException {
        while (true) {
            var host = HostLvm.look();
            var tools = new DeviceTools(MachineTools.ofProcess(), host.entersHost());
            var obstacle = tools.obstacle();
            if (obstacle.isEmpty()) {
                try {
                    var lvm = open(host, UnaryOperator.identity());
                    tools.filesystemObstacle()
                            .ifPresent(o -> LOG.log(WARNING, () -> "volumes may fail: " + o));
                    return Optional.of(lvm);
                } catch (IOException | LvmException e) {
                    obstacle = Optional.of("LVM cannot be used: " + e.getMessage());
                }
            }
            report.tell(obstacle.get());
            if (end.within(RETRY)) {
                return Optional.empty();
            }
        }
    }

    /**
     * Opens the LVM that is in force.
     *
     * @param change what is asked for besides, such as another engine
     */
    static Lvm open(HostLvm host, UnaryOperator<LvmOptions> change)
            throws IOException, LvmException, InterruptedException {
        var choice = host.choose(OWN_CONFIGURATION);
        var cache = Path.of(System.getProperty("java.home"), "lib", "worker.aot");
        var lvm =
                Lvm.open(
                        change.apply(choice.options())
                                .withWorkerFiles(
                                        Optional.of(cache).filter(Files::exists),
                                        Path.of(System.getProperty("java.io.tmpdir"))));
        LOG.log(INFO, () -> "LVM chosen reason=\"" + choice.reason() + "\"");
        return lvm;
    }
}
