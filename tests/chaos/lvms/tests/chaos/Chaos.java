package lvms.tests.chaos;

import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.ClusterOptions;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Rounds of work and harm, each with a reckoning at its end. */
public final class Chaos {
    private static final Path FOLDER = Path.of("out/chaos/cluster");
    private static final int STEPS_IN_ROUND = 60;
    private static final int STEPS_BETWEEN_FAULTS = 15;
    private static final long PAUSE_MILLIS = 50;

    private final ChaosOptions options;
    private final Totals totals;
    private final Random random;
    private final World world;

    private Chaos(ChaosOptions options, Totals totals, Random random, World world) {
        this.options = options;
        this.totals = totals;
        this.random = random;
        this.world = world;
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
        System.out.println("seed " + totals.seed() + ", run " + (totals.runs() + 1));
        try (var cluster = Cluster.start(ClusterOptions.twoNodes(FOLDER))) {
            var product = Product.on(cluster);
            product.install();
            SmallClass.add(product);
            // Each run goes on with luck of its own, which the seed and the number of runs decide.
            var random = new Random(totals.seed() + totals.runs());
            var sandbox = Sandbox.open(product, "chaos");
            var world = new World(product, sandbox, random, totals.operations());
            var problems = new Chaos(options, totals, random, world).rounds();
            problems.forEach(problem -> System.out.println("WRONG " + problem));
            totals.ran();
            totals.save();
            System.out.println(totals);
            System.out.println(problems.size() + " problems");
            return problems.isEmpty() ? 0 : 1;
        }
    }

    private List<String> rounds() throws Exception {
        long end = System.nanoTime() + options.time().toNanos();
        var problems = new ArrayList<String>();
        var reckoning = new Reckoning(world);
        while (System.nanoTime() < end
                && totals.operations() < options.operations()
                && problems.isEmpty()) {
            round();
            problems.addAll(reckoning.hold());
            System.out.println(totals);
        }
        reckoning.end();
        return problems;
    }

    private void round() throws Exception {
        int done = 0;
        while (done < STEPS_IN_ROUND) {
            var work = Work.draw(random);
            if (work.take(world)) {
                totals.worked(work);
                done++;
                if (done % STEPS_BETWEEN_FAULTS == 0) {
                    harm();
                }
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    private void harm() throws Exception {
        var harm = Harm.draw(random);
        long begin = System.nanoTime();
        harm.strike(world, random);
        totals.harmed(harm);
        System.out.printf("%s %.1f s%n", harm, (System.nanoTime() - begin) / 1e9);
    }
}
