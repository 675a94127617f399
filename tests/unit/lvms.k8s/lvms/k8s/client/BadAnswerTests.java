package lvms.k8s.client;

import static lvms.k8s.client.Bodies.configMap;
import static lvms.k8s.client.Bodies.event;
import static lvms.k8s.client.Bodies.list;
import static lvms.k8s.client.Bodies.object;
import static lvms.k8s.client.Bodies.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * A server, or what stands before it, that answers something else than it should: a call fails with
 * one line, keeps no secret in it and little in memory, and does not ask again what stays wrong.
 */
class BadAnswerTests extends KubeClientCase {
    private static void assertOneShortLine(ApiException failure) {
        var message = failure.getMessage();
        assertTrue(message.length() < 400, message);
        assertEquals(1, message.lines().count(), message);
        assertFalse(message.contains("hush"), message);
    }

    static Stream<String> wrongBodiesOfAnObject() {
        return Stream.of(
                "",
                "   ",
                "<html><head><title>Sign in</title></head><body>hush</body></html>",
                "hush",
                "\"hush\"",
                "[{\"kind\":\"ConfigMap\"}]",
                "{\"kind\":\"ConfigMap\"",
                "{\"kind\":\"ConfigMap\"} {\"kind\":\"ConfigMap\"}",
                "{\"data\":{\"k\":1e99999999999}}",
                "{\"a\":".repeat(100_000),
                "[".repeat(100_000));
    }

    @ParameterizedTest
    @MethodSource("wrongBodiesOfAnObject")
    @Behaviour(14)
    void whatIsNotAnObjectIsOneLineAndNotAskedForAgain(String body) throws Exception {
        var client = client((_, reply) -> reply.send(200, body));
        var failure =
                assertThrows(ApiException.Unreachable.class, () -> client.get(Types.CONFIG_MAP, A));
        assertOneShortLine(failure);
        assertEquals(1, server().requests().size());
        var written =
                assertThrows(
                        ApiException.Unreachable.class,
                        () -> client.mergePatch(Types.CONFIG_MAP, A, ObjectTree.EMPTY));
        assertTrue(written.outcomeUnknown(), "the server may have acted");
        assertEquals(2, server().requests().size());
        var listed =
                assertThrows(
                        ApiException.Unreachable.class,
                        () -> client.list(Types.CONFIG_MAP, ListOptions.all()));
        assertOneShortLine(listed);
        assertEquals(3, server().requests().size());
    }

    @Test
    void saysThatAPageOfAProxyCame() throws Exception {
        var page = "<html><head><title>Sign  in\n now</title></head><body>hush</body></html>";
        var client = client((_, reply) -> reply.send(200, page));
        var failure =
                assertThrows(ApiException.Unreachable.class, () -> client.get(Types.CONFIG_MAP, A));
        assertEquals(
                "get configmaps ns/a: the answer is not JSON: Sign in now", failure.getMessage());
    }

    @Test
    void anotherKindThanAListIsNoList() throws Exception {
        var client = client((_, reply) -> reply.send(200, configMap("a", "u", 1)));
        var failure =
                assertThrows(
                        ApiException.Unreachable.class,
                        () -> client.list(Types.CONFIG_MAP, ListOptions.all()));
        assertTrue(failure.getMessage().endsWith("the answer is not a list of configmaps"));
    }

    @Test
    void textThatIsNotUtf8IsRefusedNotGuessed() throws Exception {
        var bad = list(4, configMap("a?", "u", 4)).getBytes(StandardCharsets.UTF_8);
        bad[new String(bad, StandardCharsets.UTF_8).indexOf('?')] = (byte) 0xC3;
        var client = client((_, reply) -> reply.send(200, bad));
        for (var failure :
                List.of(
                        assertThrows(
                                ApiException.Unreachable.class,
                                () -> client.list(Types.CONFIG_MAP, ListOptions.all())),
                        assertThrows(
                                ApiException.Unreachable.class,
                                () -> client.get(Types.CONFIG_MAP, A)))) {
            assertTrue(failure.getMessage().endsWith("not UTF-8"), failure.getMessage());
        }
    }

