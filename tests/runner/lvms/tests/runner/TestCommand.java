package lvms.tests.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The test command: {@code plan} prints what has to be made before the tests run, a line each, with
 * {@code tests FOLDER} for what has to be compiled, and {@code run} runs them; both take the same
 * options and parts of class names.
 *
 * <p>It reports as a person would want to read it: one line for each class, the failures in full,
 * each skip with its reason, the slowest classes, the time of each part, and the sums last.
 *
 * <p>System properties of build.sh: {@code lvms.reports}, a folder with the file {@code obstacles},
 * where logs go; {@code lvms.prepared}, what was prepared in how many seconds, such as {@code image
 * 40}, with commas between; {@code lvms.newest}, the newest version of Kubernetes that is pinned,
 * and {@code lvms.newest.built}, whether the cache has its API server.
 */
public final class TestCommand {
    private static final Path REPORTS = Path.of(System.getProperty("lvms.reports", "."));

    /** A cluster that {@code cluster up} started is for one suite at a time. */
    private static final Path SHARED_CLUSTER = Path.of("out/cluster/control");

    /** How integration tests begin that use no devices of this machine, and no folders of it. */
    private static final List<String> WITHOUT_DEVICES =
            List.of(
                    "lvms.deploy.",
                    "lvms.k8s.",
                    "lvms.launcher.",
                    "lvms.olm.",
                    "lvms.operator.",
                    "lvms.tests.");

    /** Lanes of such tests, each with an API server of 0.5 GiB; they wait most of the time. */
    private static final int SERVERS = 3;

    /** Lanes of the lab beside as many clusters, which have 5 GiB each. */
    private static final int BESIDE = 2;

    private final Options options;
    private final Obstacles obstacles;
    private final TimeLimit limit;
    private final Report report = new Report(System.out);

    private TestCommand(Options options, Obstacles obstacles) {
        this.options = options;
        this.obstacles = obstacles;
        limit = TimeLimit.ofMinutes(options.minutes());
    }

    /** Exits with 1 if a test failed, and with 2 and a line if it cannot do what is asked. */
    public static void main(String[] args) throws IOException, InterruptedException {
        try {
            var words = Arrays.asList(args).subList(1, args.length);
            var options = Options.parse(words, ServerChoice.Newest.found());
            var selection = Selection.of(Path.of("tests"), options);
            if (args[0].equals("plan")) {
                selection.trees().forEach(tree -> System.out.println("tests " + tree));
                selection.needs(options).forEach(System.out::println);
                return;
            }
            var obstacles = Obstacles.read(REPORTS.resolve("obstacles"));
            System.exit(new TestCommand(options, obstacles).run(selection) ? 0 : 1);
        } catch (UsageException e) {
            System.err.println("build.sh: test: " + e.getMessage());
            System.exit(2);
        }
    }

    private boolean run(Selection selection) throws IOException, InterruptedException {
        settings().forEach(System::setProperty);
        notePreparation();
        if (selection.has("integration")) {
            System.out.println(options.server().sentence());
        }
        if (selection.classes().isEmpty()) { // a layer with fewer classes than there are shares
            System.out.println("no class of " + options.layers() + " is in this part");
            System.out.println(Outcome.NONE.sums());
            return true;
        }
        var possible = possible(selection.classes());
        if (options.alone() || possible.size() < 2) {
            runAlone(possible);
        } else {
            runSideBySide(possible);
        }
        return report.summarize();
    }

    /** What the tests' JVMs are told by system properties. */
    private Map<String, String> settings() {
        var settings = new LinkedHashMap<>(obstacles.properties());
        settings.put("lvms.full", "" + options.full());
        settings.put("lvms.focus", options.focus());
        settings.put("lvms.lvm", options.lvm());
        settings.put("lvms.apiserver", options.server().version());
        settings.put("lvms.apiserver.all", "" + options.server().all());
        settings.put("lvms.tag", options.marked() ? "version" : "");
        return settings;
    }

