package lvms.lvm2;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import lvms.lvm2.engine.Engine;
import lvms.lvm2.engine.ExecEngine;

/** Prepares the configuration, chooses the engine, and says so in the log. */
final class Opening {
    private static final System.Logger LOG = System.getLogger(Lvm.class.getName());

    private Opening() {}

    static Lvm open(LvmOptions options) throws LvmException, InterruptedException {
        var environment = environment(options);
        var engine = choose(options, environment);
        var status = engine.status();
        LOG.log(
                Level.INFO,
                () ->
                        "LVM engine chosen engine="
                                + status.kind()
                                + " lvmVersion="
                                + status.lvmVersion()
                                + " reason=\""
                                + status.reason()
                                + '"');
        var longRunning =
                new ExecEngine(options.execCommand(), environment, "long commands run apart");
        return new LvmCommands(
                new CommandRunner(
                        engine,
                        longRunning,
                        options,
                        new GroupLocks(),
                        new DeviceScope.Configured()));
    }

    private static Engine choose(LvmOptions options, Map<String, String> environment)
            throws LvmException, InterruptedException {
        return new ExecEngine(options.execCommand(), environment, "asked for").tested();
    }

    private static Map<String, String> environment(LvmOptions options) throws LvmException {
        var environment = new HashMap<>(Map.of("LC_ALL", "C", "LVM_SUPPRESS_FD_WARNINGS", "1"));
        if (options.systemDir().isPresent()) {
            var folder = options.systemDir().get();
            try {
                LvmConf.write(folder, options.udev(), options.activation());
            } catch (IOException e) {
                throw new LvmException.Unavailable("writing lvm.conf in " + folder, e);
            }
            environment.put("LVM_SYSTEM_DIR", folder.toString());
        }
        return environment;
    }
}
