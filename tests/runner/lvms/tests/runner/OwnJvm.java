package lvms.tests.runner;

import com.google.gson.Gson;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * A JVM for one test class, like this one. It ends when this one does, whatever way that ends.
 *
 * @param process the JVM, with a pipe to its input that stays open
 * @param output what it prints
 * @param outcome what it says at its end, as JSON
 */
record OwnJvm(TestClass testClass, Process process, Path output, Path outcome) {
    private static final Duration END = Duration.ofSeconds(30);

    /** Starts it; its files are in the folder. */
    static OwnJvm start(TestClass testClass, Path folder) throws IOException {
        var output = folder.resolve(testClass.name() + ".log");
        var outcome = folder.resolve(testClass.name() + ".json");
        Files.deleteIfExists(outcome);
        var process =
                new ProcessBuilder(command(testClass, outcome))
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        return new OwnJvm(testClass, process, output, outcome);
    }

    private static List<String> command(TestClass testClass, Path outcome) {
        var words = new ArrayList<String>();
        words.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
        words.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        words.addAll(List.of("-cp", System.getProperty("java.class.path")));
        words.add(OwnJvm.class.getName());
        words.addAll(List.of(testClass.layer(), testClass.name(), outcome.toString()));
        return words;
    }

    /** What runs in that JVM. Arguments: layer, class, and the file for the outcome. */
    public static void main(String[] args) throws IOException {
        Thread.ofPlatform().daemon().start(OwnJvm::endWithItsOwner);
        var outcome = new ThisJvm().run(new TestClass(args[0], args[1]));
        Files.writeString(Path.of(args[2]), new Gson().toJson(outcome));
        System.exit(0);
    }

    /** The end of the pipe is the end of the other JVM. What runs at exit ends the machines. */
    private static void endWithItsOwner() {
        try {
            while (System.in.read() >= 0) {}
        } catch (IOException e) {
            System.err.println("the pipe of the test runner broke: " + e.getMessage());
        }
        System.exit(1);
    }

    /** Waits for its end. One that does not tell what came of its tests has failed. */
    Outcome await() throws IOException {
        int status = process.onExit().join().exitValue();
        if (status == 0 && Files.exists(outcome)) {
            return new Gson().fromJson(Files.readString(outcome), Outcome.class);
        }
        return Outcome.failure(
                testClass,
                "ended with status " + status + " before its sums. It printed:\n" + said().strip());
    }

    /** Returns what it has printed. */
    String said() throws IOException {
        return new String(Files.readAllBytes(output), StandardCharsets.UTF_8); // be it broken
    }

    /** Asks it to end in order: its machines are taken down. */
    void end() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            process.destroy();
        }
    }

    /** Waits until it is gone; one that takes too long is killed. */
    void awaitEnd() {
        try {
            process.onExit().orTimeout(END.toSeconds(), TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            process.destroyForcibly();
        }
    }
}