    private void notePreparation() {
        for (var part : System.getProperty("lvms.prepared", "").split(",")) {
            var words = part.strip().split(" ");
            if (words.length == 2) {
                report.part("prepare " + words[0], Double.parseDouble(words[1]));
            }
        }
    }

    private List<TestClass> possible(List<TestClass> classes) {
        if (options.requireAll()) {
            obstacles.reasons().forEach(report::require);
        }
        var possible = new ArrayList<TestClass>();
        for (var testClass : classes) {
            var obstacle = obstacles.of(testClass);
            var left = options.full() ? Optional.<String>empty() : testClass.fullOnly();
            if (left.isPresent()) {
                report.leave(testClass, left.get());
            } else if (obstacle.isEmpty()) {
                possible.add(testClass);
            } else if (!options.requireAll()) {
                report.skipClass(testClass, obstacle.get());
            }
        }
        return possible;
    }

    private void runAlone(List<TestClass> classes) throws IOException {
        try (var _ = BusyLoops.start(options.load())) {
            var runner = new Runner(report, limit);
            for (var layer : options.layers()) {
                timed(layer, () -> runner.run(of(layer, classes), options.repeat()));
            }
        }
    }

    private interface Part {
        void run() throws InterruptedException;
    }

    /**
     * Images are measured, so nothing runs beside them. Nodes of the lab and real clusters wait
     * most of their time, so two of each share the machine where both were asked for.
     */
    private void runSideBySide(List<TestClass> classes) throws IOException, InterruptedException {
        Files.createDirectories(REPORTS);
        var lanes = new Lanes(REPORTS, settings(), report, limit);
        run("unit and integration", lanes, folded(classes));
        run("image", lanes, Lanes.each(List.of(of("image", classes))));
        var lab = Lanes.longestFirst(of("lab", classes), options::seconds);
        var suites = Lanes.longestFirst(of("conformance", classes), options::seconds);
        if (lab.isEmpty() || suites.isEmpty()) {
            run("lab", lanes, Lanes.ownJvms(options.labLanes(), lab));
            int clusters = Files.exists(SHARED_CLUSTER) ? 1 : options.lanes();
            run("conformance", lanes, Lanes.shared("conformance", clusters, suites));
        } else {
            var both = new ArrayList<>(Lanes.ownJvms(BESIDE, lab));
            both.addAll(Lanes.shared("conformance", BESIDE, suites));
            run("lab and conformance", lanes, both);
        }
        run("e2e", lanes, Lanes.each(List.of(of("e2e", classes))));
    }

    private void run(String name, Lanes lanes, List<Lanes.Lane> part) {
        if (!part.isEmpty()) {
            report.title(name);
            timed(name, () -> lanes.run(part));
        }
    }

    /**
     * Integration tests share this machine's loop devices and folders, and a real API server has
     * one test at a time. Those of operator, client, commands and manifests have no devices and
     * wait most of the time: they have lanes of their own, each with its server.
     */
    private List<Lanes.Lane> folded(List<TestClass> classes) {
        var integration = of("integration", classes);
        var free =
                integration.stream()
                        .filter(c -> WITHOUT_DEVICES.stream().anyMatch(c.name()::startsWith))
                        .toList();
        var devices = integration.stream().filter(c -> !free.contains(c)).toList();
        var lanes = new ArrayList<>(Lanes.each(List.of(of("unit", classes), devices)));
        lanes.addAll(
                Lanes.shared(
                        "integration-server", SERVERS, Lanes.longestFirst(free, options::seconds)));
        return lanes;
    }

    private void timed(String name, Part part) {
        long start = System.nanoTime();
        try {
            part.run();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts the test command", e);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        if (seconds >= 0.5) {
            report.part(name, seconds);
        }
    }

    private static List<TestClass> of(String layer, List<TestClass> classes) {
        return classes.stream().filter(c -> c.layer().equals(layer)).toList();
    }
}
