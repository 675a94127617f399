package lvms.k8s.informer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import lvms.k8s.client.Await;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.ResourceVersions;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.testkit.Faults;
import lvms.tests.runner.Behaviour;
import lvms.tests.server.OursAlone;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Nothing that breaks a watch needs a list: while objects change, watches are cut, ended, stalled,
 * slowed, repeated and refused. Since a list would mend what a watch has lost, there must be one
 * alone, the first; and of each object the handlers are told every step that it took, once, in its
 * order.
 */
@OursAlone("bookmarks on demand are those of the server in memory")
@Timeout(900)
class WatchChaosTests {
    private static final int OBJECTS = 400;
    private static final Duration PACE_OF_WRITES = Duration.ofMillis(8);
    private static final Duration PACE_OF_FAULTS = Duration.ofMillis(100);

    /** More than one write can bring, so the watch goes on. */
    private static final int STEPS = 20;

    private static final Duration TIME =
            Boolean.getBoolean("lvms.full") ? Duration.ofMinutes(5) : Duration.ofSeconds(12);

    /**
     * Each net below a silent watch is met soon. No watch is short: one that ends soon and brings
     * nothing rightly leads to a list ({@code ResumptionTests}).
     */
    private static final Timing BRISK =
            new Timing(
                    Duration.ofSeconds(2),
                    Duration.ofSeconds(2),
                    Duration.ofMillis(1_500),
                    Duration.ofSeconds(1),
                    Duration.ZERO,
                    Duration.ofMillis(10),
                    Duration.ofMillis(200),
                    Duration.ofSeconds(2),
                    Duration.ofSeconds(20),
                    Duration.ofMinutes(1));

    /** What is met by the informer alone, so that the writers go on. */
    private static final Predicate<Faults.Seen> INFORMER =
            request -> request.headers().getOrDefault("user-agent", "").startsWith("informer");

    private static final Predicate<Faults.Seen> WATCHES =
            INFORMER.and(request -> request.query().containsKey("watch"));

    /** All that gives the whole collection; a probe asks for one object at most. */
    private static final Predicate<Faults.Seen> LISTS =
            INFORMER.and(
                    request ->
                            request.query().containsKey("sendInitialEvents")
                                    || !request.query().containsKey("watch")
                                            && !request.query().containsKey("limit"));

    @TempDir private Path folder;
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final Histories written = new Histories();
    private final Histories told = new Histories();
    private ApiServer server;
    private Faults faults;
    private KubeClient client;
    private Writers writers;
    private PodCredentials credentials;
    private Informer informer;

    private <T extends AutoCloseable> T opened(T closeable) {
        opened.add(closeable);
        return closeable;
    }

    @BeforeEach
    void open() throws Exception {
        server = opened(Servers.start());
        faults = server.faults();
        client = KubeClient.open(server.config(), "writers/1").withFieldManager("writers");
        opened(client);
        writers = opened(new Writers(client, OBJECTS, PACE_OF_WRITES, seed, written));
        credentials = new PodCredentials(server, folder);
        var follower = opened(credentials.open("informer/1"));
        informer =
                opened(
                        Informer.of(follower, Types.CONFIG_MAP)
                                .namespace("default")
                                .timing(BRISK)
                                .build());
        informer.addHandler(Handler.of(told::told));
    }

    @AfterEach
    void closeAll() throws Exception {
        for (var closeable : opened.reversed()) {
            closeable.close();
        }
    }

    @Test
    @Behaviour(95)
    void whatBreaksAWatchCostsNoListAndNoStep() throws Exception {
        writers.fill();
        var lists = faults.count(LISTS);
        informer.start();
        informer.awaitSync(Duration.ofSeconds(30));
        writers.start();
        breakWatches(lists);
        writers.stop();
        awaitTold();
        assertEquals(List.of(), told.differences(written), this::state);
        Contents.at(client).awaitAt("the cache", () -> Contents.of(informer.list()), this::state);
        assertEquals(1, lists.getAsLong(), this::state);
        assertEquals(0, writers.unwritten(), this::state);
        assertFalse(faults.hits().containsKey("compact"), this::state);
        System.out.println("watch chaos of " + TIME + ": " + state());
    }

    /** A handler is added between two deliveries, so the last one is over then. */
    private void awaitTold() throws Exception {
        var last = client.collectionVersion(Types.CONFIG_MAP, ListOptions.all());
        Await.until(
                () -> "seen until " + last + ": " + state(),
                () -> !ResourceVersions.newer(last, informer.resourceVersion()));
        informer.addHandler((_, _) -> {});
    }

    private String state() {
        return "seed %d, %d steps of %d, at %s, problem %s, %s"
                .formatted(
                        seed,
                        told.count(),
                        written.count(),
                        informer.resourceVersion(),
                        informer.problem().orElse("none"),
                        faults.hits());
    }

    private void breakWatches(LongSupplier lists) throws Exception {
        var kinds = kinds();
        long end = System.nanoTime() + TIME.toNanos();
        for (int round = 0; round < kinds.size() || System.nanoTime() - end < 0; round++) {
            // the first round tries each once
            int kind = round < kinds.size() ? round : random.nextInt(kinds.size());
            var fault = kinds.get(kind);
            fault.happen(faults, this::state);
            Thread.sleep(PACE_OF_FAULTS);
            fault.mend();
            long before = told.count();
            Await.until(
                    () -> "the watch goes on after " + fault.hit() + ": " + state(),
                    () -> told.count() >= before + STEPS);
            assertEquals(1, lists.getAsLong(), () -> "lists after " + fault.hit() + ": " + state());
        }
    }

    private List<Fault> kinds() {
        return List.of(
                Fault.once("cutWatches", faults::cutWatches),
                Fault.once("endWatches", faults::endWatches),
                Fault.once("bookmark", faults::bookmark),
                Fault.once("timeoutSeconds", () -> {}),
                Fault.lasting(
                        "cutWatchesAfter",
                        () -> faults.cutWatchesAfter(1 + random.nextInt(20_000)),
                        () -> faults.cutWatchesAfter(Long.MAX_VALUE)),
                Fault.lasting(
                        "stallWatches",
                        () -> faults.stallWatches(true),
                        () -> faults.stallWatches(false)),
                Fault.lasting(
                        "slowWatches",
                        () -> faults.slowWatches(true),
                        () -> faults.slowWatches(false)),
                Fault.lasting(
                        "duplicateEvents",
                        () -> faults.duplicateEvents(true),
                        () -> faults.duplicateEvents(false)),
                refused(429, () -> faults.answer(WATCHES, 2, 429, "busy")),
                refused(429, () -> faults.answer(WATCHES, 1, 429, "busy", "1")),
                refused(500, () -> faults.answer(WATCHES, 3, 500, "broken")),
                refused(503, () -> faults.answer(WATCHES, 2, 503, "away")),
                refused(504, () -> faults.answer(WATCHES, 2, 504, "<html>timeout</html>")),
                onReconnect("cutBefore", () -> faults.cutBefore(WATCHES, 2), () -> {}),
                onReconnect("refusal 401", credentials::expire, credentials::issue));
    }

    private Fault refused(int code, Fault.Action begin) {
        return onReconnect("answer " + code, begin, () -> {});
    }

    /** What is met by a watch that is opened again. */
    private Fault onReconnect(String hit, Fault.Action begin, Fault.Action end) {
        return new Fault(hit, begin, faults::cutWatches, end);
    }
}
