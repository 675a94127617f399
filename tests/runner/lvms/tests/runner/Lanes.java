package lvms.tests.runner;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;

/**
 * Runs test classes side by side, each in a JVM of its own, the longest first. They end when this
 * JVM does.
 */
final class Lanes {
    private final int count;
    private final Path folder;
    private final Report report;
    private final Set<OwnJvm> running = new HashSet<>();
    private boolean ended;

    /**
     * Opens lanes.
     *
     * @param count how many classes run at a time
     * @param folder for what each class prints while it runs
     */
    Lanes(int count, Path folder, Report report) {
        this.count = count;
        this.folder = folder;
        this.report = report;
        Runtime.getRuntime().addShutdownHook(new Thread(this::end));
    }

    /** Runs the classes and reports each as it ends. */
    void run(List<TestClass> classes) throws InterruptedException {
        var runs = longestFirst(classes).stream().map(c -> Executors.callable(() -> run(c)));
        try (var lanes = Executors.newFixedThreadPool(count)) {
            lanes.invokeAll(runs.toList());
        }
    }

    static List<TestClass> longestFirst(List<TestClass> classes) {
        var longest = Comparator.comparingInt(TestClass::seconds).reversed();
        return classes.stream().sorted(longest).toList();
    }

    private void run(TestClass testClass) {
        long start = System.nanoTime();
        var output = "";
        Outcome outcome;
        try {
            var jvm = start(testClass);
            outcome = jvm.await();
            remove(jvm);
            output = jvm.said();
        } catch (Exception e) { // whatever it is: each class has its line
            outcome = Outcome.failure(testClass, "could not be run: " + e);
        }
        report.whole(testClass, output, outcome, (System.nanoTime() - start) / 1e9);
    }

    private synchronized OwnJvm start(TestClass testClass) throws IOException {
        if (ended) {
            throw new IOException("the tests were ended before " + testClass.name());
        }
        var jvm = OwnJvm.start(testClass, folder);
        running.add(jvm);
        return jvm;
    }

    private synchronized void remove(OwnJvm jvm) {
        running.remove(jvm);
    }

    private synchronized Set<OwnJvm> last() {
        ended = true;
        return Set.copyOf(running);
    }

    /** Ends what runs, and waits until its machines are gone. */
    private void end() {
        var last = last();
        last.forEach(OwnJvm::end);
        last.forEach(OwnJvm::awaitEnd);
    }
}
