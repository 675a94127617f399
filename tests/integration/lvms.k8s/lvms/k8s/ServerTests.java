package lvms.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.Await;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.Deletion;
import lvms.k8s.client.JsonPatch;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.controller.Controller;
import lvms.k8s.controller.Result;
import lvms.k8s.election.LeaderElector;
import lvms.k8s.election.LeaseTiming;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceVersions;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;
import lvms.tests.runner.Behaviour;
import lvms.tests.server.DependsOnVersion;
import lvms.tests.server.OursAlone;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Client, informer, controller and election agree with an API server over TLS. */
@DependsOnVersion("the client falls back where a server has no streaming lists")
@Timeout(120)
class ServerTests {

    @TempDir private Path folder;
    private final List<AutoCloseable> opened = new ArrayList<>();
    private ApiServer server;
    private KubeClient client;

    @BeforeEach
    void open() throws Exception {
        server = Servers.start();
        opened.add(server);
        client =
                KubeClient.open(KubeConfig.load(Optional.of(server.kubeconfig(folder))), "tests/1")
                        .withFieldManager("tests");
        opened.add(client);
    }

    @AfterEach
    void closeAll() throws Exception {
        for (var closeable : opened.reversed()) {
            closeable.close();
        }
    }

    private static ObjectKey key(String name) {
        return ObjectKey.of("default", name);
    }

    private static KubeObject configMap(String name, String value) {
        return KubeObject.create(Types.CONFIG_MAP, key(name)).with(value, "data", "v");
    }

    private Informer follow() throws Exception {
        return followed(Informer.of(client, Types.CONFIG_MAP).namespace("default"));
    }

    private Informer followed(Informer.Builder builder) throws Exception {
        var informer = builder.build();
        opened.add(informer);
        informer.start();
        informer.awaitSync(Duration.ofSeconds(20));
        return informer;
    }

    @Test
    @Behaviour(22)
    void createsReadsAppliesPatchesAndDeletes() throws Exception {
        var made = client.create(Types.CONFIG_MAP, configMap("a", "1"));
        assertThrows(
                ApiException.AlreadyExists.class,
                () -> client.create(Types.CONFIG_MAP, configMap("a", "1")));
        var applied =
                client.withFieldManager("applier").apply(Types.CONFIG_MAP, configMap("a", "2"));
        assertEquals("2", applied.text("data", "v").orElseThrow());
        var same = client.withFieldManager("applier").apply(Types.CONFIG_MAP, configMap("a", "2"));
        assertEquals(applied.resourceVersion(), same.resourceVersion(), "nothing changed");
        var patch = JsonPatch.create().replace("3", "data", "v");
        client.jsonPatch(Types.CONFIG_MAP, key("a"), patch);
        assertThrows(
                ApiException.Conflict.class,
                () -> client.replace(Types.CONFIG_MAP, made.with("x", "data", "v")));
        assertEquals("3", client.get(Types.CONFIG_MAP, key("a")).text("data", "v").orElseThrow());
        assertEquals(
                Deletion.GONE,
                client.delete(Types.CONFIG_MAP, key("a"), DeleteOptions.uid("another")));
        assertTrue(client.find(Types.CONFIG_MAP, key("a")).isPresent(), "another UID was meant");
        assertEquals(
                Deletion.GONE,
                client.delete(Types.CONFIG_MAP, key("a"), DeleteOptions.uid(made.uid())));
        assertTrue(client.find(Types.CONFIG_MAP, key("a")).isEmpty());
    }

    @Test
    @Behaviour(81)
    void deletesInTwoStepsWithAFinalizer() throws Exception {
        var made = client.create(Types.CONFIG_MAP, configMap("a", "1"));
        var held = client.addFinalizer(Types.CONFIG_MAP, made, "example.com/hold");
        assertEquals(
                Deletion.IN_PROGRESS,
                client.delete(Types.CONFIG_MAP, key("a"), DeleteOptions.uid(made.uid())));
        assertThrows(
                ApiException.Invalid.class,
                () -> client.addFinalizer(Types.CONFIG_MAP, held, "example.com/more"));
        client.removeFinalizer(Types.CONFIG_MAP, made, "example.com/hold");
        client.removeFinalizer(Types.CONFIG_MAP, held, "example.com/hold");
        assertTrue(client.find(Types.CONFIG_MAP, key("a")).isEmpty());
    }

