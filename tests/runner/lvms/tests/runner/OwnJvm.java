package lvms.tests.runner;

import com.google.gson.Gson;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A JVM for test classes, like this one. It ends when this one does, whatever way that ends. One
 * thread uses it; any may end it.
 */
final class OwnJvm {
    private static final Duration END = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofMillis(20);

    private final Process process;
    private final Path output;
    private final Path outcome;
    private int told;

    private OwnJvm(Process process, Path output, Path outcome) {
        this.process = process;
        this.output = output;
        this.outcome = outcome;
    }

    /**
     * Starts it.
     *
     * @param name of its files in the folder: what it prints, and each class's outcome as JSON
     * @param settings further system properties
     */
    static OwnJvm start(String name, Path folder, Map<String, String> settings) throws IOException {
        var output = folder.resolve(name + ".log");
        var outcome = folder.resolve(name + ".json");
        var process =
                new ProcessBuilder(command(outcome, settings))
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        return new OwnJvm(process, output, outcome);
    }

    private static List<String> command(Path outcome, Map<String, String> settings) {
        var words = new ArrayList<String>();
        words.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
        words.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        settings.forEach((name, value) -> words.add("-D" + name + "=" + value));
        words.addAll(List.of("-cp", System.getProperty("java.class.path")));
        words.addAll(List.of(OwnJvm.class.getName(), outcome.toString()));
        return words;
    }

    /** What runs in that JVM. Argument: the file for the outcome. */
    public static void main(String[] args) throws Exception {
        var requests = new LinkedBlockingQueue<String>();
        Thread.ofPlatform().daemon().start(() -> listen(requests));
        var outcome = Path.of(args[0]);
        var part = Path.of(args[0] + ".part");
        var tests = new ThisJvm();
        while (true) {
            var result = tests.run(TestClass.of(requests.take()));
            Files.writeString(part, new Gson().toJson(result));
            Files.move(part, outcome, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** The end of the pipe is the end of the other JVM. What runs at exit ends the machines. */
    private static void listen(BlockingQueue<String> requests) {
        try {
            for (var line = readLine(); !line.isEmpty(); line = readLine()) {
                requests.add(line);
            }
        } catch (IOException e) {
            System.err.println("the pipe of the test runner broke: " + e.getMessage());
        }
        System.exit(1);
    }

    private static String readLine() throws IOException {
        var line = new StringBuilder();
        for (int c = System.in.read(); c >= 0 && c != '\n'; c = System.in.read()) {
            line.append((char) c);
        }
        return line.toString();
    }

    /** Asks it to run a class. */
    void begin(TestClass testClass) throws IOException {
        Files.deleteIfExists(outcome);
        var pipe = process.getOutputStream();
        pipe.write((testClass.line() + "\n").getBytes(StandardCharsets.UTF_8));
        pipe.flush();
    }

    /** Runs a class. A JVM that does not tell what came of its tests has failed. */
    Outcome run(TestClass testClass) throws IOException, InterruptedException {
        begin(testClass);
        var end = process.onExit();
        while (true) {
            boolean over = end.isDone(); // first, since it may tell and end between two looks
            var result = outcome();
            if (result.isPresent()) {
                return result.get();
            }
            if (over) {
                return died(testClass);
            }
            Thread.sleep(LOOK);
        }
    }

    private Optional<Outcome> outcome() throws IOException {
        return Files.exists(outcome)
                ? Optional.of(new Gson().fromJson(Files.readString(outcome), Outcome.class))
                : Optional.empty();
    }

    private Outcome died(TestClass testClass) throws IOException {
        var text = "ended with status %d before its sums. It printed:\n%s";
        return Outcome.failure(testClass, text.formatted(process.exitValue(), said().strip()));
    }

    /** Returns what it has printed since {@link #tell}. */
    String said() throws IOException {
        var all = Files.readAllBytes(output);
        return new String(all, told, all.length - told, StandardCharsets.UTF_8); // be it broken
    }

    /** Returns the same, without reporting it again. */
    String tell() throws IOException {
        var said = said();
        told = (int) Files.size(output);
        return said;
    }

    boolean runs() {
        return process.isAlive();
    }

    /** Asks it to end in order: its machines are taken down. */
    void end() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            process.destroy();
        }
    }

    /** Waits until it is gone; one that takes too long is killed. Returns its status. */
    int awaitEnd() {
        try {
            process.onExit().orTimeout(END.toSeconds(), TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            process.destroyForcibly();
        }
        return process.onExit().join().exitValue();
    }
}
