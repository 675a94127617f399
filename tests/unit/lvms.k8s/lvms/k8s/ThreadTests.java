package lvms.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.Await;
import lvms.k8s.client.Bodies;
import lvms.k8s.client.FakeServer;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.Controller;
import lvms.k8s.controller.Result;
import lvms.k8s.election.LeaderElector;
import lvms.k8s.election.LeaseStore;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** What a program uses costs no thread of the platform but one selector for each pool. */
@Timeout(60)
class ThreadTests {
    /** Those of the JDK below virtual threads, sockets and its own clean-up. */
    private static final String OF_THE_JDK =
            "ForkJoinPool-1-(worker-\\d+|delayScheduler)|VirtualThread-.*|.*[Pp]oller.*"
                    + "|.*-?[Cc]leaner.*|.*unparker.*";

    private final LeaseStore leases = new LeaseStore();

    private void answer(FakeServer.Request request, FakeServer.Reply reply)
            throws IOException, InterruptedException {
        if (request.path().contains("/leases")) {
            leases.answer(request, reply);
        } else if (request.isWatch()) {
            reply.stream();
            reply.chunk(Bodies.event("ADDED", Bodies.configMap("a", "u", 1)));
            reply.chunk(Bodies.initialEnd(1));
            reply.hold();
        } else {
            reply.send(201, request.body());
        }
    }

    private static Set<Thread> threads() {
        return new HashSet<>(Thread.getAllStackTraces().keySet()); // those of the platform
    }

    private static List<String> since(Set<Thread> before) {
        var more = threads();
        more.removeAll(before);
        return more.stream()
                .map(Thread::getName)
                .filter(name -> !name.matches(OF_THE_JDK))
                .sorted()
                .toList();
    }

    private static LeaderElector.Listener listener() {
        return new LeaderElector.Listener() {
            @Override
            public void onStartedLeading() {}

            @Override
            public void onStoppedLeading() {}
        };
    }

    /** Returns which threads there are while everything works. */
    private static List<String> use(KubeClient client, Set<Thread> before) throws Exception {
        var passes = new AtomicInteger();
        try (var elector = LeaderElector.of(client, ObjectKey.of("ns", "l"), "me");
                var events = EventRecorder.open(client, "example.com/test", "me");
                var maps = Informer.of(client, Types.CONFIG_MAP).build();
                var controller =
                        Controller.named(
                                        "c",
                                        key -> {
                                            events.record(
                                                    maps.get(key).orElseThrow(),
                                                    EventRecorder.Type.NORMAL,
                                                    "Seen",
                                                    "See",
                                                    "it is there");
                                            passes.incrementAndGet();
                                            return Result.done();
                                        })
                                .watch(maps)
                                .workers(20)
                                .build()) {
            elector.start(listener());
            controller.start();
            Await.until("a pass of a leader", () -> passes.get() > 0 && elector.leading());
            return since(before);
        }
    }

    @Test
    void onlyTheSelectorsOfTheConnectionsAreOfThePlatform() throws Exception {
        try (var server = FakeServer.start(this::answer)) {
            var before = threads();
            try (var client = server.client()) {
                assertEquals(List.of(), since(before), "no pool without a request");
                var more = use(client, before);
                assertTrue(more.stream().allMatch(n -> n.matches("HttpClient-.*")), more::toString);
                assertTrue(more.size() <= 3, more::toString); // calls, watches, election
            }
        }
    }
}
