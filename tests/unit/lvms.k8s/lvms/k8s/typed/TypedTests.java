package lvms.k8s.typed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.FakeServer;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.ResourceType;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.JsonException;
import lvms.k8s.tree.ObjectTree;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.invoke.MethodHandles;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A value that is changed and written back takes along whatever its record does not know. */
@Timeout(60)
class TypedTests {
    private static final ResourceType WIDGETS =
            new ResourceType("example.com", "v1", "Widget", "widgets", true);

    private enum Mode {
        Fast,
        Slow
    }

    private record Part(String name, long weight) {}

    private record Spec(
            String color,
            Optional<Integer> replicas,
            boolean paused,
            List<Part> parts,
            Map<String, String> options,
            Optional<Mode> mode,
            Optional<Quantity> size,
            Optional<Instant> since,
            @Member("default") Optional<ObjectTree> defaults) {
        Spec color(String other) {
            return new Spec(other, replicas, paused, parts, options, mode, size, since, defaults);
        }

        Spec parts(List<Part> others) {
            return new Spec(color, replicas, paused, others, options, mode, size, since, defaults);
        }
    }

    private record Widget(Spec spec) {}

    private static final Codec<Widget> CODEC = Codec.ofRecord(MethodHandles.lookup(), Widget.class);

    private static final String STORED =
            """
            {"apiVersion":"example.com/v1","kind":"Widget",
            "metadata":{"namespace":"ns","name":"a","uid":"u","resourceVersion":"7","labels":{"l":"x"}},
            "spec":{"color":"red","replicas":3,"future":{"deep":[1,{"x":null}]},"size":"1.5Gi",
            "parts":[{"name":"p","weight":1,"unknown":"p-kept"},{"name":"q","weight":2,"unknown":"q-kept"}],
            "options":{"o":"1"},"mode":"Slow","since":"2026-01-01T00:00:00.5Z","default":{"any":1}},
            "status":{"phase":"Ready"}}
            """;

    private static TypedObject<Widget> stored() {
        return new TypedObject<>(KubeObject.of((ObjectTree) Json.parse(STORED)), CODEC);
    }

    @Test
    void readsEveryComponent() {
        var spec = stored().value().spec();
        assertEquals("red", spec.color());
        assertEquals(Optional.of(3), spec.replicas());
        assertEquals(List.of(new Part("p", 1), new Part("q", 2)), spec.parts());
        assertEquals(Map.of("o", "1"), spec.options());
        assertEquals(Optional.of(Mode.Slow), spec.mode());
        assertEquals(Quantity.parse("1536Mi"), spec.size().orElseThrow());
        assertEquals(Instant.parse("2026-01-01T00:00:00.5Z"), spec.since().orElseThrow());
        assertEquals("{\"any\":1}", spec.defaults().orElseThrow().toString());
    }

    @Test
    void readsAbsentFieldsAsNothing() {
        var spec = CODEC.decode(ObjectTree.EMPTY).spec();
        assertEquals("", spec.color());
        assertEquals(Optional.empty(), spec.replicas());
        assertEquals(List.of(), spec.parts());
        assertEquals(Optional.empty(), spec.size());
    }

    @Test
    void writesBackTheVeryTreeIfNothingChanges() {
        assertEquals(stored().object().toJson(), stored().with(stored().value()).object().toJson());
    }

    @Test
    void changesOneFieldAndNothingElse() {
        var changed = stored().with(new Widget(stored().value().spec().color("blue")));
        assertEquals(
                stored().object().with("blue", "spec", "color").toJson(),
                changed.object().toJson());
    }

    @Test
    void elementsOfListsTakeAlongWhatIsUnknown() {
        var parts = List.of(new Part("new", 9), new Part("q", 5), new Part("p", 1));
        var changed = stored().with(new Widget(stored().value().spec().parts(parts)));
        assertEquals(
                "[{\"name\":\"new\",\"weight\":9},"
                        + "{\"name\":\"q\",\"weight\":5,\"unknown\":\"q-kept\"},"
                        + "{\"name\":\"p\",\"weight\":1,\"unknown\":\"p-kept\"}]",
                changed.object().list("spec", "parts").toString());
        assertEquals(
                "{\"deep\":[1,{\"x\":null}]}",
                changed.object().value("spec", "future").orElseThrow().toString());
    }

