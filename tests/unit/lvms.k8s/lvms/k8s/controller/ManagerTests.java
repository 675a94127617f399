package lvms.k8s.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.Await;
import lvms.k8s.client.Bodies;
import lvms.k8s.client.FakeServer;
import lvms.k8s.client.KubeClient;
import lvms.k8s.election.LeaderElector;
import lvms.k8s.election.LeaseStore;
import lvms.k8s.election.LeaseTiming;
import lvms.k8s.health.Check;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

/** A process starts and ends its parts in order, and says by its code why it ended. */
@Timeout(120)
class ManagerTests {
    private static final LeaseTiming TIMING =
            new LeaseTiming(Duration.ofMinutes(30), Duration.ofMinutes(20), Duration.ofMillis(50));

    private final List<String> done = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Integer> halted = new CompletableFuture<>();
    private final Manager manager = Manager.named("test", halted::complete);
    private final LeaseStore leases = new LeaseStore();
    private final CountDownLatch list = new CountDownLatch(1);
    private final HttpClient http = HttpClient.newHttpClient();
    private FakeServer server;
    private KubeClient client;

    @BeforeEach
    void open() throws Exception {
        server = FakeServer.start(this::answer);
        client = server.client();
        manager.health(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @AfterEach
    void close() throws Exception {
        list.countDown();
        manager.close();
        http.close();
        client.close();
        server.close();
    }

    private void answer(FakeServer.Request request, FakeServer.Reply reply)
            throws IOException, InterruptedException {
        if (request.path().contains("/leases")) {
            leases.answer(request, reply);
        } else {
            reply.stream();
            list.await();
            reply.chunk(Bodies.initialEnd(1));
            reply.hold();
        }
    }

    private LeaderElector elector() {
        return LeaderElector.of(client, ObjectKey.of("ns", "l"), "me", TIMING);
    }

    private FutureTask<Integer> run() {
        var running = new FutureTask<>(manager::run);
        Thread.ofVirtual().start(running);
        return running;
    }

    private void part(String name) {
        manager.leading(() -> done.add("end " + name), () -> done.add("start " + name));
    }

    private int status(String path) {
        var address = manager.healthAddress().orElseThrow();
        var uri = URI.create("http://127.0.0.1:" + address.getPort() + path);
        try {
            return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @Behaviour({67, 76, 93})
    void readinessGoesFirstThenPassesEndThenTheLeaseIsReleasedAndTheRestIsClosed()
            throws Exception {
        var entered = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        var informer = Informer.of(client, Types.CONFIG_MAP).build();
        var controller =
                Controller.named(
                                "c",
                                _ -> {
                                    entered.countDown();
                                    release.await();
                                    done.add("pass ended while " + leases.holder() + " leads");
                                    return Result.done();
                                })
                        .watch(informer)
                        .build();
        manager.closing(() -> done.add("client closed, lease of [" + leases.holder() + "]"));
        manager.closing(() -> done.add("events closed, following " + informer.following()));
        manager.informers(informer).controllers(controller).elector(elector());
        list.countDown();
        var running = run();
        Await.until("it leads", () -> leases.holder().equals("me"));
        controller.enqueue(ObjectKey.of("ns", "a"));
        entered.await();
        Await.until("it is ready", () -> status("/readyz") == 200);
        manager.end(0);
        Await.until("it is not ready", () -> status("/readyz") == 500);
        assertEquals(500, status("/readyz/shutdown"));
        assertEquals(200, status("/healthz"));
        assertEquals("me", leases.holder());
        release.countDown();
        assertEquals(0, running.get());
        assertEquals(
                List.of(
                        "pass ended while me leads",
                        "events closed, following false",
                        "client closed, lease of []"),
                done);
    }

    /** As a call into native code, or a loop that swallows interrupts. */
    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException _) {
                // this is what it is about
            }
        }
    }

    @Test
    @Behaviour({67, 76})
    void aPassThatHangsIsInterruptedInTimeForTheLeaseToBeReleased() throws Exception {
        var entered = new CountDownLatch(1);
        var controller =
                Controller.named(
                                "c",
                                _ -> {
                                    entered.countDown();
                                    try {
                                        new CountDownLatch(1).await();
                                    } finally {
                                        done.add("interrupted while " + leases.holder() + " leads");
                                    }
                                    return Result.done();
                                })
                        .build();
        manager.grace(Duration.ofSeconds(2)).controllers(controller).elector(elector());
        var running = run();
        controller.enqueue(ObjectKey.of("ns", "a"));
        entered.await();
        manager.end(0);
        assertEquals(0, running.get());
        assertEquals(List.of("interrupted while me leads"), done);
        assertEquals("", leases.holder());
    }

    @Test
    @Behaviour({67, 76})
    void aHandlerThatHangsKeepsNeitherTheProcessNorItsLease() throws Exception {
        var entered = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        var informer = Informer.of(client, Types.CONFIG_MAP).build();
        informer.addHandler(
                (_, _) -> {
                    entered.countDown();
                    awaitUninterruptibly(release);
                });
        manager.grace(Duration.ofMillis(500)).informers(informer).elector(elector());
        manager.leading(
                () -> done.add("closed"),
                () -> {
                    entered.await();
                    throw new IOException("the socket is in use");
                });
        list.countDown();
        var running = run();
        Await.until("synced", informer::synced);
        Thread.ofVirtual().start(() -> informer.observed(Bodies.object("a", "u", 2)));
        assertEquals(1, halted.get());
        Await.until("another process may lead", () -> leases.holder().isEmpty());
        assertEquals(List.of("closed"), done);
        assertFalse(running.isDone());
        release.countDown();
        assertEquals(1, running.get());
    }

    @Test
    @Behaviour(76)
    void aLeaseOfItsOwnerIsGivenAwayToo() throws Exception {
        var release = new CountDownLatch(1);
        var elector = manager.closingLease(elector());
        manager.closing(release::await); // closed before the lease
        manager.grace(Duration.ofMillis(500));
        manager.start();
        elector.start(manager.whenLeading(() -> done.add("leads"), elector.margin()));
        Await.until("it leads", () -> done.contains("leads"));
        manager.end(0);
        var closing = Thread.ofVirtual().start(manager::close);
        assertEquals(1, halted.get(), "it did not end as it was told to");
        Await.until("another process may lead", () -> leases.holder().isEmpty());
        release.countDown();
        closing.join();
    }

    /** A process that leads, whose one pass or part hangs; it keeps its lease itself. */
    static final class Program {
        private static final LeaseStore LEASES = new LeaseStore();

        private static void answer(FakeServer.Request request, FakeServer.Reply reply)
                throws IOException {
            if (!request.method().equals("GET") && !request.body().contains("\"me\"")) {
                System.out.println("released");
            }
            LEASES.answer(request, reply);
        }

        private static void hang(String what) throws InterruptedException {
            System.out.println(what);
            new CountDownLatch(1).await();
        }

        public static void main(String[] arguments) throws Exception {
            var client = FakeServer.start(Program::answer).client();
            var manager = Manager.named("test").grace(Duration.ofSeconds(5));
            Reconciler<ObjectKey> reconciler =
                    _ -> {
                        hang("passing");
                        return Result.done();
                    };
            var controller = Controller.named("c", reconciler).build();
            controller.enqueue(ObjectKey.of("ns", "a"));
            manager.elector(LeaderElector.of(client, ObjectKey.of("ns", "l"), "me", TIMING));
            if (arguments[0].equals("pass")) {
                manager.controllers(controller);
            } else {
                manager.leading(() -> hang("closing"), () -> System.out.println("working"));
            }
            System.exit(manager.run());
        }
    }

    private static Process program(String argument) throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var path = System.getProperty("java.class.path");
        return new ProcessBuilder(java, "-cp", path, Program.class.getName(), argument)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    @ParameterizedTest
    @Behaviour({76, 93})
    @CsvSource({"pass, passing released, 0", "part, working closing released, 1"})
    void aSignalEndsAProcessThatHangsAndItsLeaseIsFree(String what, String lines, int code)
            throws Exception {
        var process = program(what);
        var output = process.inputReader();
        var said = new ArrayList<>(List.of(output.readLine()));
        process.toHandle().destroy(); // which keeps its output open
        for (var line = output.readLine(); line != null; line = output.readLine()) {
            said.add(line);
        }
        // A renewal that came late may be in the way of the first try to release the lease.
        assertEquals(List.of(lines.split(" ")), said.stream().distinct().toList());
        assertEquals(code, process.waitFor());
    }

    @Test
    void theTimeOfAnEndIsLessThanKubernetesGivesAPod() {
        var grace = Grace.DEFAULT;
        var passes = grace.passes().plus(grace.interrupted());
        assertTrue(passes.compareTo(grace.whole().minusSeconds(4)) < 0, "the lease takes time");
        assertTrue(Manager.LONGEST_END.compareTo(Duration.ofSeconds(30)) < 0);
    }

    @Test
    @Behaviour(93)
    void aLostLeaseEndsTheProcessWithCodeOne() throws Exception {
        part("work");
        manager.elector(elector());
        var running = run();
        Await.until("it leads", () -> done.contains("start work"));
        leases.heldBy("other", Duration.ofHours(1), "2026-01-01T00:00:00.000000Z");
        assertEquals(1, running.get());
        assertEquals(List.of("start work", "end work"), done);
        assertFalse(halted.isDone(), "it ended in time");
    }

    @Test
    void onlyWhatNeedsNoLeaseRunsBeforeThisProcessLeads() {
        leases.heldBy("other", Duration.ofHours(1), "2026-01-01T00:00:00.000000Z");
        var elector = elector();
        part("leader's");
        manager.always(() -> done.add("end everybody's"), () -> done.add("start everybody's"));
        manager.elector(elector);
        run();
        Await.until("it stands by", elector::standingBy);
        assertEquals(List.of("start everybody's"), done);
        leases.heldBy("", Duration.ofSeconds(1), "2026-01-01T00:00:00.000000Z");
        Await.until("it works", () -> done.contains("start leader's"));
    }

    @Test
    void withoutAnElectionTheWorkBeginsAtOnceInTheOrderInWhichItWasGiven() throws Exception {
        part("first");
        part("second");
        manager.start();
        assertEquals(List.of("start first", "start second"), done);
    }

    @Test
    void aPartThatCannotStartEndsTheProcessWithCodeOne() throws Exception {
        manager.leading(
                () -> done.add("closed"),
                () -> {
                    throw new IOException("the socket is in use");
                });
        assertEquals(1, run().get());
        assertEquals(List.of("closed"), done);
    }

    @Test
    void itIsReadyWhenTheInformersFollowAndTheChecksOfItsOwnerPass() throws Exception {
        var own = new CountDownLatch(1);
        manager.informers(Informer.of(client, Types.CONFIG_MAP).build())
                .ready(new Check("own", () -> own.getCount() == 0))
                .live(new Check("alive", () -> true));
        manager.start();
        assertEquals(200, status("/healthz/alive"));
        assertEquals(500, status("/readyz/informer-configmaps"));
        list.countDown();
        Await.until("it follows", () -> status("/readyz/informer-configmaps") == 200);
        assertEquals(500, status("/readyz"));
        own.countDown();
        assertEquals(200, status("/readyz"));
    }

    @Test
    void whatIsStartedAfterTheEndDoesNotStart() throws Exception {
        part("late");
        manager.close();
        manager.start();
        assertTrue(done.stream().noneMatch("start late"::equals), done::toString);
    }
}
