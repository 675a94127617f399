package lvms.k8s.informer;

import static lvms.k8s.client.Bodies.configMap;
import static lvms.k8s.client.Bodies.event;
import static lvms.k8s.client.Bodies.list;
import static lvms.k8s.client.Bodies.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.Await;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.runner.Behaviour;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

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

    /** The store could not tell a later state from an earlier one, or one object from another. */
    @ParameterizedTest
    @MethodSource("harmful")
    @Behaviour({54, 101})
    void aTransformCannotTakeWhatTheStoreNeeds(UnaryOperator<KubeObject> transform)
            throws Exception {
        var informer =
                started(
                        Informer.of(twoObjects(), Types.CONFIG_MAP)
                                .timing(FAST)
                                .transform(transform)
                                .build());
        awaitContents("au7 bv6", informer);
        assertTrue(informer.get(ObjectKey.of("ns", "a")).isPresent());
        assertEquals(List.of("5", "6", "7"), seen);
    }

    static List<UnaryOperator<KubeObject>> harmful() {
        return List.of(
                _ -> null,
                object -> object.without("metadata", "resourceVersion"),
                object -> object.without("metadata", "uid"),
                object -> object.without("metadata", "namespace"),
                object -> object.with("same", "metadata", "name"),
                object -> object.without("metadata"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Behaviour(54)
    void noManagedFieldsAreKeptOfWhatCannotBeTrimmed(boolean throwing) throws Exception {
        var managed = configMap("a", "u", 5).replace("\"uid\"", "\"managedFields\":[{}],\"uid\"");
        var informer =
                started(
                        Informer.of(
                                        serve(
                                                (request, reply) -> {
                                                    if (request.isStreamingList()) {
                                                        reply.send(422, "");
                                                    } else if (request.isWatch()) {
                                                        reply.stream().hold();
                                                    } else {
                                                        reply.send(200, list(5, managed));
                                                    }
                                                }),
                                        Types.CONFIG_MAP)
                                .timing(FAST)
                                .transform(
                                        object -> {
                                            if (throwing) {
                                                throw new IllegalStateException("a bug");
                                            }
                                            return null;
                                        })
                                .build());
        awaitContents("au5", informer);
        assertEquals(object("a", "u", 5), informer.list().getFirst());
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
