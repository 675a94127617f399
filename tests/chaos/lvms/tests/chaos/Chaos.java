package lvms.tests.chaos;

import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.ClusterOptions;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Rounds of work, with harm beside it, each with a reckoning at its end. */
public final class Chaos {
    private static final Path FOLDER = Path.of("out/chaos/cluster");
    private static final int STEPS = 400;
    private static final int FAULTS = 8;
    private static final int STEPS_IN_A_ROW = 10;
    private static final long PAUSE_MILLIS = 100;
    private static final int LONGEST_CALM_SECONDS = 8;

    /** How long most harm takes; none begins when less than that is left. */
    private static final Duration HARM = Duration.ofSeconds(30);

    private final ChaosOptions options;
    private final Totals totals;
    private final Random work;
    private final Random harm;
    private final World world;
    private final long begin;
    private volatile boolean working;

    private Chaos(ChaosOptions options, Totals totals, World world, Random work, long begin) {
        this.options = options;
        this.totals = totals;
        this.world = world;
        this.work = work;
        this.harm = new Random(work.nextLong());
        this.begin = begin;
    }

    /** Runs it; ends with 1 if anything was lost, left or not explained, and with 2 on misuse. */
    public static void main(String[] words) {
        System.exit(run(words));
    }

    private static int run(String[] words) {
        try {
            var options = ChaosOptions.of(words);
            var totals = options.resume() ? Totals.load() : Totals.begin(seed(options));
            return run(options, totals);
        } catch (IllegalArgumentException | IOException e) {
            System.err.println("chaos: " + e.getMessage());
            return 2;
        } catch (Exception | AssertionError e) {
            e.printStackTrace();
            return 1;
        }
    }

    private static long seed(ChaosOptions options) {
        return options.seed().orElseGet(() -> System.nanoTime() & 0xffffff);
    }

    private static int run(ChaosOptions options, Totals totals) throws Exception {
        long begin = System.nanoTime();
        System.out.println("seed " + totals.seed() + ", run " + (totals.runs() + 1));
        try (var cluster = Cluster.start(ClusterOptions.twoNodes(FOLDER))) {
            var product = Product.on(cluster);
            product.install();
            SmallClass.add(product);
            return run(options, totals, product, begin);
        }
    }

    private static int run(ChaosOptions options, Totals totals, Product product, long begin)
            throws Exception {
        // Each run goes on with luck of its own, which the seed and the number of runs decide.
        var random = new Random(totals.seed() + totals.runs());
        var world = new World(product, Sandbox.open(product, "chaos"), random, totals.operations());
        totals.ran();
        try (var _ = KeptScheduler.start(product.cluster().controlPlane())) {
            var problems = new Chaos(options, totals, world, random, begin).rounds();
            problems.forEach(problem -> System.out.println("WRONG " + problem));
            System.out.println(problems.size() + " problems");
            return problems.isEmpty() ? 0 : 1;
        } finally {
            totals.save();
            System.out.println(totals);
        }
    }

    private List<String> rounds() throws Exception {
        var reckoning = new Reckoning(world, this::tell);
        List<String> problems = List.of();
        while (problems.isEmpty() && left(Duration.ZERO)) {
            round();
            tell("reckoning");
            problems = reckoning.hold();
            totals.reckoned();
            totals.save();
            tell(totals.toString());
        }
        if (problems.isEmpty()) {
            reckoning.end();
            tell("nothing is left");
        }
        return problems;
    }

    /** Returns whether so much time, and any operation, is left. */
    private boolean left(Duration time) {
        var end = options.time().minus(time);
        return System.nanoTime() - begin < end.toNanos()
                && totals.operations() < options.operations();
    }

    private void round() throws Exception {
        working = true;
        var beside = new Background();
        beside.start(this::harm);
        int done = 0;
        while (done < STEPS && left(Duration.ZERO)) {
            var step = Work.draw(work);
            if (step.take(world)) {
                totals.worked(step);
                done++;
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                if (done % STEPS_IN_A_ROW == 0) {
                    world.awaitProgress();
                }
            }
        }
        working = false; // the harm that has begun is awaited
        beside.await();
    }

    private void harm() throws Exception {
        for (int i = 0; i < FAULTS && working && left(HARM); i++) {
            TimeUnit.SECONDS.sleep(harm.nextInt(LONGEST_CALM_SECONDS));
            var what = Harm.draw(harm);
            long struck = System.nanoTime();
            what.strike(world, new Random(harm.nextLong()));
            totals.harmed(what);
            tell("%s %.1f s".formatted(what, (System.nanoTime() - struck) / 1e9));
        }
    }

    private void tell(String what) {
        System.out.printf("%4d s %s%n", (System.nanoTime() - begin) / 1_000_000_000, what);
    }
}