    /** A page of a proxy that shows the request may have our token in it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<html><body>Authorization: Bearer hush-hush-hush</body></html>",
                "you sent hush-token-of-ours, which is unknown",
                "{\"kind\":\"Secret\",\"data\":{\"password\":\"hush\"}}",
                "[\"hush\"]",
                "password=hush-hush",
                "see http://me:hush@proxy:1/",
                "Basic hush-hush-hush",
            })
    @Behaviour(14)
    void noMessageHoldsASecret(String body) throws Exception {
        serve((_, reply) -> reply.send(403, body));
        var config = KubeConfig.builder(server().url()).token("hush-token-of-ours").build();
        var client = closing(KubeClient.open(config, "t"));
        var failure =
                assertThrows(ApiException.Forbidden.class, () -> client.get(Types.CONFIG_MAP, A));
        assertOneShortLine(failure);
    }

    @Test
    @Behaviour(14)
    void aStatusThatRepeatsOurTokenIsShownWithoutIt() throws Exception {
        serve((_, reply) -> reply.send(403, status(403, "Forbidden", "who is hush-token?")));
        var config = KubeConfig.builder(server().url()).token("hush-token").build();
        var client = closing(KubeClient.open(config, "t"));
        var failure =
                assertThrows(ApiException.Forbidden.class, () -> client.get(Types.CONFIG_MAP, A));
        assertTrue(failure.getMessage().contains("who is ***?"), failure.getMessage());
    }

    @Test
    @Behaviour(12)
    void aLongMessageOfTheServerIsCut() throws Exception {
        var client =
                client((_, reply) -> reply.send(422, status(422, "Invalid", "x".repeat(1 << 20))));
        var failure =
                assertThrows(ApiException.Invalid.class, () -> client.get(Types.CONFIG_MAP, A));
        assertTrue(failure.getMessage().length() < 5000);
    }

    @Test
    @Behaviour(12)
    void anErrorBodyWithoutAnEndIsCut() throws Exception {
        var client =
                client(
                        (_, reply) -> {
                            reply.raw("HTTP/1.1 502 Bad\r\nTransfer-Encoding: chunked\r\n\r\n");
                            while (true) {
                                reply.chunk("x".repeat(10_000));
                            }
                        });
        var failure =
                assertThrows(
                        ApiException.ServerError.class,
                        () -> client.mergePatch(Types.CONFIG_MAP, A, ObjectTree.EMPTY));
        assertEquals(502, failure.code());
        assertOneShortLine(failure);
    }

    @Test
    @Behaviour(12)
    void anErrorBodyThatBreaksOffKeepsItsCode() throws Exception {
        var client =
                client(
                        (_, reply) ->
                                reply.raw("HTTP/1.1 422 Bad\r\nContent-Length: 100\r\n\r\nhalf"));
        var failure =
                assertThrows(ApiException.Invalid.class, () -> client.get(Types.CONFIG_MAP, A));
        assertEquals(422, failure.code());
        var listed =
                assertThrows(
                        ApiException.Invalid.class,
                        () -> client.list(Types.CONFIG_MAP, ListOptions.all()));
        assertEquals(422, listed.code());
    }

    @Test
    void anObjectWithoutAnEndIsNotKept() throws Exception {
        var client =
                client(
                        (_, reply) -> {
                            reply.stream().chunk("{\"data\":{\"k\":\"");
                            while (true) {
                                reply.chunk("x".repeat(100_000));
                            }
                        });
        var failure =
                assertThrows(ApiException.Unreachable.class, () -> client.get(Types.CONFIG_MAP, A));
        assertTrue(failure.getMessage().contains("more than 16777216 bytes"));
        assertEquals(1, server().requests().size(), "it would be as large again");
        Await.until("the connection is not kept", () -> server().connections() == 0);
        var listed =
                assertThrows(
                        ApiException.Unreachable.class,
                        () -> client.list(Types.CONFIG_MAP, ListOptions.all()));
        assertTrue(listed.getMessage().contains("more than 16777216 bytes"));
        assertEquals(2, server().requests().size());
    }

    /** A few kilobytes that unpack to one text of gigabytes. */
    @Test
    void aCompressedBombIsNotUnpacked() throws Exception {
        var bomb = gzip("{\"kind\":\"ConfigMapList\",\"items\":[{\"data\":\"", 64 << 20);
        var client = client((_, reply) -> reply.send(200, bomb, "Content-Encoding: gzip"));
        var failure =
                assertThrows(
                        ApiException.Unreachable.class,
                        () -> client.list(Types.CONFIG_MAP, ListOptions.all()));
        assertTrue(failure.getMessage().contains("more than"), failure.getMessage());
    }

    private static byte[] gzip(String head, int more) {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(head.getBytes(StandardCharsets.UTF_8));
            var block = "x".repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < more; i += block.length) {
                gzip.write(block);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }

    /** A list may be as long as the cluster is large: only a single object is limited. */
    @Test
    void aLongListOfUsualObjectsIsRead() throws Exception {
        var item = object("a", "u", 1).with("y".repeat(1 << 20), "data", "k").toJson();
        var client =
                client(
                        (_, reply) -> {
                            reply.stream()
                                    .chunk(
                                            "{\"apiVersion\":\"v1\",\"kind\":"
                                                    + "\"ConfigMapList\",\"items\":["
                                                    + item);
                            for (int i = 0; i < 40; i++) {
                                reply.chunk("," + item);
                            }
                            reply.chunk("]}").end();
                        });
        var sizes =
                client.list(
                        Types.CONFIG_MAP,
                        ListOptions.all(),
                        o -> KubeObject.create(Types.CONFIG_MAP, o.key()));
        assertEquals(41, sizes.size());
    }

