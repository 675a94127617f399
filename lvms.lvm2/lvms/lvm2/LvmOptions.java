package lvms.lvm2;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * How this process reaches LVM. Start from {@link #defaults} and change what differs.
 *
 * @param engine which engine to use
 * @param execCommand words that run the {@code lvm} program, such as {@code [lvm]} or {@code
 *     [nsenter, -m, -u, -i, -t, 1, --, /sbin/lvm]}
 * @param hostPid a process whose mount, IPC and UTS namespaces the worker enters; empty: none
 * @param systemDir a folder that receives our own configuration and becomes {@code LVM_SYSTEM_DIR};
 *     empty: LVM finds its own configuration
 * @param udev whether udevd runs where LVM works, so that LVM has to wait for udev cookies; matters
 *     only with our own system folder
 * @param activation whether there is a device-mapper; if false, only metadata is managed
 * @param workers maximum number of workers for reports, which overlap; changes share one worker
 * @param idleAfter how long a worker without commands is kept
 * @param lockWait how long a command waits for LVM's locks before {@link LvmException.LockBusy}
 * @param deadlines how long each kind of command may run before it is killed
 * @param aotCache AOT cache for the worker's JVM
 * @param workerFolder where the worker's JVM may leave a crash file
 * @param configuredIo whether {@code use_aio} of LVM's own configuration counts for workers too
 */
public record LvmOptions(
        Engine engine,
        List<String> execCommand,
        OptionalLong hostPid,
        Optional<Path> systemDir,
        boolean udev,
        boolean activation,
        int workers,
        Duration idleAfter,
        Duration lockWait,
        Deadlines deadlines,
        Optional<Path> aotCache,
        Path workerFolder,
        boolean configuredIo) {
    /** Which engine to use. */
    public enum Engine {
        /** The worker if its self-test succeeds, otherwise exec. */
        AUTO,
        /** The worker, or {@link LvmException.Unavailable}. */
        WORKER,
        /** Only exec. */
        EXEC
    }

    public LvmOptions {
        execCommand = List.copyOf(execCommand);
        if (execCommand.isEmpty() || workers < 1) {
            throw new IllegalArgumentException("no exec command, or no workers");
        }
    }

    /** LVM as the machine has configured it, in this process's namespaces. */
    public static LvmOptions defaults() {
        return new LvmOptions(
                Engine.AUTO,
                List.of("lvm"),
                OptionalLong.empty(),
                Optional.empty(),
                false,
                true,
                3,
                Duration.ofSeconds(60),
                Duration.ofSeconds(30),
                Deadlines.DEFAULT,
                Optional.empty(),
                Path.of(System.getProperty("java.io.tmpdir")),
                false);
    }

    /** The LVM of the host that runs {@code pid}, entered by worker and exec engine alike. */
    public LvmOptions withHost(long pid) {
        var nsenter = List.of("nsenter", "-m", "-u", "-i", "-t", Long.toString(pid), "--", "lvm");
        return with(
                changed -> {
                    changed.execCommand = nsenter;
                    changed.hostPid = OptionalLong.of(pid);
                    changed.systemDir = Optional.empty();
                });
    }

    /** Our own configuration in {@code folder}, for a machine without an LVM of its own. */
    public LvmOptions withSystemDir(Path folder, boolean udevRuns, boolean deviceMapper) {
        return with(
                changed -> {
                    changed.systemDir = Optional.of(folder.toAbsolutePath());
                    changed.udev = udevRuns;
                    changed.activation = deviceMapper;
                });
    }

    /** Another engine. */
    public LvmOptions withEngine(Engine wanted) {
        return with(changed -> changed.engine = wanted);
    }

    /**
     * Other words that run the {@code lvm} program, such as a prefix in front of it. A worker
     * cannot honour them, so commands are run by exec.
     */
    public LvmOptions withExecCommand(List<String> words) {
        return with(
                changed -> {
                    changed.execCommand = words;
                    changed.engine = Engine.EXEC;
                });
    }

    /** Other times: how long an idle worker is kept, and how long a command waits for a lock. */
    public LvmOptions withTimes(Duration idle, Duration lock) {
        return with(
                changed -> {
                    changed.idleAfter = idle;
                    changed.lockWait = lock;
                });
    }

    public LvmOptions withDeadlines(Deadlines other) {
        return with(changed -> changed.deadlines = other);
    }

    /** Files of the worker's JVM: its AOT cache, and the folder for a crash file. */
    public LvmOptions withWorkerFiles(Optional<Path> cache, Path folder) {
        return with(
                changed -> {
                    changed.aotCache = cache;
                    changed.workerFolder = folder;
                });
    }

    /**
     * Workers whose I/O is as LVM's own configuration says ({@code use_aio}). Otherwise it is
     * synchronous unless lvmlocal.conf says something else, which saves 30 to 40 ms for each
     * command but reads devices one after the other: with dozens of slow disks that may take
     * longer.
     */
    public LvmOptions withConfiguredIo() {
        return with(changed -> changed.configuredIo = true);
    }

    private LvmOptions with(Consumer<Copy> change) {
        var copy = new Copy(this);
        change.accept(copy);
        return copy.options();
    }

    /** The components of a new record, copied from another one. */
    private static final class Copy {
        private final int workers;
        private Engine engine;
        private List<String> execCommand;
        private OptionalLong hostPid;
        private Optional<Path> systemDir;
        private boolean udev;
        private boolean activation;
        private Duration idleAfter;
        private Duration lockWait;
        private Deadlines deadlines;
        private Optional<Path> aotCache;
        private Path workerFolder;
        private boolean configuredIo;

        Copy(LvmOptions from) {
            workers = from.workers;
            engine = from.engine;
            execCommand = from.execCommand;
            hostPid = from.hostPid;
            systemDir = from.systemDir;
            udev = from.udev;
            activation = from.activation;
            idleAfter = from.idleAfter;
            lockWait = from.lockWait;
            deadlines = from.deadlines;
            aotCache = from.aotCache;
            workerFolder = from.workerFolder;
            configuredIo = from.configuredIo;
        }

        LvmOptions options() {
            return new LvmOptions(
                    engine,
                    execCommand,
                    hostPid,
                    systemDir,
                    udev,
                    activation,
                    workers,
                    idleAfter,
                    lockWait,
                    deadlines,
                    aotCache,
                    workerFolder,
                    configuredIo);
        }
    }
}
