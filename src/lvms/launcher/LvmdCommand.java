package lvms.launcher;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;

import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.metrics.ProcessMetrics;
import lvms.launcher.command.Command;
import lvms.launcher.command.VersionCommand;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.LogFlags;
import lvms.launcher.flag.TopolvmFlags;
import lvms.launcher.flag.UsageException;
import lvms.launcher.lvm.LvmSearch;
import lvms.log.Logging;
import lvms.lvm2.LvmException;
import lvms.node.LvmdConfigException;
import lvms.node.LvmdSettings;
import lvms.node.deviceclass.LvmdConfigFile;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * {@code lvms lvmd}: TopoLVM's lvmd on its own. It reads lvmd.yaml again once a second, serves what
 * is new without a restart, and keeps the former settings if the new ones are wrong.
 */
final class LvmdCommand implements Command {
    static final String CONFIG = "config";
    private static final System.Logger LOG = System.getLogger("lvms");
    private static final String LVM_PATH = "lvm-path";
    private static final String METRICS = "metrics-bind-address";

    @Override
    public String name() {
        return "lvmd";
    }

    @Override
    public String summary() {
        return "TopoLVM's lvmd: volumes of the device classes of lvmd.yaml, over gRPC";
    }

    @Override
    public List<Flag> flags() {
        return TopolvmFlags.and(
                TopolvmFlags.VERSION,
                configFlag(),
                new Flag(LVM_PATH, Flag.Kind.TEXT, "", "path of the lvm program (deprecated)"),
                new Flag(
                        METRICS,
                        Flag.Kind.ADDRESS,
                        ":8080",
                        "address of /metrics; 0 or nothing turns it off"));
    }

    static Flag configFlag() {
        return new Flag(
                CONFIG,
                Flag.Kind.TEXT,
                LvmdConfigFile.PATH.toString(),
                "file with the device classes");
    }

    @Override
    public int run(Flags flags) throws UsageException, InterruptedException {
        Logging.start(LogFlags.read(flags));
        TopolvmFlags.warn(flags);
        var lvmPath = Optional.of(flags.text(LVM_PATH)).filter(path -> !path.isEmpty());
        try (var serving = new Serving(name())) {
            var version = VersionCommand.version();
            LOG.log(INFO, () -> "lvmd starts version=" + version);
            LvmSearch.resumeSuspended();
            var file =
                    new LvmdReload(Path.of(flags.text(CONFIG)), LvmdSettings::readServed, lvmPath);
            file.start();
            var metrics = ProcessMetrics.registry(flags.address(METRICS).isPresent());
            serving.metrics(flags.address(METRICS), metrics);
            serving.profiling(flags);
            while (!serving.endsWithin(Duration.ZERO)) {
                serve(serving, file, metrics);
            }
            return serving.awaitEnd();
        } catch (LvmdConfigException | IOException | LvmException e) {
            LOG.log(ERROR, () -> "lvmd cannot serve: " + e.getMessage());
            return 1;
        }
    }

    private static void serve(Serving serving, LvmdReload file, MetricsRegistry metrics)
            throws IOException, LvmException, InterruptedException {
        try {
            LvmdSession.serve(serving, file, metrics);
        } catch (IOException | LvmException e) {
            if (!file.reverted(e.getMessage())) {
                throw e;
            }
        }
    }
}