    @Test
    void removesWhatTheValueNoLongerHolds() {
        var changed = stored().with(new Widget(stored().value().spec().color("").parts(List.of())));
        assertEquals(Optional.empty(), changed.object().value("spec", "color"));
        assertEquals(Optional.empty(), changed.object().value("spec", "parts"));
        assertEquals(
                Optional.of(3L),
                Optional.of(changed.object().number("spec", "replicas").getAsLong()));
    }

    @ParameterizedTest(name = "{0} in {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"spec\":[]}                          | spec: expected a mapping",
                "{\"spec\":{\"color\":7}}               | spec.color: expected text",
                "{\"spec\":{\"replicas\":\"3\"}}        | spec.replicas: expected an integer",
                "{\"spec\":{\"replicas\":3000000000}}   | spec.replicas: expected an integer",
                "{\"spec\":{\"parts\":[{\"weight\":1.5}]}} | spec.parts[0].weight: expected",
                "{\"spec\":{\"parts\":{}}}              | spec.parts: expected a list",
                "{\"spec\":{\"options\":{\"o\":[]}}}    | spec.options.o: expected text",
                "{\"spec\":{\"mode\":\"fast\"}}         | spec.mode: expected one of [Fast, Slow]",
                "{\"spec\":{\"size\":\"1 Gi\"}}         | spec.size: expected a quantity",
                "{\"spec\":{\"since\":\"today\"}}       | spec.since: expected a time",
            })
    void saysWhichFieldDoesNotFit(String json, String expected) {
        var object = KubeObject.of((ObjectTree) Json.parse(json));
        var failure =
                assertThrows(JsonException.class, () -> new TypedObject<>(object, CODEC).value());
        assertTrue(failure.getMessage().contains(expected), failure.getMessage());
    }

    private record Odd(StringBuilder text) {}

    @Test
    void refusesARecordThatItCannotRead() {
        var lookup = MethodHandles.lookup();
        assertThrows(IllegalArgumentException.class, () -> Codec.ofRecord(lookup, Odd.class));
        var stranger = MethodHandles.publicLookup();
        assertThrows(IllegalArgumentException.class, () -> Codec.ofRecord(stranger, Widget.class));
    }

    @Test
    void updatesOverTheWireLoseNothing() throws Exception {
        try (var server =
                        FakeServer.start(
                                (request, reply) ->
                                        reply.send(
                                                200,
                                                request.method().equals("GET")
                                                        ? STORED
                                                        : request.body()));
                var kube = server.client()) {
            var widgets = new TypedClient<>(kube, WIDGETS, CODEC);
            var key = ObjectKey.of("ns", "a");
            var written = widgets.update(key, w -> new Widget(w.spec().color("blue")));
            assertEquals("blue", written.value().spec().color());
            assertEquals(
                    "{\"phase\":\"Ready\"}",
                    written.object().value("status").orElseThrow().toString());
            assertEquals(
                    "q-kept",
                    written.object().objects("spec", "parts").get(1).text("unknown").orElseThrow());
            widgets.update(key, w -> w);
            assertEquals(3, server.requests().size(), "nothing to write");
        }
    }

    @Test
    void createsAnObjectWithItsNameAndValue() throws Exception {
        try (var server = FakeServer.start((request, reply) -> reply.send(201, request.body()));
                var kube = server.client()) {
            var spec = CODEC.decode(ObjectTree.EMPTY).spec().color("red");
            new TypedClient<>(kube, WIDGETS, CODEC)
                    .create(ObjectKey.of("ns", "a"), new Widget(spec));
            assertEquals(
                    "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":"
                            + "\"a\",\"namespace\":\"ns\"},\"spec\":{\"color\":\"red\","
                            + "\"paused\":false}}",
                    server.requests().getFirst().body());
        }
    }

    /** One object that somebody wrote in another form is one failure, not that of the list. */
    @Test
    void oneObjectThatDoesNotFitSpoilsNoOther() throws Exception {
        var list =
                "{\"kind\":\"WidgetList\",\"apiVersion\":\"example.com/v1\",\"items\":"
                        + "[{\"metadata\":{\"name\":\"bad\"},\"spec\":7},"
                        + STORED
                        + "]}";
        try (var server = FakeServer.start((_, reply) -> reply.send(200, list));
                var kube = server.client()) {
            var all = new TypedClient<>(kube, WIDGETS, CODEC).list(ListOptions.all());
            var failure = assertThrows(JsonException.class, () -> all.getFirst().value());
            assertEquals("Widget bad: spec: expected a mapping", failure.getMessage());
            assertEquals("red", all.getLast().value().spec().color());
        }
    }
}
