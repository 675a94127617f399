package lvms.tests.lab.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.tests.runner.Runner;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A JVM on a node of the lab, with the classes of this one. A program of a node starts others the
 * same way.
 *
 * @param prefix words before {@code java}, such as {@code unshare --net}
 * @param options of the JVM, besides those that all have
 */
public record LabJvm(List<String> prefix, List<String> options) {
    /** A short life: compiling much would cost more than it brings. */
    static final List<String> COMMON =
            List.of(
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:-UsePerfData",
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow"); // Netty and protobuf use it

    public LabJvm {
        prefix = List.copyOf(prefix);
        options = List.copyOf(options);
    }

    /** A JVM with a heap of at most so many MiB. */
    public static LabJvm heap(int mib) {
        return new LabJvm(List.of(), List.of("-Xmx" + mib + "m"));
    }

    /** The same with a system property. */
    public LabJvm property(String name, Object value) {
        return new LabJvm(prefix, joined(options, "-D" + name + "=" + value));
    }

    /** The same started by another program, such as {@code unshare --net}. */
    public LabJvm by(String... words) {
        return new LabJvm(joined(prefix, words), options);
    }

    private static List<String> joined(List<String> words, String... more) {
        return Stream.concat(words.stream(), Stream.of(more)).toList();
    }

    /** Returns the words that start a class. */
    public List<String> command(Class<?> main, String... arguments) {
        return command(main.getName(), arguments);
    }

    /** Returns the words that start the class of this name. */
    public List<String> command(String main, String... arguments) {
        var words = new ArrayList<>(prefix);
        words.add(java());
        words.addAll(options);
        words.addAll(COMMON);
        var archive = GuestArchive.find();
        archive.map(GuestArchive::options).ifPresent(words::addAll);
        words.addAll(
                List.of(
                        "-cp",
                        archive.map(GuestArchive::classPath).orElseGet(LabJvm::classPath),
                        main));
        words.addAll(List.of(arguments));
        return words;
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin/java").toString();
    }

    /** The node sees this machine's files, but not from this folder. */
    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /**
     * Runs a class on a node to its end and prints what it says. A status other than 0 is a failed
     * assertion with both its outputs.
     */
    public void run(Node node, Duration deadline, Class<?> main, String... arguments)
            throws IOException {
        var result = node.run(command(main, arguments), deadline);
        System.out.print(result.out());
        assertEquals(0, result.status(), result.out() + result.err());
    }

    /** Runs test classes on a node; each has to pass. */
    public void test(Node node, Duration deadline, String... classes) throws IOException {
        var list = Stream.of(classes).map("guest "::concat).toList();
        Files.write(node.share().resolve("classes"), list);
        property("lvms.full", Boolean.getBoolean("lvms.full"))
                .run(node, deadline, Runner.class, Node.SHARE + "/classes");
    }
}
