package lvms.lvm2.engine;

import lvms.lvm2.worker.WorkerMain;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How a worker is started: the JVM of this process, small and quick to start.
 *
 * @param javaHome home of the runtime
 * @param hostPid process whose namespaces LVM works in
 * @param environment variables to set
 * @param aotCache AOT cache; not used if it is missing
 * @param folder where a crash file may be left
 * @param synchronous whether LVM reads and writes synchronously, whatever the machine's lvm.conf
 *     says
 */
public record WorkerLaunch(
        Path javaHome,
        OptionalLong hostPid,
        Map<String, String> environment,
        Optional<Path> aotCache,
        Path folder,
        boolean synchronous) {
    /**
     * No worker has as much, so none gives its heap's end back. After a change with a selection,
     * the library (seen up to 2.03.31) formats the UUID of a group that it has freed at the end of
     * each later command of the process, whether or not anybody reads the command log. That does no
     * harm as long as the memory is there; else it dies of a SIGSEGV.
     */
    private static final String KEEP_FREED_MEMORY = Integer.toString(1 << 30);

    public WorkerLaunch {
        environment = Map.copyOf(environment);
    }

    /** Workers whose I/O is as LVM's configuration says. */
    public WorkerLaunch(
            Path javaHome,
            OptionalLong hostPid,
            Map<String, String> environment,
            Optional<Path> aotCache,
            Path folder) {
        this(javaHome, hostPid, environment, aotCache, folder, false);
    }

    /** Returns the command that starts a worker. */
    List<String> command() {
        return jvm().command();
    }

    private ChildJvm jvm() {
        var arguments = new ArrayList<String>();
        if (synchronous) {
            arguments.add(WorkerMain.SYNCHRONOUS);
        }
        hostPid.ifPresent(pid -> arguments.add(Long.toString(pid)));
        return new ChildJvm(javaHome, aotCache, folder, WorkerMain.class, arguments);
    }

    /** Starts the process; if it ends early, its error output says why. */
    Process start() throws IOException {
        var builder = jvm().builder();
        builder.environment().put("MALLOC_TRIM_THRESHOLD_", KEEP_FREED_MEMORY);
        builder.environment().putAll(environment);
        return builder.start();
    }
}
