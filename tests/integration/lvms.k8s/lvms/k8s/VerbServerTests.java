package lvms.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.ListOptions;
import lvms.k8s.discovery.ServedType;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.typed.Codec;
import lvms.k8s.typed.TypedClient;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.invoke.MethodHandles;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** The client's verbs do at an API server what they say. */
@Timeout(180)
class VerbServerTests extends ServerCase {
    private static final ListOptions MINE =
            ListOptions.all().namespace("default").labels("t=verbs");

    private static ObjectKey key(String name) {
        return ObjectKey.of("default", name);
    }

    private static KubeObject configMap(String name, String value) {
        return KubeObject.create(Types.CONFIG_MAP, key(name))
                .with("verbs", "metadata", "labels", "t")
                .with(value, "data", "v");
    }

    private static ObjectTree tree(String json) {
        return (ObjectTree) Json.parse(json);
    }

    @Test
    @Behaviour(83)
    void aDryRunChangesNothing() throws Exception {
        var made = client.create(Types.CONFIG_MAP, configMap("a", "1"));
        var dry = client.dryRun();
        var would = dry.create(Types.CONFIG_MAP, configMap("b", "1"));
        assertEquals("b", would.name());
        dry.apply(Types.CONFIG_MAP, configMap("a", "2"));
        dry.replace(Types.CONFIG_MAP, made.with("3", "data", "v"));
        dry.mergePatch(Types.CONFIG_MAP, key("a"), tree("{\"data\":{\"v\":\"4\"}}"));
        dry.strategicMergePatch(Types.CONFIG_MAP, key("a"), tree("{\"data\":{\"v\":\"5\"}}"));
        dry.update(Types.CONFIG_MAP, key("a"), o -> o.with("6", "data", "v"));
        dry.addFinalizer(Types.CONFIG_MAP, made, "example.com/hold");
        dry.delete(Types.CONFIG_MAP, key("a"), DeleteOptions.uid(made.uid()));
        dry.deleteCollection(Types.CONFIG_MAP, MINE, DeleteOptions.any());
        assertEquals(Optional.empty(), client.find(Types.CONFIG_MAP, key("b")));
        assertEquals(made, client.get(Types.CONFIG_MAP, key("a")));
    }

    @Test
    @Behaviour(79)
    void applyPrunesKeepsWhatIsNotOursAndNamesEachConflict() throws Exception {
        var first = client.withFieldManager("first");
        var second = client.withFieldManager("second");
        var both = configMap("a", "1").with("1", "data", "w");
        var made = first.apply(Types.CONFIG_MAP, both);
        assertEquals(
                made.resourceVersion(),
                first.apply(Types.CONFIG_MAP, both).resourceVersion(),
                "nothing changed");
        second.apply(
                Types.CONFIG_MAP,
                KubeObject.create(Types.CONFIG_MAP, key("a")).with("2", "data", "foreign"));
        var pruned = first.apply(Types.CONFIG_MAP, configMap("a", "1"));
        assertEquals(Map.of("v", "1", "foreign", "2"), pruned.textMap("data"));
        var taking =
                KubeObject.create(Types.CONFIG_MAP, key("a"))
                        .with("9", "data", "v")
                        .with("2", "data", "foreign");
        var failure =
                assertThrows(
                        ApiException.Conflict.class,
                        () -> second.applyWithoutForce(Types.CONFIG_MAP, taking));
        assertEquals(List.of(new ApiException.OwnedField(".data.v", "first")), failure.fields());
        assertEquals("1", client.get(Types.CONFIG_MAP, key("a")).text("data", "v").orElseThrow());
        assertEquals(
                "9",
                second.apply(Types.CONFIG_MAP, taking).text("data", "v").orElseThrow(),
                "force takes it");
    }

    @Test
    @Behaviour(80)
    void statusAndSpecAreAppliedApart() throws Exception {
        var volume =
                KubeObject.create(Types.PV, ObjectKey.cluster("verbs"))
                        .with(
                                Json.parse(
                                        """
                                        {"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],
                                        "hostPath":{"path":"/x"},"storageClassName":"one"}\
                                        """),
                                "spec");
        var made = client.create(Types.PV, volume);
        var status =
                KubeObject.create(Types.PV, made.key())
                        .with(made.uid(), "metadata", "uid")
                        .with("two", "spec", "storageClassName")
                        .with("because", "status", "message");
        var applied = client.subresource(Types.PV, made.key(), "status").apply(status);
        assertEquals("because", applied.text("status", "message").orElseThrow());
        assertEquals("one", applied.text("spec", "storageClassName").orElseThrow());
        var patched =
                client.mergePatch(
                        Types.PV,
                        made.key(),
                        tree(
                                "{\"spec\":{\"storageClassName\":\"three\"},\"status\":{\"message\":"
                                    + "\"no\"}}"));
        assertEquals("because", patched.text("status", "message").orElseThrow());
        assertEquals("three", patched.text("spec", "storageClassName").orElseThrow());
        var updated =
                client.updateStatus(
                        Types.PV,
                        made.key(),
                        o ->
                                o.with("four", "spec", "storageClassName")
                                        .with("why", "status", "message"));
        assertEquals("why", updated.text("status", "message").orElseThrow());
        assertEquals("three", updated.text("spec", "storageClassName").orElseThrow());
        client.delete(Types.PV, made.key(), DeleteOptions.uid(made.uid()));
    }