    /** HTTP's code is what proxies, caches and the server agree on. */
    @ParameterizedTest
    @CsvSource({"403, 404, Forbidden", "404, 409, Misdirected", "500, 200, ServerError"})
    void theCodeOfTheAnswerCountsNotThatOfItsBody(int http, int body, String expected)
            throws Exception {
        var client = client((_, reply) -> reply.send(http, status(body, "Other", "m")));
        var failure = assertThrows(ApiException.class, () -> client.get(Types.CONFIG_MAP, A));
        assertEquals(http, failure.code());
        assertEquals(expected, failure.getClass().getSimpleName());
    }

    @ParameterizedTest
    @CsvSource({"409, Conflict", "410, Gone", "200, ServerError", "99999999999, ServerError"})
    void aFailureInAGoodAnswerHasTheCodeOfItsBody(String code, String expected) throws Exception {
        var body = status(0, "Other", "m").replace("\"code\":0", "\"code\":" + code);
        var client = client((_, reply) -> reply.send(200, body));
        var failure = assertThrows(ApiException.class, () -> client.get(Types.CONFIG_MAP, A));
        assertEquals(expected, failure.getClass().getSimpleName());
    }

    /** Headers that come when nobody waits any more must not leave an open body behind. */
    @Test
    @Behaviour(9)
    void aWatchThatIsInterruptedWhileItOpensLeavesNoConnection() throws Exception {
        var client = client((_, reply) -> reply.stream().hold());
        for (int i = 0; i < 20; i++) {
            int delay = i;
            var opener =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            client.watch(
                                                            Types.CONFIG_MAP,
                                                            ListOptions.all(),
                                                            WatchOptions.from(
                                                                    "1", Duration.ofMinutes(5)))
                                                    .close();
                                        } catch (ApiException | InterruptedException _) {
                                            Thread.currentThread().interrupt();
                                        }
                                    });
            Thread.sleep(Duration.ofNanos(delay * 200_000L));
            opener.interrupt();
            assertTrue(opener.join(Duration.ofSeconds(30)));
        }
        Await.until("no connection is left", () -> server().connections() == 0);
    }

    /** It cannot be skipped: whoever watches on from an earlier version gets it again. */
    @Test
    void anEventThatIsTooLargeBreaksTheWatchForGood() throws Exception {
        var client =
                client(
                        (_, reply) -> {
                            reply.stream();
                            for (int mib = 0; mib <= 16; mib++) {
                                reply.chunk("x".repeat(1 << 20));
                            }
                            reply.hold();
                        });
        var options = WatchOptions.from("1", Duration.ofMinutes(5));
        var watch = closing(client.watch(Types.CONFIG_MAP, ListOptions.all(), options));
        var failure =
                assertThrows(
                        MalformedWatchException.class, () -> watch.next(Duration.ofMinutes(1)));
        assertTrue(failure.getMessage().contains("more than 16777216 bytes"), "" + failure);
    }

    private KubeClient withToken(FakeServer.Script script) throws Exception {
        serve(script);
        var config = KubeConfig.builder(server().url()).token("hush-token-of-ours").build();
        return closing(KubeClient.open(config, "t"));
    }

    @Test
    @Behaviour(14)
    void aFailureInAGoodAnswerIsShownWithoutOurToken() throws Exception {
        var body =
                status(500, "Other", "who sent hush-token-of-ours?")
                        .replace(
                                "\"code\"",
                                "\"details\":{\"causes\":[{\"message\":\"hush-token-of-ours\"}]},"
                                        + "\"code\"");
        var client =
                withToken(
                        (request, reply) -> {
                            if (request.isWatch()) {
                                reply.stream().chunk(event("ERROR", body)).hold();
                            } else {
                                reply.send(200, body);
                            }
                        });
        var options = WatchOptions.from("1", Duration.ofMinutes(5));
        var watch = closing(client.watch(Types.CONFIG_MAP, ListOptions.all(), options));
        for (var failure :
                List.of(
                        assertThrows(ApiException.class, () -> client.get(Types.CONFIG_MAP, A)),
                        assertThrows(
                                ApiException.class,
                                () -> client.list(Types.CONFIG_MAP, ListOptions.all())),
                        assertThrows(
                                ApiException.class, () -> watch.next(Duration.ofMinutes(1))))) {
            assertTrue(failure.getMessage().contains("who sent ***?"), failure.getMessage());
            assertEquals("***", failure.causes().getFirst().message());
        }
    }
}
