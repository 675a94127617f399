package lvms.tests.runner;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.function.ToIntFunction;

/** Runs test classes side by side in other JVMs. They end when this JVM does. */
final class Lanes {
    /**
     * Runs classes one after the other.
     *
     * @param name of its JVM's files, if that runs all classes; empty: each class has its own JVM
     * @param number its number, from 1, by which folders of lanes side by side are told apart
     * @param classes what is left to run; lanes may share it
     */
    record Lane(Optional<String> name, int number, Queue<TestClass> classes) {}

    private final Path folder;
    private final Map<String, String> settings;
    private final Report report;
    private final TimeLimit limit;
    private final Set<OwnJvm> running = new HashSet<>();
    private boolean ended;

    /**
     * Nothing runs yet.
     *
     * @param folder for what each JVM prints while it runs
     * @param settings system properties of the JVMs
     */
    Lanes(Path folder, Map<String, String> settings, Report report, TimeLimit limit) {
        this.folder = folder;
        this.settings = Map.copyOf(settings);
        this.report = report;
        this.limit = limit;
        Runtime.getRuntime().addShutdownHook(new Thread(this::end));
    }

    /** A lane for each list, in its order; lists of one layer have numbers. */
    static List<Lane> each(List<List<TestClass>> lists) {
        var lanes = new ArrayList<Lane>();
        var numbers = new HashMap<String, Integer>();
        for (var list : lists) {
            if (!list.isEmpty()) {
                var layer = list.getFirst().layer();
                int number = numbers.merge(layer, 1, Integer::sum);
                var name = number == 1 ? layer : layer + "-" + number;
                var classes = new ConcurrentLinkedQueue<>(list);
                lanes.add(new Lane(Optional.of(name), number, classes));
            }
        }
        return lanes;
    }

    /** Lanes that share the classes, in their order; each class has a JVM of its own. */
    static List<Lane> ownJvms(int count, List<TestClass> classes) {
        var queue = new ConcurrentLinkedQueue<>(classes);
        var lanes = new ArrayList<Lane>();
        for (int number = 1; number <= Math.min(count, classes.size()); number++) {
            lanes.add(new Lane(Optional.empty(), number, queue));
        }
        return lanes;
    }

    /**
     * The same with one JVM for each lane, so that its classes share what is costly to start.
     *
     * @param name how the names of the JVMs begin
     */
    static List<Lane> shared(String name, int count, List<TestClass> classes) {
        return ownJvms(count, classes).stream()
                .map(
                        lane ->
                                new Lane(
                                        Optional.of(name + "-" + lane.number()),
                                        lane.number(),
                                        lane.classes()))
                .toList();
    }

    /** A long class that begins last would run alone. */
    static List<TestClass> longestFirst(List<TestClass> classes, ToIntFunction<TestClass> seconds) {
        var longest = Comparator.comparingInt(seconds).reversed();
        return classes.stream().sorted(longest).toList();
    }

    /** Runs the classes of the lanes and reports each as it ends. */
    void run(List<Lane> lanes) throws InterruptedException {
        if (lanes.isEmpty()) {
            return;
        }
        try (var threads = Executors.newFixedThreadPool(lanes.size())) {
            threads.invokeAll(
                    lanes.stream().map(lane -> Executors.callable(() -> run(lane))).toList());
        }
    }

    private void run(Lane lane) {
        Optional<OwnJvm> jvm = Optional.empty();
        for (var next = lane.classes().poll(); next != null; next = lane.classes().poll()) {
            if (limit.over()) {
                report.whole(next, "", limit.late(next), 0);
                continue;
            }
            jvm = jvm.filter(OwnJvm::runs);
            jvm = run(lane, next, jvm);
            if (lane.name().isEmpty()) {
                jvm.ifPresent(this::end);
                jvm = Optional.empty();
            }
        }
        jvm.ifPresent(this::end);
    }

    /** Returns the JVM that ran it, for the next. */
    private Optional<OwnJvm> run(Lane lane, TestClass testClass, Optional<OwnJvm> present) {
        long start = System.nanoTime();
        var jvm = present;
        var output = "";
        Outcome outcome;
        try {
            if (jvm.isEmpty()) {
                jvm = Optional.of(start(lane, testClass));
            }
            outcome = jvm.get().run(testClass);
            output = jvm.get().tell();
        } catch (Exception e) { // whatever it is: each class has its line
            outcome = Outcome.failure(testClass, "could not be run: " + e);
        }
        report.whole(testClass, output, outcome, (System.nanoTime() - start) / 1e9);
        return jvm;
    }

    private synchronized OwnJvm start(Lane lane, TestClass testClass) throws IOException {
        if (ended) {
            throw new IOException("the tests were ended before " + testClass.name());
        }
        var own = new HashMap<>(settings);
        own.put("lvms.lane", "" + lane.number());
        var jvm = OwnJvm.start(lane.name().orElse(testClass.name()), folder, own);
        running.add(jvm);
        return jvm;
    }

    /** Ends one that has run its classes, and waits until its machines are gone. */
    private void end(OwnJvm jvm) {
        jvm.end();
        jvm.awaitEnd();
        synchronized (this) {
            running.remove(jvm);
        }
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