    /** Others come and go between the pages; what stays is there once, as of one version. */
    @Test
    @Behaviour(25)
    void pagesHaveNoGapAndNoDoubleWhileObjectsComeAndGo() throws Exception {
        for (int i = 0; i < 60; i++) {
            client.create(Types.CONFIG_MAP, configMap("stays-%03d".formatted(i), "1"));
        }
        var pages = client.pages(Types.CONFIG_MAP, MINE.pageSize(7));
        var names = new HashSet<String>();
        int round = 0;
        var versions = new HashSet<String>();
        while (pages.hasNext()) {
            for (var object : pages.next()) {
                assertTrue(names.add(object.name()), object.name());
            }
            versions.add(pages.resourceVersion());
            client.create(Types.CONFIG_MAP, configMap("stays-%03d-new".formatted(round * 7), "1"));
            client.create(Types.CONFIG_MAP, configMap("a-first-" + round, "1"));
            if (round > 0) {
                client.delete(Types.CONFIG_MAP, key("a-first-" + (round - 1)), DeleteOptions.any());
            }
            round++;
        }
        assertEquals(60, names.size(), "those of the first page's moment");
        assertEquals(1, versions.size());
        var now = client.list(Types.CONFIG_MAP, MINE.pageSize(7));
        assertEquals(60 + round + 1, now.size());
    }

    @Test
    void deletesWhatASelectorChooses() throws Exception {
        client.create(Types.CONFIG_MAP, configMap("a", "1"));
        client.create(Types.CONFIG_MAP, configMap("b", "1"));
        var other = configMap("c", "1").with("other", "metadata", "labels", "t");
        client.create(Types.CONFIG_MAP, other);
        client.deleteCollection(Types.CONFIG_MAP, MINE, DeleteOptions.any());
        assertEquals(0, client.list(Types.CONFIG_MAP, MINE).size());
        assertTrue(client.find(Types.CONFIG_MAP, key("c")).isPresent());
    }

    @Test
    void scalesByTheSubresource() throws Exception {
        var deployment =
                KubeObject.create(Types.DEPLOYMENT, key("d"))
                        .with(
                                Json.parse(
                                        """
                                        {"replicas":0,"selector":{"matchLabels":{"a":"b"}},
                                        "template":{"metadata":{"labels":{"a":"b"}},
                                        "spec":{"containers":[{"name":"c","image":"i"}]}}}\
                                        """),
                                "spec");
        client.create(Types.DEPLOYMENT, deployment);
        var scale = client.subresource(Types.DEPLOYMENT, key("d"), "scale");
        assertEquals("Scale", scale.get().kind());
        scale.mergePatch(tree("{\"spec\":{\"replicas\":3}}"));
        assertEquals(3, scale.get().number("spec", "replicas").orElseThrow());
        assertEquals(
                3, client.get(Types.DEPLOYMENT, key("d")).number("spec", "replicas").orElseThrow());
        var container =
                tree(
                        "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"c\","
                                + "\"workingDir\":\"/w\"}]}}}}");
        var patched = client.strategicMergePatch(Types.DEPLOYMENT, key("d"), container);
        var kept = patched.objects("spec", "template", "spec", "containers").getFirst();
        assertEquals("i", kept.text("image").orElseThrow(), "merged, not replaced");
        assertEquals("/w", kept.text("workingDir").orElseThrow());
    }

    @Test
    void readsAnyVersionAndAtLeastOne() throws Exception {
        var made = client.create(Types.CONFIG_MAP, configMap("a", "1"));
        var version = made.resourceVersion();
        assertEquals(made, client.getAtLeast(Types.CONFIG_MAP, key("a"), version));
        var list = client.list(Types.CONFIG_MAP, MINE.atLeast(version));
        assertEquals(List.of(made), list.items());
        client.list(Types.CONFIG_MAP, MINE.atLeast("0"));
    }

    @Test
    void findsTypesByTheirNames() throws Exception {
        var types = client.types();
        assertEquals(Types.POD, types.named("po").map(ServedType::type).orElseThrow());
        assertEquals(Types.STORAGE_CLASS, types.named("sc").map(ServedType::type).orElseThrow());
        assertEquals(
                Types.DEPLOYMENT,
                types.ofKind("apps/v1", "Deployment").map(ServedType::type).orElseThrow());
        assertEquals(Optional.empty(), types.named("unicorns"));
    }

    private record Data(Map<String, String> data) {}

    /** Ten writers who each add one, with others' writes between their reads and their own. */
    @Test
    @Behaviour(21)
    void changesOfManyWritersAreAllKept() throws Exception {
        client.create(Types.CONFIG_MAP, configMap("a", "0"));
        var codec = Codec.ofRecord(MethodHandles.lookup(), Data.class);
        var typed = new TypedClient<>(client, Types.CONFIG_MAP, codec);
        var other = new AtomicBoolean(true);
        for (int i = 0; i < 10; i++) {
            var name = "k" + i;
            other.set(true);
            typed.update(
                    key("a"),
                    value -> {
                        if (other.compareAndSet(true, false)) {
                            disturb(name);
                        }
                        var data = new TreeMap<>(value.data());
                        data.put(name, "1");
                        return new Data(data);
                    });
        }
        var stored = client.get(Types.CONFIG_MAP, key("a"));
        assertEquals(11, stored.textMap("data").size());
        assertEquals(10, stored.annotations().size());
        assertEquals("verbs", stored.label("t").orElseThrow());
    }

    private void disturb(String name) {
        try {
            client.mergePatch(
                    Types.CONFIG_MAP,
                    key("a"),
                    tree("{\"metadata\":{\"annotations\":{\"" + name + "\":\"x\"}}}"));
        } catch (ApiException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
