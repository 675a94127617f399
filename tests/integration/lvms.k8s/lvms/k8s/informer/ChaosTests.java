package lvms.k8s.informer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.Await;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceVersions;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
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

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * While objects change all the time, each second another fault meets the server or what is between:
 * a minute of it, with {@code --full} twenty. Afterwards the store is what the server has, and the
 * handlers were told exactly the way there.
 */
@Lasts(seconds = 90)
@OursAlone("restarts, backups and events in another order are those of the server in memory")
@Timeout(1800)
class ChaosTests {
    private static final int OBJECTS = 5_000;
    private static final int WRITERS = 4;
    private static final Duration TIME =
            Boolean.getBoolean("lvms.full") ? Duration.ofMinutes(20) : Duration.ofMinutes(1);

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
                    Duration.ofSeconds(20));

    @TempDir private Path folder;
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final Map<String, AtomicInteger> done = new ConcurrentHashMap<>();
    private final long seed = System.nanoTime();
    private ApiServer server;
    private KubeClient writers;

    @BeforeEach
    void open() throws Exception {
        server = Servers.start();
        opened.add(server);
        writers = KubeClient.open(server.config(), "writers/1").withFieldManager("writers");
        opened.add(writers);
    }

    @AfterEach
    void closeAll() throws Exception {
        for (var closeable : opened.reversed()) {
            closeable.close();
        }
    }

    private static ObjectKey key(int number) {
        return ObjectKey.of("default", "n" + number);
    }

    private static KubeObject object(int number, int value) {
        return KubeObject.create(Types.CONFIG_MAP, key(number)).with("" + value, "data", "v");
    }

    @Test
    @Behaviour(95)
    void theStoreEndsAsTheServerThroughFaultsOfAllKinds() throws Exception {
        fill();
        var token = Files.writeString(folder.resolve("token"), server.token());
        var informer = follower(token);
        var steady = new Replay();
        var moody = new Replay();
        informer.addHandler(Handler.of(steady::take));
        informer.addHandler(Handler.of(moody::takeOrThrow));
        informer.start();
        informer.awaitSync(Duration.ofSeconds(60));
        var ended = new AtomicBoolean();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var work = new ArrayList<Future<Void>>();
            for (int i = 0; i < WRITERS; i++) {
                work.add(threads.submit(writer(new Random(seed + i), ended)));
            }
            try {
                breakThings(informer, token);
            } finally {
                ended.set(true);
            }
            for (var each : work) {
                each.get();
            }
        }
        moody.calm();
        var truth = texts(writers.list(Types.CONFIG_MAP, inDefault()));
        awaitSame("store", truth, () -> texts(informer.list()), informer);
        awaitSame("handler", truth, () -> texts(steady.objects()), informer);
        awaitSame("moody handler", truth, () -> texts(moody.objects()), informer);
        assertEquals(List.of(), steady.wrong(), () -> "seed " + seed);
        assertTrue(done.get("written").get() > 500, () -> "the writers did little: " + done);
        System.out.println("chaos of " + TIME + ", seed " + seed + ": " + done);
    }

    private static ListOptions inDefault() {
        return ListOptions.all().namespace("default");
    }

    private Map<String, String> texts(Iterable<KubeObject> objects) {
        var texts = new HashMap<String, String>();
        objects.forEach(
                o ->
                        texts.put(
                                o.name(),
                                o.uid()
                                        + " "
                                        + o.resourceVersion()
                                        + " "
                                        + o.text("data", "v").orElse("")));
        return texts;
    }

    private void awaitSame(
            String what,
            Map<String, String> truth,
            Supplier<Map<String, String>> shown,
            Informer informer) {
        Await.until(
                () -> {
                    var present = shown.get();
                    var other =
                            truth.entrySet().stream()
                                    .filter(e -> !e.getValue().equals(present.get(e.getKey())))
                                    .limit(5)
                                    .map(e -> e + " but " + present.get(e.getKey()))
                                    .toList();
                    return "%s equals server, seed %d, has %d of %d, such as %s; at %s, %s; %s"
                            .formatted(
                                    what,
                                    seed,
                                    present.size(),
                                    truth.size(),
                                    other,
                                    informer.resourceVersion(),
                                    informer.problem(),
                                    done);
                },
                () -> shown.get().equals(truth));
    }

    private void fill() throws Exception {
        try (var threads = Executors.newFixedThreadPool(8, Thread.ofVirtual().factory())) {
            var work = new ArrayList<Callable<KubeObject>>();
            for (int i = 0; i < OBJECTS; i++) {
                int number = i;
                work.add(() -> writers.create(Types.CONFIG_MAP, object(number, 0)));
            }
            for (var each : threads.invokeAll(work)) {
                each.get();
            }
        }
    }

    /** An informer whose token is in a file, as in a pod. */
    private Informer follower(Path token) throws Exception {
        var text =
                server.kubeconfigText().replace("token: " + server.token(), "tokenFile: " + token);
        var file = Files.writeString(folder.resolve("informer-config"), text);
        var client = KubeClient.open(KubeConfig.load(Optional.of(file)), "informer/1");
        opened.add(client);
        var informer =
                Informer.of(client, Types.CONFIG_MAP).namespace("default").timing(BRISK).build();
        opened.add(informer);
        return informer;
    }

    private void count(String what) {
        done.computeIfAbsent(what, _ -> new AtomicInteger()).incrementAndGet();
    }

    /** Changes, deletes and makes objects; while the server is away nothing can be written. */
    private Callable<Void> writer(Random random, AtomicBoolean ended) {
        return () -> {
            for (int i = 1; !ended.get(); i++) {
                int number = random.nextInt(OBJECTS);
                try {
                    if (random.nextInt(5) == 0) {
                        writers.delete(Types.CONFIG_MAP, key(number), DeleteOptions.any());
                    } else {
                        writers.apply(Types.CONFIG_MAP, object(number, i));
                    }
                    count("written");
                } catch (ApiException.Unreachable _) {
                    count("not written");
                }
            }
            return null;
        };
    }

    /** What is met by the informer alone, so that the writers go on. */
    private static final Predicate<Faults.Seen> INFORMER =
            request -> request.headers().getOrDefault("user-agent", "").startsWith("informer");

    private static final Predicate<Faults.Seen> ITS_LISTS =
            INFORMER.and(request -> !request.query().containsKey("watch"));

    private void breakThings(Informer informer, Path token) throws Exception {
        var random = new Random(seed);
        var faults = server.faults();
        var bearer = server.token();
        long end = System.nanoTime() + TIME.toNanos();
        for (int round = 0; System.nanoTime() - end < 0; round++) {
            // the first round tries each once
            int kind = round < 22 ? round : random.nextInt(22);
            count("fault " + kind);
            boolean on = random.nextBoolean() || round < 22;
            switch (kind) {
                case 0 -> faults.endWatches();
                case 1 -> faults.cutWatches();
                case 2 -> faults.bookmark();
                case 3 -> faults.duplicateEvents(on);
                case 4 -> faults.reorderEvents(on);
                case 5 -> faults.slowWatches(true);
                case 6 -> faults.compact();
                case 7 -> faults.streamingLists(!on);
                case 8 -> faults.expiryAsEvent(on);
                case 9 -> faults.stallWatches(true);
                case 10 -> halfLines(faults, random);
                case 11 -> faults.answer(INFORMER, 3, 429, "busy", "1");
                case 12 -> faults.answer(INFORMER, 3, 429, "busy");
                case 13 -> faults.answer(INFORMER, 3, 500, "broken");
                case 14 -> faults.answer(INFORMER, 3, 503, "away", "1");
                case 15 -> faults.answer(INFORMER, 2, 404, "404 page not found");
                case 16 -> faults.cutBefore(INFORMER, 3);
                case 17 -> faults.cutAfter(INFORMER, 3);
                case 18 -> faults.cutBody(ITS_LISTS, 2, random.nextInt(100_000));
                case 19 -> bearer = anotherToken(bearer, token);
                case 20 -> restart(informer, random, false);
                case 21 -> restart(informer, random, true);
                default -> throw new AssertionError("no fault " + kind);
            }
            if (kind >= 5 && random.nextBoolean()) {
                faults.compact();
                faults.cutWatches(); // so that it meets lists
            } else if (kind >= 11) {
                faults.cutWatches();
            }
            Thread.sleep(1_000); // the pace of the faults
            faults.stallWatches(false);
            faults.slowWatches(false);
            faults.cutWatchesAfter(Long.MAX_VALUE);
        }
        faults.clear();
        faults.reorderEvents(false);
        faults.cutWatches();
    }

    /** Not while events change places: a cut between two would lose one, as no server does. */
    private static void halfLines(Faults faults, Random random) {
        faults.reorderEvents(false);
        faults.cutWatchesAfter(random.nextInt(20_000));
        faults.cutWatches();
    }

    private String anotherToken(String old, Path file) throws Exception {
        var next = server.issueToken("kubernetes-admin", "system:masters");
        Files.writeString(file, next);
        if (!old.equals(server.token())) { // the writers have the first
            server.revokeToken(old);
        }
        return next;
    }

    /** A backup is so much older that the server cannot have counted up before it is asked. */
    private void restart(Informer informer, Random random, boolean backup) throws Exception {
        server.stop();
        if (backup && ResourceVersions.newer(informer.resourceVersion(), "4000")) {
            count("restored");
            server.restartAt(1 + random.nextInt(500));
        } else {
            server.restart();
        }
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
