package lvms.k8s.informer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.Await;
import lvms.k8s.client.ClientOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.testkit.Backup;
import lvms.k8s.testkit.Faults;
import lvms.tests.runner.Behaviour;
import lvms.tests.runner.Lasts;
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
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * While objects change all the time, one fault after the other meets the server or what is between:
 * each kind once, then by chance, 90 seconds in all, with {@code --full} 20 minutes. Afterwards the
 * stores of an informer with streaming lists and of one with plain lists are what the server has,
 * the handlers were told exactly the way there, and nothing is left behind.
 */
@Lasts(seconds = 110)
@OursAlone("restarts, backups and events in another order are those of the server in memory")
@Timeout(2400)
class ChaosTests {
    private static final int OBJECTS = 5_000;
    private static final Duration TIME =
            Duration.ofSeconds(Boolean.getBoolean("lvms.full") ? 1200 : 90);

    /** With the time until a fault meets something this makes about one fault a second. */
    private static final Duration PACE = Duration.ofMillis(300);

    private static final Duration PACE_OF_WRITES = Duration.ofMillis(5);

    /** So that a list that says nothing is given up soon; one that flows may take longer. */
    private static final Duration ATTEMPT = Duration.ofSeconds(4);

    /** A watch of each informer, and what is kept for its other requests for a while. */
    private static final int MOST_CONNECTIONS = 12;

    /** What came by a watch may be a little larger than what came by a list. */
    private static final long MORE_BYTES = 16 << 20;

    /** So many versions that the server cannot have counted up before it is asked. */
    private static final long AGE_OF_BACKUP = 100_000;

    /** So that each net below a silent watch and each pause is met many times. */
    private static final Timing BRISK =
            new Timing(
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(3),
                    Duration.ofMillis(100),
                    Duration.ofMillis(50),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(20),
                    Duration.ofMinutes(1));

    /** What is met by informers alone, so that the writers go on. */
    private static final Predicate<Faults.Seen> INFORMERS =
            request -> request.headers().getOrDefault("user-agent", "").startsWith("informer");

    private static final Predicate<Faults.Seen> PLAIN_LISTS =
            INFORMERS.and(
                    request ->
                            !request.query().containsKey("watch")
                                    && !request.query().containsKey("limit"));

