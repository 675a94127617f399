package lvms.k8s.informer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.Await;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.Types;
import lvms.tests.cluster.ControlPlane;
import lvms.tests.runner.Behaviour;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;
import lvms.tests.server.RealAlone;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * While objects change, the process of a real kube-apiserver is frozen and killed, and its etcd is
 * compacted. Each time the cache ends as the server; a list is made only where a watch cannot go
 * on. With {@code --full} there are 5,000 objects, and ten minutes of all this by chance.
 */
@RealAlone("what is frozen, killed and compacted are real processes")
@Timeout(1800)
@Lasts(seconds = 60)
class ServerChaosTests {
    private static final boolean FULL = Boolean.getBoolean("lvms.full");
    private static final int OBJECTS = FULL ? 5_000 : 300;
    private static final Duration PACE_OF_WRITES = Duration.ofMillis(20);

    /** Longer than the informer's patience with a silent watch. */
    private static final Duration FREEZE = Duration.ofSeconds(4);

    /** A watch is silent soon, but ends by itself no sooner than the test. */
    private static final Timing TIMING =
            new Timing(
                    Duration.ofSeconds(120),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(2),
                    Duration.ofMillis(100),
                    Duration.ofMillis(50),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(20),
                    Duration.ofMinutes(1));

    private static final int SOME_WRITES = 100;
    private static final Duration TIME = Duration.ofMinutes(10); // by chance
    private static final int FAULTS_TO_A_RECKONING = 10;
    private static final int LONGEST_PAUSE_MILLIS = 2_000;
    private static final String LISTS = "reflector_lists_total";

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final long seed = System.nanoTime();
    private final MetricsRegistry metrics = new MetricsRegistry();
    private final Set<String> unseen = ConcurrentHashMap.newKeySet();
    private ControlPlane plane;
    private KubeClient client;
    private Writers writers;
    private Informer informer;

    private <T extends AutoCloseable> T opened(T closeable) {
        opened.add(closeable);
        return closeable;
    }

    @BeforeEach
    void open() throws Exception {
        plane = opened(Servers.own("chaos"));
        var config = KubeConfig.load(Optional.of(plane.kubeconfig()));
        client = opened(KubeClient.open(config, "writers/1").withFieldManager("writers"));
        writers = opened(new Writers(client, OBJECTS, PACE_OF_WRITES, seed, Writers.Log.NONE));
        informer =
                opened(
                        Informer.of(
                                        opened(KubeClient.open(config, "informer/1", metrics)),
                                        Types.CONFIG_MAP)
                                .namespace("default")
                                .timing(TIMING)
                                .build());
        informer.addHandler(Handler.of(this::told));
        writers.fill();
        informer.start();
        informer.awaitSync(Duration.ofSeconds(30));
    }

    private void told(Change change) {
        if (change.finalStateUnknown()) {
            unseen.add(change.object().name());
        }
    }

    @AfterEach
    void closeAll() throws Exception {
        for (var closeable : opened.reversed()) {
            closeable.close();
        }
    }

    @Test
    @Behaviour(95)
    void aServerThatWasFrozenIsWatchedOn() throws Exception {
        long lists = lists();
        writers.start();
        awaitWrites();
        plane.freeze();
        Thread.sleep(FREEZE); // for the nets below a silent watch
        plane.thaw();
        awaitWrites();
        awaitSame();
        assertEquals(lists, lists(), this::state);
    }

    @Test
    @Behaviour(95)
    void aCompactionDisturbsNoWatch() throws Exception {
        long lists = lists();
        writers.start();
        for (int times = 0; times < 3; times++) {
            awaitWrites();
            plane.compact();
        }
        awaitWrites();
        awaitSame();
        assertEquals(lists, lists(), this::state);
    }

    @Test
    @Behaviour(95)
    void aServerThatWasKilledIsListedOnceAtMost() throws Exception {
        for (int times = 0; times < 2; times++) {
            long lists = lists();
            writers.start();
            awaitWrites();
            plane.kill();
            plane.restart();
            awaitWrites();
            awaitSame();
            long more = lists() - lists;
            assertTrue(more <= 1, () -> more + " lists more: " + state());
        }
    }

    /** A new watch cache knows nothing of what happened before it, and etcd has forgotten it. */
    @Test
    @Behaviour(95)
    void whatWasForgottenIsListed() throws Exception {
        writers.start();
        awaitWrites();
        awaitSame();
        long lists = lists();
        var gone = new HashSet<>(Contents.of(informer.list()).some(10));
        plane.kill();
        plane.delete(gone.stream().map(name -> "/registry/configmaps/default/" + name).toList());
        plane.compact();
        plane.restart();
        awaitSame();
        assertEquals(gone, unseen, this::state);
        assertEquals(lists + 1, lists(), this::state);
        writers.start();
        awaitWrites();
        awaitSame();
        assertEquals(lists + 1, lists(), this::state);
    }

    @Test
    @Behaviour(95)
    @FullOnly("ten minutes; each run has two minutes of chaos with the fixed seed")
    void theCacheEndsAsAServerThatSuffersByChance() throws Exception {
        var random = new Random(seed);
        var done = new TreeMap<String, Integer>();
        long end = System.nanoTime() + TIME.toNanos();
        while (System.nanoTime() - end < 0) {
            writers.start();
            for (int times = 0; times < FAULTS_TO_A_RECKONING; times++) {
                done.merge(fault(random), 1, Integer::sum);
                Thread.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
            }
            awaitWrites();
            awaitSame();
        }
        System.out.println("server chaos of " + TIME + ": " + done + ", " + state());
    }

    /** Returns what was done. */
    private String fault(Random random) throws Exception {
        switch (random.nextInt(4)) {
            case 0 -> {
                plane.freeze();
                Thread.sleep(random.nextInt(2 * (int) FREEZE.toMillis()));
                plane.thaw();
                return "frozen";
            }
            case 1 -> {
                plane.kill();
                plane.restart();
                return "killed";
            }
            case 2 -> {
                plane.compact();
                return "compacted";
            }
            default -> {
                plane.kill();
                plane.compact();
                plane.restart();
                return "killed and compacted";
            }
        }
    }

    private void awaitWrites() {
        long before = writers.written();
        Await.until(
                () -> "more writes: " + state(), () -> writers.written() >= before + SOME_WRITES);
    }

    private void awaitSame() throws Exception {
        writers.stop();
        Contents.at(client).awaitAt("the cache", () -> Contents.of(informer.list()), this::state);
    }

    private long lists() {
        return metrics.text()
                .lines()
                .filter(line -> line.startsWith(LISTS + "{"))
                .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private String state() {
        return "seed %d, %d writes, %d unanswered, at %s, problem %s, lists %d, logs %s"
                .formatted(
                        seed,
                        writers.written(),
                        writers.unwritten(),
                        informer.resourceVersion(),
                        informer.problem().orElse("none"),
                        lists(),
                        plane.logs());
    }
}
