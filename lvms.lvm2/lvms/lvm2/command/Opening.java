package lvms.lvm2.command;

import lvms.lvm2.DeviceScope;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.LvmOptions;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.engine.Bulkheads;
import lvms.lvm2.engine.ChildJvm;
import lvms.lvm2.engine.CommandWatch;
import lvms.lvm2.engine.Engine;
import lvms.lvm2.engine.ExecEngine;
import lvms.lvm2.engine.LvmConf;
import lvms.lvm2.engine.WorkerEngine;
import lvms.lvm2.engine.WorkerLaunch;
import lvms.lvm2.lock.GroupLocks;
import lvms.lvm2.report.KnownColumns;
import lvms.lvm2.watchdog.Watchdog;
import lvms.lvm2.watchdog.WatchdogProcess;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Prepares the configuration, chooses the engine, and logs the choice. */
final class Opening {
    private static final System.Logger LOG = System.getLogger(Lvm.class.getName());

    private Opening() {}

    static MendingRunner open(LvmOptions options, CommandWatch watch)
            throws LvmException, InterruptedException {
        var environment = environment(options);
        var engine = new Bulkheads(watch.over(choose(options, environment)), options.workers());
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
        var longRunning = watch.over(exec(options, environment, "long commands run apart"));
        var commands =
                new CommandRunner(
                        engine,
                        longRunning,
                        options,
                        new DeviceScope.Configured(),
                        new KnownColumns());
        var kernel = new KernelView(DeviceMapper.system(), options.activation());
        var doubts = ConcurrentHashMap.<String>newKeySet();
        var mending = new Mending(commands, kernel, doubts, watchdog(options));
        return new MendingRunner(commands, mending, new GroupLocks(GroupLocks.PATIENCE));
    }

    private static Watchdog watchdog(LvmOptions options) {
        if (!options.activation()) {
            return Watchdog.NONE;
        }
        var jvm =
                new ChildJvm(
                        javaHome(),
                        options.aotCache(),
                        options.workerFolder(),
                        WatchdogMain.class,
                        List.of(CutChanges.lockFolder(options).toString()));
        return new WatchdogProcess(jvm, options.idleAfter());
    }

    private static Path javaHome() {
        return Path.of(System.getProperty("java.home"));
    }

    /** The worker if it works, otherwise exec, with the reason. */
    private static Engine choose(LvmOptions options, Map<String, String> environment)
            throws LvmException, InterruptedException {
        if (options.engine() == LvmOptions.Engine.EXEC) {
            var words = String.join(" ", options.execCommand());
            return exec(options, environment, "asked for, by the words \"" + words + '"').tested();
        }
        var launch = launch(options, environment);
        var fallback = exec(options, environment, "in place of a worker");
        try {
            return WorkerEngine.start(launch, fallback, options.workers(), options.idleAfter());
        } catch (IOException e) {
            if (options.engine() == LvmOptions.Engine.WORKER) {
                throw new LvmException.Unavailable(e.getMessage(), e);
            }
            return exec(options, environment, e.getMessage()).tested();
        }
    }

    /** A configuration of our own has its say about asynchronous I/O in its lvm.conf. */
    static WorkerLaunch launch(LvmOptions options, Map<String, String> environment) {
        return new WorkerLaunch(
                javaHome(),
                options.hostPid(),
                environment,
                options.aotCache(),
                options.workerFolder(),
                options.systemDir().isEmpty() && !options.configuredIo());
    }

    private static ExecEngine exec(
            LvmOptions options, Map<String, String> environment, String reason) {
        return new ExecEngine(options.execCommand(), environment, reason);
    }

    private static Map<String, String> environment(LvmOptions options) throws LvmException {
        var environment = new HashMap<>(Map.of("LC_ALL", "C", "LVM_SUPPRESS_FD_WARNINGS", "1"));
        if (options.systemDir().isPresent()) {
            var folder = options.systemDir().get();
            try {
                LvmConf.write(folder, options.udev(), options.activation());
            } catch (IOException e) {
                throw new LvmException.Unavailable(
                        "cannot write lvm.conf in " + folder + ": " + e, e);
            }
            environment.put("LVM_SYSTEM_DIR", folder.toString());
        }
        return environment;
    }
}
