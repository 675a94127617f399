package lvms.k8s.informer;

import static lvms.k8s.client.Bodies.configMap;
import static lvms.k8s.client.Bodies.event;
import static lvms.k8s.client.Bodies.list;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.Await;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.tests.runner.Behaviour;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** What a program's own functions throw costs neither an event nor the thread that follows. */
@Safety(32)
class InformerFailureTests extends InformerCase {
    /** A list with {@code a}, then {@code b} is added and {@code a} is changed. */
    private KubeClient twoObjects() throws Exception {
        return serve(
                (request, reply) -> {
                    if (request.isStreamingList()) {
                        reply.send(422, "");
                    } else if (request.isWatch()) {
                        reply.stream().chunk(event("ADDED", configMap("b", "v", 6)));
                        reply.chunk(event("MODIFIED", configMap("a", "u", 7)));
                        reply.hold();
                    } else {
                        reply.send(200, list(5, configMap("a", "u", 5)));
                    }
                });
    }

    private Informer started(Informer informer) {
        closing(informer);
        informer.addHandler((_, after) -> after.ifPresent(o -> seen.add(o.resourceVersion())));
        informer.start();
        return informer;
    }

    @Test
    @Behaviour(101)
    void anIndexThatThrowsHidesNoChange() throws Exception {
        var informer =
                started(
                        Informer.of(twoObjects(), Types.CONFIG_MAP)
                                .timing(FAST)
                                .index("bad", InformerFailureTests::failing)
                                .index("name", object -> List.of(object.name()))
                                .build());
        awaitContents("au7 bv6", informer);
        assertEquals(List.of("5", "6", "7"), seen);
        assertEquals(1, informer.byIndex("name", "a").size());
        assertEquals("7", informer.byIndex("name", "a").getFirst().resourceVersion());
        assertEquals(List.of(), informer.byIndex("bad", "a"));
        assertEquals(1, informer.byIndex("bad", "b").size(), "it fails for one object only");
    }

    private static List<String> failing(KubeObject object) {
        if (object.name().equals("a")) {
            throw new IllegalStateException("a bug");
        }
        return List.of(object.name());
    }

    @Test
    @Behaviour(101)
    void whatCannotBeTrimmedIsKeptWhole() throws Exception {
        var informer =
                started(
                        Informer.of(twoObjects(), Types.CONFIG_MAP)
                                .timing(FAST)
                                .transform(
                                        object -> {
                                            throw new StackOverflowError("a bug");
                                        })
                                .build());
        awaitContents("au7 bv6", informer);
        assertEquals(List.of("5", "6", "7"), seen);
    }

    @Test
    @Behaviour({55, 102})
    void aHandlerThatThrowsIsToldAgain() throws Exception {
        var broken = new AtomicBoolean(true);
        var told = new CopyOnWriteArrayList<String>();
        var informer = closing(Informer.of(twoObjects(), Types.CONFIG_MAP).timing(FAST).build());
        informer.addHandler(
                (before, after) -> {
                    if (broken.get()) {
                        throw new IllegalStateException("not now");
                    }
                    told.add(
                            before.map(KubeObject::resourceVersion).orElse("-")
                                    + ">"
                                    + after.map(KubeObject::resourceVersion).orElse("-"));
                });
        informer.start();
        awaitContents("au7 bv6", informer);
        assertEquals(List.of(), told);
        assertTrue(informer.handlerFailures() >= 3);
        broken.set(false);
        Await.until("both were told, once each", () -> told.size() == 2);
        assertEquals(List.of("->6", "->7"), told.stream().sorted().toList());
    }

    @Test
    void endsWhenItsClientIsClosedBeforeIt() throws Exception {
        var client = twoObjects();
        var informer = started(Informer.of(client, Types.CONFIG_MAP).timing(FAST).build());
        awaitContents("au7 bv6", informer);
        client.close();
        Await.until("it has ended", () -> !informer.following());
        assertEquals("au7 bv6", contents(informer), "the cache stays");
    }

    /** As an interrupt that a handler or a transform leaves behind. */
    @Test
    @Behaviour(102)
    void anInterruptThatNobodyMeantEndsNothing() throws Exception {
        var interrupts = new AtomicInteger();
        var informer =
                started(
                        Informer.of(twoObjects(), Types.CONFIG_MAP)
                                .timing(FAST)
                                .transform(
                                        object -> {
                                            if (interrupts.incrementAndGet() < 3) {
                                                Thread.currentThread().interrupt();
                                            }
                                            return object;
                                        })
                                .build());
        awaitContents("au7 bv6", informer);
        assertTrue(informer.following());
        informer.close();
        assertFalse(informer.following());
    }
}