    @TempDir private Path folder;
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final Replay ofPlain = new Replay();
    private final Replay ofStreaming = new Replay();
    private final Replay moody = new Replay();
    private ApiServer server;
    private Faults faults;
    private KubeClient client;
    private Writers writers;
    private PodCredentials credentials;
    private Informer plain;
    private Informer streaming;

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
        writers = opened(new Writers(client, OBJECTS, PACE_OF_WRITES, seed, Writers.Log.NONE));
        credentials = new PodCredentials(server, folder);
        plain = informer("informer-plain/1");
        streaming = informer("informer-streaming/1");
        plain.addHandler(Handler.of(ofPlain::take));
        streaming.addHandler(Handler.of(ofStreaming::take));
        streaming.addHandler(Handler.of(moody::takeOrThrow));
    }

    private Informer informer(String userAgent) throws Exception {
        var options = ClientOptions.of(userAgent).attemptDeadline(ATTEMPT);
        var follower = opened(credentials.open(options));
        return opened(
                Informer.of(follower, Types.CONFIG_MAP).namespace("default").timing(BRISK).build());
    }

    @AfterEach
    void closeAll() throws Exception {
        for (var closeable : opened.reversed()) {
            closeable.close();
        }
    }

    @Test
    @Behaviour(95)
    void theStoreEndsAsTheServerThroughFaultsOfAllKinds() throws Exception {
        writers.fill();
        startBoth();
        forgetThePast();
        var before = Footprint.now(folder);
        writers.start();
        breakThings();
        writers.stop();
        moody.calm();
        var truth = Contents.at(client);
        truth.awaitAt("plain lists", () -> Contents.of(plain.list()), this::state);
        truth.awaitAt("streaming lists", () -> Contents.of(streaming.list()), this::state);
        truth.awaitAt("their handler", () -> Contents.of(ofPlain.objects()), this::state);
        truth.awaitAt("their handler", () -> Contents.of(ofStreaming.objects()), this::state);
        truth.awaitAt("a handler that throws", () -> Contents.of(moody.objects()), this::state);
        assertEquals(List.of(), ofPlain.wrong(), this::state);
        assertEquals(List.of(), ofStreaming.wrong(), this::state);
        assertTrue(writers.written() > 500, () -> "the writers did little: " + state());
        forgetThePast();
        client.close();
        Await.until(
                () -> "connections are given back: " + faults.connections(),
                () -> faults.connections() <= MOST_CONNECTIONS);
        before.awaitAgain(folder, MORE_BYTES);
        System.out.println("chaos: " + state() + ", from " + before + " to " + footprint());
    }

    /** One informer learns at its begin that there are no streaming lists. */
    private void startBoth() throws Exception {
        faults.streamingLists(false);
        plain.start();
        plain.awaitSync(Duration.ofSeconds(60));
        faults.streamingLists(true);
        streaming.start();
        streaming.awaitSync(Duration.ofSeconds(60));
        assertTrue(faults.hits().containsKey("streamingLists"), this::state);
    }

    private Footprint footprint() {
        return Footprint.now(folder);
    }

    /** What the server keeps of it, so that it does not count as the informers'. */
    private void forgetThePast() throws Exception {
        faults.compact();
        awaitNewest();
        faults.forgetRequests();
    }

    private String state() {
        return ("seed %d, %d writes, %d unanswered, at %s and %s, problems %s and %s, last asked"
                        + " %s, %s")
                .formatted(
                        seed,
                        writers.written(),
                        writers.unwritten(),
                        plain.resourceVersion(),
                        streaming.resourceVersion(),
                        plain.problem().orElse("none"),
                        streaming.problem().orElse("none"),
                        lastAsked(),
                        faults.hits());
    }

    private List<String> lastAsked() {
        var asked = faults.requests().stream().filter(INFORMERS).toList();
        return asked.subList(Math.max(0, asked.size() - 6), asked.size()).stream()
                .map(seen -> seen.headers().get("user-agent") + " " + seen.target())
                .toList();
    }

    private void breakThings() throws Exception {
        var kinds = kinds(server.backup());
        long end = System.nanoTime() + TIME.toNanos();
        for (int round = 0; round < kinds.size() || System.nanoTime() - end < 0; round++) {
            int kind = round;
            if (round >= kinds.size()) { // the first round tries each once, and alone
                kind = random.nextInt(kinds.size());
                faults.duplicateEvents(random.nextBoolean());
                faults.expiryAsEvent(random.nextBoolean());
            }
            var fault = kinds.get(kind);
            fault.happen(faults, this::state);
            Thread.sleep(PACE);
            fault.mend();
        }
        faults.clear();
        faults.duplicateEvents(false);
        faults.expiryAsEvent(false);
        faults.cutWatches();
    }

    private List<Fault> kinds(Backup backup) {
        var kinds = new ArrayList<>(ofWatches());
        kinds.addAll(ofRequests());
        kinds.addAll(ofLists());
        kinds.add(
                new Fault(
                        "refusal 401",
                        credentials::expire,
                        faults::cutWatches,
                        credentials::issue));
        kinds.add(Fault.once("stop", () -> restart(server::restart)));
        kinds.add(ofBackup(() -> server.restart(backup)));
        kinds.add(ofBackup(() -> server.restartAt(1 + random.nextInt(500))));
        return kinds;
    }

    private List<Fault> ofWatches() {
        return List.of(
                Fault.once("endWatches", faults::endWatches),
                Fault.once("cutWatches", faults::cutWatches),
                Fault.once("bookmark", faults::bookmark),
                Fault.once("timeoutSeconds", () -> {}),
                Fault.once("compact", this::expire),
                new Fault(
                        "compact",
                        () -> faults.expiryAsEvent(true),
                        this::expire,
                        () -> faults.expiryAsEvent(false)),
                Fault.lasting(
                        "duplicateEvents",
                        () -> faults.duplicateEvents(true),
                        () -> faults.duplicateEvents(false)),
                Fault.lasting("reorderEvents", () -> faults.reorderEvents(true), this::orderEvents),
                Fault.lasting(
                        "slowWatches",
                        () -> faults.slowWatches(true),
                        () -> faults.slowWatches(false)),
                Fault.lasting(
                        "stallWatches",
                        () -> faults.stallWatches(true),
                        () -> faults.stallWatches(false)),
                halfLine(20_000, faults::cutWatches));
    }

    /** So that the next watch is refused and a list is needed. */
    private void expire() {
        faults.compact();
        faults.cutWatches();
    }

    /** Waits for the last pair: a cut between the two would lose one, as no server does. */
    private void orderEvents() throws Exception {
        faults.reorderEvents(false);
        awaitNewest();
    }

    /** Neither behind the server, nor still ahead of one that went back. */
    private void awaitNewest() throws Exception {
        var version = client.collectionVersion(Types.CONFIG_MAP, ListOptions.all());
        Await.until(
                () -> "seen until " + version + ": " + state(),
                () -> isAt(plain, version) && isAt(streaming, version));
    }

    private static boolean isAt(Informer informer, String version) {
        long ahead = Long.parseLong(informer.resourceVersion()) - Long.parseLong(version);
        return ahead >= 0 && ahead < AGE_OF_BACKUP / 2;
    }

    private Fault halfLine(int mostBytes, Fault.Action push) {
        return new Fault(
                "cutWatchesAfter",
                () -> faults.cutWatchesAfter(1 + random.nextInt(mostBytes)),
                push,
                () -> faults.cutWatchesAfter(Long.MAX_VALUE));
    }

    private List<Fault> ofRequests() {
        return List.of(
                refused(429, () -> faults.answer(INFORMERS, 3, 429, "busy", "1")),
                refused(429, () -> faults.answer(INFORMERS, 3, 429, "busy")),
                refused(500, () -> faults.answer(INFORMERS, 3, 500, "broken")),
                refused(503, () -> faults.answer(INFORMERS, 3, 503, "away", "1")),
                refused(404, () -> faults.answer(INFORMERS, 2, 404, "404 page not found")),
                onRequest("cutBefore", () -> faults.cutBefore(INFORMERS, 3), faults::cutWatches));
    }

    private Fault refused(int code, Fault.Action begin) {
        return onRequest("answer " + code, begin, faults::cutWatches);
    }

    /** What is left of it meets the next requests. */
    private static Fault onRequest(String hit, Fault.Action begin, Fault.Action push) {
        return new Fault(hit, begin, push, () -> {});
    }

    private List<Fault> ofLists() {
        return List.of(
                halfLine(1_000_000, this::expire),
                onRequest(
                        "cutBody",
                        () -> faults.cutBody(PLAIN_LISTS, 2, random.nextInt(100_000)),
                        this::expire),
                onRequest("cutAfter", () -> faults.cutAfter(PLAIN_LISTS, 2), this::expire),
                onRequest("stall", () -> faults.stall(PLAIN_LISTS, 1), this::expire),
                onRequest(
                        "stallBody",
                        () -> faults.stallBody(PLAIN_LISTS, 1, random.nextInt(100_000)),
                        this::expire),
                onRequest(
                        "slowBody",
                        () -> faults.slowBody(PLAIN_LISTS, 1, ATTEMPT.multipliedBy(2)),
                        this::expire),
                Fault.once("page 410", this::expireBetweenPages));
    }

    /** The whole list, in pages too, is read all the same. */
    private void expireBetweenPages() throws Exception {
        var pages = client.pages(Types.CONFIG_MAP, ListOptions.all().pageSize(500));
        pages.next();
        faults.compact();
        assertThrows(ApiException.Gone.class, pages::next);
    }

    private void restart(Fault.Action again) throws Exception {
        server.stop();
        again.run();
    }

    /** The informers have seen far more than the server knows afterwards. */
    private Fault ofBackup(Fault.Action restored) {
        return Fault.once(
                "restart",
                () -> {
                    awaitNewest(); // two histories with the same versions cannot be told apart
                    faults.advanceRevision(AGE_OF_BACKUP);
                    awaitNewest();
                    restart(restored);
                });
    }

    /** What a handler was told, put together. */
    private static final class Replay {
        private final Map<ObjectKey, KubeObject> objects = new ConcurrentHashMap<>();
        private final List<String> wrong = new ArrayList<>();
        private final Random random = new Random(1);
        private final AtomicBoolean calm = new AtomicBoolean();

        void take(Change change) {
            var key = change.object().key();
            var held = Optional.ofNullable(objects.get(key));
            if (!held.equals(change.before()) && wrong.size() < 10) {
                wrong.add(key + " held " + held + " told " + change);
            }
            change.after().ifPresentOrElse(now -> objects.put(key, now), () -> objects.remove(key));
        }

        void takeOrThrow(Change change) {
            if (!calm.get() && random.nextInt(2_000) == 0) {
                throw new IllegalStateException("in a mood");
            }
            take(change);
        }

        void calm() {
            calm.set(true);
        }

        List<KubeObject> objects() {
            return List.copyOf(objects.values());
        }

        List<String> wrong() {
            return List.copyOf(wrong);
        }
    }
}
