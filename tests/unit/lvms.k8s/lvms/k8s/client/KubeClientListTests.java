package lvms.k8s.client;

import static lvms.k8s.client.Bodies.configMap;
import static lvms.k8s.client.Bodies.list;
import static lvms.k8s.client.Bodies.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.k8s.object.Types;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** A list is whole and of one version, or it is a failure. */
class KubeClientListTests extends KubeClientCase {
    @Test
    void listsAllPagesAtOneVersion() throws Exception {
        int total = 1203;
        var client =
                client(
                        (request, reply) -> {
                            int from = Integer.parseInt(request.parameter("continue").orElse("0"));
                            int limit = Integer.parseInt(request.parameter("limit").orElseThrow());
                            int to = Math.min(total, from + limit);
                            var items = new ArrayList<String>();
                            for (int i = from; i < to; i++) {
                                items.add("{\"metadata\":{\"name\":\"n" + i + "\"}}");
                            }
                            var more = to < total ? ",\"continue\":\"" + to + "\"" : "";
                            reply.send(
                                    200,
                                    "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\","
                                            + "\"metadata\":{\"resourceVersion\":\"9\""
                                            + more
                                            + "},\"items\":["
                                            + String.join(",", items)
                                            + "]}");
                        });
        var list = client.list(Types.CONFIG_MAP, ListOptions.all());
        var names = new HashSet<String>();
        list.forEach(o -> names.add(o.name()));
        assertEquals(total, list.size());
        assertEquals(total, names.size());
        assertEquals("9", list.resourceVersion());
        assertEquals("ConfigMap", list.items().getFirst().kind());
        assertEquals("v1", list.items().getFirst().apiVersion());
        assertEquals(3, server().requests().size());
    }

    @Test
    @Behaviour(26)
    void listsWithoutPagesWhenATokenExpires() throws Exception {
        var client =
                client(
                        (request, reply) -> {
                            if (request.parameter("continue").isPresent()) {
                                reply.send(410, status(410, "Expired", "too old"));
                            } else if (request.parameter("limit").isPresent()) {
                                reply.send(
                                        200,
                                        list(5, configMap("a", "u", 1))
                                                .replace("\"5\"", "\"5\",\"continue\":\"t\""));
                            } else {
                                reply.send(
                                        200,
                                        list(6, configMap("a", "u", 1), configMap("b", "v", 6)));
                            }
                        });
        var list = client.list(Types.CONFIG_MAP, ListOptions.all());
        assertEquals(2, list.size());
        assertEquals("6", list.resourceVersion());
    }

    @Test
    @Behaviour(26)
    void reports410OfTheFirstPage() throws Exception {
        var client = client((_, reply) -> reply.send(410, status(410, "Expired", "old")));
        assertThrows(
                ApiException.Gone.class, () -> client.list(Types.CONFIG_MAP, ListOptions.all()));
        assertEquals(1, server().requests().size());
    }

    @Test
    @Behaviour(28)
    void readsEmptyListsInAllTheirForms() throws Exception {
        var forms =
                List.of(
                        list(1),
                        "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":"
                                + "{\"resourceVersion\":\"1\"},\"items\":null}",
                        "{\"items\":[],\"metadata\":{\"resourceVersion\":\"1\"},"
                                + "\"apiVersion\":\"v1\",\"kind\":\"ConfigMapList\"}");
        var client = client(numbered((n, _, reply) -> reply.send(200, forms.get(n - 1))));
        for (int i = 0; i < forms.size(); i++) {
            assertEquals(0, client.list(Types.CONFIG_MAP, ListOptions.all()).size());
        }
    }

    @Test
    @Behaviour(15)
    void decodesGzipAndRefusesAHalfOne() throws Exception {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(list(4, configMap("a", "u", 4)).getBytes(StandardCharsets.UTF_8));
        }
        var whole = packed.toByteArray();
        var half = Arrays.copyOf(whole, whole.length / 2);
        var client =
                client(
                        numbered(
                                (n, _, reply) ->
                                        reply.send(
                                                200,
                                                n == 1 ? whole : half,
                                                "Content-Encoding: gzip")));
        assertEquals(1, client.list(Types.CONFIG_MAP, ListOptions.all()).size());
        assertEquals("gzip", only().header("accept-encoding"));
        assertThrows(
                ApiException.Unreachable.class,
                () -> client.list(Types.CONFIG_MAP, ListOptions.all()));
    }
}
