package lvms.k8s.informer;

import static lvms.k8s.client.Bodies.object;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.object.KubeObject;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/** Objects and indexes always agree, whoever reads while they change. */
@Timeout(60)
class StoreTests {
    private static final int KEYS = 20;
    private static final int ROUNDS = 2_000;

    private final Store store =
            new Store(
                    Map.of(
                            "all", _ -> List.of("all"),
                            "version", o -> List.of(o.resourceVersion(), "twice", "twice"),
                            "odd", o -> odd(o) ? List.of("odd") : List.of()));

    private static boolean odd(KubeObject object) {
        return Long.parseLong(object.resourceVersion()) % 2 == 1;
    }

    @Test
    @Behaviour(53)
    void anIndexNeverMissesAnObjectWhileOthersChange() throws Exception {
        var all = IntStream.range(0, KEYS).mapToObj(i -> object("k" + i, "u" + i, 1 + i)).toList();
        store.replace(all, "" + KEYS);
        var ended = new AtomicBoolean();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Void> reader =
                    () -> {
                        while (!ended.get()) {
                            assertEquals(KEYS, store.byIndex("all", "all").size());
                            assertEquals(KEYS, store.byIndex("version", "twice").size());
                            for (var object : store.byIndex("odd", "odd")) {
                                assertEquals(true, odd(object));
                            }
                        }
                        return null;
                    };
            var readers = List.of(threads.submit(reader), threads.submit(reader));
            for (int i = 0; i < ROUNDS; i++) {
                store.update(object("k" + i % KEYS, "u" + i % KEYS, KEYS + 1 + i));
            }
            ended.set(true);
            for (var each : readers) {
                each.get();
            }
        }
    }

    @Test
    void anIndexForgetsWhatAnObjectNoLongerHas() {
        store.update(object("a", "u", 1));
        store.update(object("b", "v", 3));
        assertEquals(2, store.byIndex("odd", "odd").size());
        store.update(object("a", "u", 4));
        assertEquals("b", store.byIndex("odd", "odd").getFirst().name());
        assertEquals(List.of(), store.byIndex("version", "1"));
        store.delete(object("b", "v", 5));
        assertEquals(List.of(), store.byIndex("odd", "odd"));
        assertEquals(1, store.byIndex("all", "all").size());
    }

    /** As a function does that reads a table which is being loaded. */
    @Test
    @Behaviour({53, 101})
    void anIndexThatThrowsOnceKeepsNothingOfAFormerState() {
        var broken = new AtomicBoolean();
        store.addIndex(
                "flaky",
                object -> {
                    if (broken.get()) {
                        throw new IllegalStateException("not now");
                    }
                    return List.of(odd(object) ? "odd" : "even", "any");
                });
        store.update(object("a", "u", 1));
        store.update(object("b", "v", 2));
        store.update(object("c", "w", 4));
        broken.set(true);
        store.delete(object("a", "u", 3));
        store.update(object("b", "v", 5));
        assertEquals(List.of(), store.byIndex("flaky", "odd"), "a is gone, and b not indexed");
        broken.set(false);
        store.update(object("b", "v", 7));
        assertEquals(List.of("b"), names(store.byIndex("flaky", "odd")));
        assertEquals(List.of("c"), names(store.byIndex("flaky", "even")));
        assertEquals(List.of("b", "c"), names(store.byIndex("flaky", "any")));
        store.delete(object("b", "v", 8));
        assertEquals(List.of(), store.byIndex("flaky", "odd"));
        assertEquals(List.of("c"), names(store.byIndex("flaky", "any")));
    }

    /** The index may keep a key too many then, but no read fails. */
    @Test
    @Behaviour(101)
    void anIndexWhoseValuesAreNotStableFindsOnlyWhatIsThere() {
        var changing = new AtomicBoolean();
        store.addIndex("fickle", _ -> List.of(changing.get() ? "new" : "old"));
        store.update(object("a", "u", 1));
        changing.set(true);
        store.delete(object("a", "u", 2));
        assertEquals(List.of(), store.byIndex("fickle", "old"));
    }

    private static List<String> names(List<KubeObject> objects) {
        return objects.stream().map(KubeObject::name).sorted().toList();
    }
}
