package lvms.launcher;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.serving.HttpListener;
import lvms.k8s.yaml.YamlException;
import lvms.launcher.command.Command;
import lvms.launcher.command.VersionCommand;
import lvms.launcher.flag.Environment;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.TopolvmFlags;
import lvms.launcher.flag.UsageException;
import lvms.launcher.flag.Variable;
import lvms.log.LogSettings;
import lvms.log.Logging;
import lvms.operator.scheduler.AccessLog;
import lvms.operator.scheduler.ExtenderPages;
import lvms.operator.scheduler.ExtenderSettings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** {@code topolvm-scheduler}: TopoLVM's scheduler extender. */
final class TopolvmSchedulerCommand implements Command {
    private static final System.Logger LOG = System.getLogger("lvms");
    private static final String CONFIG = "config";

    @Override
    public String name() {
        return "topolvm-scheduler";
    }

    @Override
    public String summary() {
        return "TopoLVM's scheduler extender: nodes with room for a pod's volumes";
    }

    @Override
    public List<Flag> flags() {
        return List.of(
                TopolvmFlags.VERSION,
                TopolvmFlags.SHORT_VERSION,
                new Flag(
                        CONFIG,
                        Flag.Kind.TEXT,
                        "",
                        "file with listen, default-divisor and divisors; without it, :8000 and 1"));
    }

    @Override
    public List<Variable> variables() {
        return List.of(Variable.LEGACY);
    }

    @Override
    public int run(Flags flags) throws UsageException, InterruptedException {
        Logging.start(LogSettings.DEFAULT);
        var settings = settings(flags.text(CONFIG));
        try (var serving = new Serving(name())) {
            var driver = Environment.ofProcess().driver();
            var pages = new AccessLog(new ExtenderPages(driver, settings.divisors()));
            var address =
                    Flags.address("listen:", settings.listen())
                            .orElseThrow(
                                    () ->
                                            new UsageException(
                                                    "listen: "
                                                            + settings.listen()
                                                            + " is no port"));
            var listener =
                    serving.closing(HttpListener.start(address, ExtenderPages.LIMITS, pages));
            serving.profiling(Flags.address("profiling-bind-address:", settings.profiling()));
            LOG.log(
                    INFO,
                    () ->
                            "topolvm-scheduler serves version="
                                    + VersionCommand.version()
                                    + " address="
                                    + listener.address()
                                    + " driver="
                                    + driver.name());
            return serving.awaitEnd();
        } catch (IOException e) {
            LOG.log(ERROR, () -> "topolvm-scheduler cannot serve: " + e.getMessage());
            return 1;
        }
    }

    static ExtenderSettings settings(String file) throws UsageException {
        if (file.isEmpty()) {
            return ExtenderSettings.USUAL;
        }
        try {
            var settings = ExtenderSettings.parse(Files.readString(Path.of(file)));
            settings.unknown()
                    .forEach(key -> LOG.log(WARNING, () -> "ignored in " + file + ": " + key));
            return settings;
        } catch (NoSuchFileException e) {
            throw new UsageException(
                    file + " does not exist: write it, or name another one with --" + CONFIG);
        } catch (IOException | IllegalArgumentException | YamlException e) {
            throw new UsageException(file + ": " + e.getMessage());
        }
    }
}
