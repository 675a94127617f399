package lvms.lvm2.engine;

import lvms.lvm2.worker.WorkerMain;

import java.io.IOException;
import java.nio.file.Files;
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
     * Small in every way, since LVM locks all readable memory of its process before it suspends a
     * device; no core dumps, no files in /tmp, nothing printed to where LVM prints.
     */
    static final List<String> FLAGS =
            List.of(
                    "-Xms4m",
                    "-Xmn1m",
                    "-Xmx32m",
                    "-Xss512k",
                    "-XX:VMThreadStackSize=512",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:ReservedCodeCacheSize=16m",
                    "-XX:CompressedClassSpaceSize=16m",
                    "-XX:+UseCompactObjectHeaders",
                    "-XX:-CreateCoredumpOnCrash",
                    "-XX:-UsePerfData",
                    "-XX:+DisableAttachMechanism",
                    "-Xlog:disable");

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
        var command = new ArrayList<String>();
        command.add(javaHome.resolve("bin/java").toString());
        command.addAll(FLAGS);
        command.add("-XX:ErrorFile=" + folder.resolve("lvms-worker-crash-%p.log"));
        aotCache.filter(Files::isReadable)
                .ifPresent(
                        cache -> {
                            command.add("-XX:AOTCache=" + cache);
                            // JDK 25 keeps machine code in the cache without checking the CPU
                            command.add("-XX:+UnlockDiagnosticVMOptions");
                            command.add("-XX:-AOTAdapterCaching");
                            // at its own address its pages need no relocation, so no copies
                            command.add("-XX:ArchiveRelocationMode=0");
                        });
        command.addAll(mainClass());
        if (synchronous) {
            command.add(WorkerMain.SYNCHRONOUS);
        }
        hostPid.ifPresent(pid -> command.add(Long.toString(pid)));
        return command;
    }

    /** From a jlink image, a module path, or (in tests) the class path. */
    private static List<String> mainClass() {
        var module = WorkerMain.class.getModule();
        var words = new ArrayList<String>();
        words.add("--illegal-native-access=deny");
        if (!module.isNamed()) {
            words.add("--enable-native-access=ALL-UNNAMED");
            words.addAll(List.of("-cp", System.getProperty("java.class.path")));
            words.add(WorkerMain.class.getName());
            return words;
        }
        words.add("--enable-native-access=" + module.getName());
        var modulePath = System.getProperty("jdk.module.path");
        if (modulePath != null && !modulePath.isEmpty()) {
            words.addAll(List.of("--module-path", modulePath));
        }
        words.addAll(List.of("--module", module.getName() + '/' + WorkerMain.class.getName()));
        return words;
    }

    /** Starts the process; if it ends early, its error output says why. */
    Process start() throws IOException {
        var builder = new ProcessBuilder(command());
        var variables = builder.environment();
        variables.remove("JAVA_TOOL_OPTIONS"); // meant for the server
        variables.remove("JDK_JAVA_OPTIONS");
        variables.put("MALLOC_ARENA_MAX", "1");
        variables.put("MALLOC_TRIM_THRESHOLD_", KEEP_FREED_MEMORY);
        variables.putAll(environment);
        return builder.start();
    }
}
