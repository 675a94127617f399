package lvms.lvm2.engine;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A child process that is the JVM of this process, small and quick to start, with a main class of
 * this module.
 *
 * @param javaHome home of the runtime
 * @param aotCache AOT cache; not used if it is missing
 * @param folder where a crash file may be left
 * @param main the class
 * @param arguments its arguments
 */
public record ChildJvm(
        Path javaHome,
        Optional<Path> aotCache,
        Path folder,
        Class<?> main,
        List<String> arguments) {
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

    public ChildJvm {
        arguments = List.copyOf(arguments);
    }

    /** Returns the command that starts it. */
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
        command.addAll(arguments);
        return command;
    }

    /** From a jlink image, a module path, or (in tests) the class path. */
    private List<String> mainClass() {
        var module = main.getModule();
        var words = new ArrayList<String>();
        words.add("--illegal-native-access=deny");
        if (!module.isNamed()) {
            words.add("--enable-native-access=ALL-UNNAMED");
            words.addAll(List.of("-cp", System.getProperty("java.class.path")));
            words.add(main.getName());
            return words;
        }
        words.add("--enable-native-access=" + module.getName());
        var modulePath = System.getProperty("jdk.module.path");
        if (modulePath != null && !modulePath.isEmpty()) {
            words.addAll(List.of("--module-path", modulePath));
        }
        words.addAll(List.of("--module", module.getName() + '/' + main.getName()));
        return words;
    }

    /** Returns what starts it. */
    public ProcessBuilder builder() {
        var builder = new ProcessBuilder(command());
        var variables = builder.environment();
        variables.remove("JAVA_TOOL_OPTIONS"); // meant for the server
        variables.remove("JDK_JAVA_OPTIONS");
        variables.put("MALLOC_ARENA_MAX", "1");
        return builder;
    }
}