    /** Each has a client of its own, as controllers of other programs have. */
    @Test
    @Behaviour(81)
    void whoeverRemovesAFinalizerAtTheSameTimeLosesNone() throws Exception {
        var names = List.of("x/a", "x/b", "x/c", "x/d");
        var finalizers = Json.parse("[\"x/stays\",\"x/a\",\"x/b\",\"x/c\",\"x/d\"]");
        var config = KubeConfig.load(Optional.of(server.kubeconfig(folder)));
        var clients = new ArrayList<KubeClient>();
        for (var name : names) {
            clients.add(KubeClient.open(config, name + "/1"));
            opened.add(clients.getLast());
        }
        for (int round = 0; round < 10; round++) {
            var made =
                    client.create(
                            Types.CONFIG_MAP,
                            configMap("a" + round, "1").with(finalizers, "metadata", "finalizers"));
            var together = new CyclicBarrier(names.size());
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var removals = new ArrayList<Future<?>>();
                for (int i = 0; i < names.size(); i++) {
                    var own = clients.get(i);
                    var name = names.get(i);
                    removals.add(
                            threads.submit(
                                    () -> {
                                        together.await();
                                        return own.removeFinalizer(Types.CONFIG_MAP, made, name);
                                    }));
                }
                for (var removal : removals) {
                    removal.get();
                }
            }
            var left = client.get(Types.CONFIG_MAP, made.key());
            assertEquals(List.of("x/stays"), left.finalizers());
            assertEquals(Optional.of("1"), left.text("data", "v"));
        }
    }

    @Test
    @Behaviour({20, 23})
    void makesOneObjectWhenAnswersAreCutOff() throws Exception {
        server.faults().cutAfter(r -> r.method().equals("POST"), 1);
        server.faults().cutAfter(r -> r.method().equals("DELETE"), 1);
        var made = client.create(Types.CONFIG_MAP, configMap("a", "1"));
        assertEquals(
                1, client.list(Types.CONFIG_MAP, ListOptions.all().namespace("default")).size());
        assertEquals(
                Deletion.GONE,
                client.delete(Types.CONFIG_MAP, key("a"), DeleteOptions.uid(made.uid())));
        assertTrue(client.find(Types.CONFIG_MAP, key("a")).isEmpty());
    }

    private Map<String, String> versions(Iterable<KubeObject> objects) {
        var versions = new HashMap<String, String>();
        objects.forEach(o -> versions.put(o.name() + o.uid(), o.resourceVersion()));
        return versions;
    }

    private void awaitSame(Informer informer) throws Exception {
        var options = ListOptions.all().namespace("default");
        var truth = versions(client.list(Types.CONFIG_MAP, options));
        Await.until("the store equals the server", () -> versions(informer.list()).equals(truth));
    }

    @Test
    @Behaviour(25)
    void aListInPagesIsOfOneMomentWhileObjectsComeAndGo() throws Exception {
        for (int i = 0; i < 60; i++) {
            client.create(Types.CONFIG_MAP, configMap("stays" + i, "1"));
        }
        var ended = new AtomicBoolean();
        var options = ListOptions.all().namespace("default").pageSize(7);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var others =
                    threads.submit(
                            () -> {
                                for (int i = 0; !ended.get(); i++) {
                                    var name = "comes" + i % 5;
                                    client.create(Types.CONFIG_MAP, configMap(name, "1"));
                                    client.delete(Types.CONFIG_MAP, key(name), DeleteOptions.any());
                                }
                                return null;
                            });
            try {
                for (int i = 0; i < 10; i++) {
                    var list = client.list(Types.CONFIG_MAP, options);
                    var names = list.items().stream().map(KubeObject::name).toList();
                    assertEquals(names.size(), Set.copyOf(names).size(), "doubles");
                    assertEquals(60, names.stream().filter(n -> n.startsWith("stays")).count());
                    for (var object : list) {
                        assertTrue(
                                !ResourceVersions.newer(
                                        object.resourceVersion(), list.resourceVersion()),
                                "newer than its list");
                    }
                }
            } finally {
                ended.set(true);
            }
            others.get();
        }
    }

    @Test
    @Behaviour(57)
    void informersOfOtherSelectorsAndNamespacesDoNotMix() throws Exception {
        client.create(
                Types.NAMESPACE, KubeObject.create(Types.NAMESPACE, ObjectKey.cluster("other")));
        var red = followed(Informer.of(client, Types.CONFIG_MAP).labelSelector("colour=red"));
        var blue = followed(Informer.of(client, Types.CONFIG_MAP).labelSelector("colour=blue"));
        var other = followed(Informer.of(client, Types.CONFIG_MAP).namespace("other"));
        var left = new AtomicInteger();
        red.addHandler((_, after) -> left.addAndGet(after.isEmpty() ? 1 : 0));
        var object = configMap("a", "1").with("red", "metadata", "labels", "colour");
        client.apply(Types.CONFIG_MAP, object);
        Await.until("red has it", () -> red.get(key("a")).isPresent());
        client.apply(
                Types.CONFIG_MAP, configMap("a", "1").with("blue", "metadata", "labels", "colour"));
        Await.until("blue has it", () -> blue.get(key("a")).isPresent());
        Await.until("red has lost it", () -> red.list().isEmpty());
        Await.until("its handler was told", () -> left.get() == 1);
        client.create(
                Types.CONFIG_MAP, KubeObject.create(Types.CONFIG_MAP, ObjectKey.of("other", "b")));
        Await.until(
                "the other namespace has its own",
                () -> other.get(ObjectKey.of("other", "b")).isPresent());
        assertTrue(other.get(key("a")).isEmpty());
        assertEquals(1, blue.list().size());
    }

    @Test
    void anInformerOfMetadataGetsNothingElse() throws Exception {
        client.create(Types.CONFIG_MAP, configMap("a", "1"));
        for (boolean streaming : new boolean[] {true, false}) {
            server.faults().streamingLists(streaming);
            server.faults().forgetRequests();
            var informer = followed(Informer.of(client, Types.CONFIG_MAP).metadataOnly());
            var name = streaming ? "b" : "c";
            client.create(Types.CONFIG_MAP, configMap(name, "1"));
            Await.until("the next is there", () -> informer.get(key(name)).isPresent());
            for (var object : informer.list()) {
                assertEquals("ConfigMap", object.kind());
                assertTrue(object.object("data").isEmpty(), object::toJson);
            }
            var list = client.list(Types.CONFIG_MAP, ListOptions.all().onlyMetadata());
            assertEquals(versions(informer.list()), versions(list));
            informer.close();
        }
    }

    /** Defaults of the server are no changes, and neither is the time at which nothing changed. */
    @Test
    void applyingTheSameLaterWritesNothing() throws Exception {
        var first = client.apply(Types.DAEMON_SET, daemonSet());
        long second = Instant.now().getEpochSecond();
        Await.until("a later second", () -> Instant.now().getEpochSecond() > second);
        var again = client.apply(Types.DAEMON_SET, daemonSet());
        assertEquals(first.resourceVersion(), again.resourceVersion());
    }

    private static KubeObject daemonSet() throws Exception {
        return KubeObject.of(
                Yaml.read(
                                """
                                apiVersion: apps/v1
                                kind: DaemonSet
                                metadata:
                                  name: agent
                                  namespace: default
                                spec:
                                  selector:
                                    matchLabels:
                                      app: agent
                                  template:
                                    metadata:
                                      labels:
                                        app: agent
                                    spec:
                                      containers:
                                        - name: agent
                                          image: agent
                                          env:
                                            - name: NODE
                                              valueFrom:
                                                fieldRef:
                                                  fieldPath: spec.nodeName
                                """)
                        .asObject());
    }

    @Test
    void endsUpAsTheServerThroughRandomFaults() throws Exception {
        var replay = new ConcurrentHashMap<ObjectKey, KubeObject>();
        var informer = follow();
        informer.addHandler(
                (before, after) -> {
                    before.ifPresent(o -> replay.remove(o.key()));
                    after.ifPresent(o -> replay.put(o.key(), o));
                });
        var random = new Random(7);
        var faults = server.faults();
        for (int round = 0; round < 300; round++) {
            var name = "n" + random.nextInt(12);
            if (random.nextInt(3) == 0) {
                client.delete(Types.CONFIG_MAP, key(name), DeleteOptions.any());
            } else {
                var written = client.apply(Types.CONFIG_MAP, configMap(name, "" + round));
                informer.observed(written);
                assertEquals(
                        written.resourceVersion(),
                        informer.get(key(name)).orElseThrow().resourceVersion(),
                        "own writes are seen at once");
            }
            switch (random.nextInt(20)) {
                case 0 -> faults.endWatches();
                case 1 -> faults.cutWatches();
                case 2 -> faults.bookmark();
                case 3 -> faults.duplicateEvents(random.nextBoolean());
                case 4 -> faults.compact();
                case 5 -> {
                    faults.compact();
                    faults.cutWatches();
                }
                case 6 -> faults.streamingLists(random.nextBoolean());
                case 7 -> faults.expiryAsEvent(random.nextBoolean());
                default -> {}
            }
        }
        awaitSame(informer);
        informer.addHandler((_, _) -> {}).close(); // the delivery that may run is over then
        assertEquals(versions(informer.list()), versions(replay.values()), "handlers saw it all");
        assertEquals(0, informer.handlerFailures());
    }

    @Test
    @Behaviour(51)
    void followsAServerThatRestarts() throws Exception {
        client.apply(Types.CONFIG_MAP, configMap("a", "1"));
        var informer = follow();
        var deletions = new AtomicInteger();
        informer.addHandler((_, after) -> deletions.addAndGet(after.isEmpty() ? 1 : 0));
        server.stop();
        server.restart();
        client.apply(Types.CONFIG_MAP, configMap("b", "2"));
        awaitSame(informer);
        assertEquals(0, deletions.get(), "the data is the same");
    }

    @Test
    @OursAlone("the revisions of a real server are etcd's own")
    @Behaviour(51)
    void followsAServerThatWasRestoredFromABackup() throws Exception {
        for (int i = 0; i < 30; i++) {
            client.apply(Types.CONFIG_MAP, configMap("a", "" + i));
        }
        var informer = follow();
        server.stop();
        server.restartAt(10);
        client.apply(Types.CONFIG_MAP, configMap("b", "after"));
        awaitSame(informer);
    }

    @Test
    void reconcilesEveryObjectAndNeverOneTwiceAtOnce() throws Exception {
        var informer = follow();
        var running = new HashMap<ObjectKey, Integer>();
        var doubles = new AtomicInteger();
        var controller =
                Controller.named(
                                "copies",
                                key -> {
                                    synchronized (running) {
                                        doubles.addAndGet(
                                                running.merge(key, 1, Integer::sum) > 1 ? 1 : 0);
                                    }
                                    var object = informer.get(key);
                                    if (object.isPresent()
                                            && object.get().label("done").isEmpty()) {
                                        var labelled = ObjectTree.builder();
                                        var labels = ObjectTree.builder();
                                        labels.put("done", "yes");
                                        var metadata = ObjectTree.builder();
                                        metadata.put("labels", labels.build());
                                        labelled.put("metadata", metadata.build());
                                        informer.observed(
                                                client.withFieldManager("ctl")
                                                        .mergePatch(
                                                                Types.CONFIG_MAP,
                                                                key,
                                                                labelled.build()));
                                    }
                                    synchronized (running) {
                                        running.merge(key, -1, Integer::sum);
                                    }
                                    return Result.done();
                                })
                        .watch(informer)
                        .workers(8)
                        .build();
        opened.add(controller);
        controller.start();
        for (int i = 0; i < 40; i++) {
            client.create(Types.CONFIG_MAP, configMap("c" + i, "1"));
        }
        Await.until(
                "all are labelled",
                () ->
                        informer.list().stream().filter(o -> o.label("done").isPresent()).count()
                                == 40);
        assertEquals(0, doubles.get());
        server.faults().forgetRequests();
        awaitSame(informer);
        long patches =
                server.faults().requests().stream().filter(r -> r.method().equals("PATCH")).count();
        assertEquals(0, patches, "a state that is right is not written again");
    }

    @Test
    void electsOneLeaderAndTheNextWhenItGoes() throws Exception {
        var timing =
                new LeaseTiming(
                        Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(200));
        var listener =
                new LeaderElector.Listener() {
                    @Override
                    public void onStartedLeading() {}

                    @Override
                    public void onStoppedLeading() {}
                };
        var first = LeaderElector.of(client, key("lease"), "one", timing);
        var second = LeaderElector.of(client, key("lease"), "two", timing);
        opened.add(first);
        opened.add(second);
        first.start(listener);
        Await.until("the first leads", first::leading);
        second.start(listener);
        Await.until("the second stands by", second::standingBy);
        assertTrue(first.leading());
        assertFalse(second.leading());
        first.close();
        Await.until("the second leads", second::leading);
        assertFalse(first.leading());
    }

    @Test
    void keepsUpWithManyWritersAtOnce() throws Exception {
        var informer = follow();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int writer = 0; writer < 8; writer++) {
                int number = writer;
                threads.submit(
                        () -> {
                            for (int i = 0; i < 25; i++) {
                                client.apply(Types.CONFIG_MAP, configMap("w" + number, "" + i));
                            }
                            return null;
                        });
            }
        }
        awaitSame(informer);
        assertEquals(8, informer.list().size());
    }
}
