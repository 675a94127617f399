package lvms.launcher;

import lvms.launcher.command.Command;
import lvms.launcher.command.ExitCode;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.node.HealthProbe;
import lvms.node.LvmdConfigException;
import lvms.node.LvmdSettings;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * {@code lvms lvmd health}: the liveness probe of TopoLVM's manifests. Unlike TopoLVM's it takes
 * {@code --config}, so it also finds a socket that is elsewhere.
 */
final class LvmdHealthCommand implements Command {
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    @Override
    public String name() {
        return "lvmd health";
    }

    @Override
    public String summary() {
        return "check whether the lvmd of this machine serves, for a liveness probe";
    }

    @Override
    public List<Flag> flags() {
        return List.of(LvmdCommand.configFlag());
    }

    @Override
    public List<ExitCode> exitCodes() {
        return List.of(
                new ExitCode(0, "lvmd serves"),
                new ExitCode(1, "lvmd does not serve, or lvmd.yaml cannot be read"),
                new ExitCode(2, "wrong flags"));
    }

    @Override
    public int run(Flags flags) {
        try {
            var settings = LvmdSettings.readServed(Path.of(flags.text(LvmdCommand.CONFIG)));
            var problem = HealthProbe.of(settings.socket(), DEADLINE);
            problem.ifPresent(text -> System.err.println("lvms: " + text));
            return problem.isPresent() ? 1 : 0;
        } catch (LvmdConfigException e) {
            System.err.println("lvms: " + e.getMessage());
            return 1;
        }
    }
}
