package lvms.k8s.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Selectors choose what the server would choose. */
@Behaviour(87)
class SelectorTests {
    private static Map<String, String> labels(String text) {
        var labels = new HashMap<String, String>();
        for (var pair : text.split(" ")) {
            if (!pair.isEmpty()) {
                labels.put(
                        pair.substring(0, pair.indexOf('=')),
                        pair.substring(pair.indexOf('=') + 1));
            }
        }
        return labels;
    }

    @ParameterizedTest(name = "{0} on {1}: {2}")
    @CsvSource(
            delimiter = ';',
            value = {
                "'';a=b;true",
                "a=b;a=b;true",
                "a==b;a=b;true",
                "a=b;a=c;false",
                "a=b;'';false",
                "a!=b;a=c;true",
                "a!=b;'';true",
                "a!=b;a=b;false",
                "a=;a=;true",
                "a=;'';false",
                "a in (b,c);a=c;true",
                "a in (b, c);a=d;false",
                "a in (,x);a=;true",
                "a notin (b,c);a=d;true",
                "a notin (b);'';true",
                "a notin (b);a=b;false",
                "a;a=x;true",
                "a;'';false",
                "!a;'';true",
                "! a ;a=x;false",
                "a>5;a=6;true",
                "a>5;a=5;false",
                "a<5;a=4;true",
                "a<5;a=x;false",
                "a=b,c=d;a=b c=d;true",
                "a=b , c=d;a=b;false",
                "x.io/a-b_c.d=V-1;x.io/a-b_c.d=V-1;true",
                "in=in;in=in;true"
            })
    void matchesLabels(String selector, String labels, boolean expected) {
        var parsed = LabelSelector.parse(selector);
        assertEquals(expected, parsed.matches(labels(labels)));
        assertEquals(parsed, LabelSelector.parse(parsed.toString()), "it reads its own text");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "=b",
                "a=b,",
                ",",
                "a in b",
                "a in (b",
                "a in b)",
                "a b",
                "a=b c",
                "a>x",
                "a=b!",
                "a=-b",
                "!",
                "/a=b",
                "a/b/c=d",
                "a=b&limit=1",
                "a~b",
                "A_b-=c"
            })
    void refusesWhatIsNoLabelSelector(String text) {
        var failure = assertThrows(IllegalArgumentException.class, () -> LabelSelector.parse(text));
        assertTrue(failure.getMessage().contains("at position "), failure.getMessage());
    }

    @Test
    void readsTheJsonForm() {
        var tree =
                (ObjectTree)
                        Json.parse(
                                "{\"matchLabels\":{\"a\":\"b\"},\"matchExpressions\":[{\"key\":\"c\","
                                    + "\"operator\":\"NotIn\",\"values\":[\"d\",\"e\"]},"
                                    + "{\"key\":\"f\",\"operator\":\"Exists\"}]}");
        var selector = LabelSelector.of(tree);
        assertEquals("a=b,c notin (d,e),f", selector.toString());
        assertTrue(selector.matches(labels("a=b f=x")));
        assertTrue(LabelSelector.of(ObjectTree.EMPTY).matches(Map.of()));
    }

    @Test
    void escapesFieldValuesAndReadsThemBack() {
        var selector = FieldSelector.equal("metadata.name", "a,b=c\\d");
        assertEquals("metadata.name=a\\,b\\=c\\\\d", selector.toString());
        assertEquals(selector.terms(), FieldSelector.parse(selector.toString()).terms());
        for (var bad : List.of("a", "=b", "a=b=c", "a=b\\x")) {
            assertThrows(IllegalArgumentException.class, () -> FieldSelector.parse(bad), bad);
        }
    }

    @Test
    void matchesFields() {
        var object =
                KubeObject.create(Types.POD, ObjectKey.of("n", "p")).with("x", "spec", "nodeName");
        assertTrue(FieldSelector.parse("spec.nodeName=x,metadata.name==p,").matches(object));
        assertFalse(FieldSelector.parse("spec.nodeName!=x").matches(object));
        assertTrue(FieldSelector.parse("status.phase=").matches(object));
        assertTrue(FieldSelector.parse("").matches(object));
    }

    private static KubeObject node(String name, String label) {
        return KubeObject.create(Types.NODE, ObjectKey.cluster(name))
                .with(label, "metadata", "labels", "zone");
    }

    private static NodeSelector nodes(String terms) {
        return NodeSelector.of((ObjectTree) Json.parse("{\"nodeSelectorTerms\":" + terms + "}"));
    }

    @Test
    void matchesNodesByAnyTermAndAllOfItsRequirements() {
        var selector =
                nodes(
                        "[{\"matchExpressions\":[{\"key\":\"zone\",\"operator\":\"In\",\"values\":[\"a\"]}],"
                            + "\"matchFields\":[{\"key\":\"metadata.name\",\"operator\":\"NotIn\","
                            + "\"values\":[\"n2\"]}]},{\"matchExpressions\":[{\"key\":\"zone\","
                            + "\"operator\":\"Gt\",\"values\":[\"7\"]}]}]");
        assertTrue(selector.matches(node("n1", "a")));
        assertFalse(selector.matches(node("n2", "a")));
        assertTrue(selector.matches(node("n2", "8")));
        assertFalse(selector.matches(node("n1", "b")));
        assertFalse(nodes("[]").matches(node("n1", "a")));
        assertFalse(nodes("[{}]").matches(node("n1", "a")));
    }

    @Test
    void toleratesTaints() {
        var hard = new Taint("k", "v", "NoSchedule");
        var soft = new Taint("k", "v", "PreferNoSchedule");
        var equal = new Toleration("k", "Equal", "v", "", Optional.empty());
        assertTrue(equal.tolerates(hard));
        assertFalse(new Toleration("k", "", "w", "", Optional.empty()).tolerates(hard));
        assertTrue(Toleration.exists("k", "NoSchedule").tolerates(hard));
        assertFalse(Toleration.exists("k", "NoExecute").tolerates(hard));
        assertTrue(Toleration.exists("", "").tolerates(hard));
        assertFalse(new Toleration("", "Equal", "", "", Optional.empty()).tolerates(hard));
        assertTrue(Toleration.allTolerated(List.of(soft), List.of()));
        assertFalse(Toleration.allTolerated(List.of(hard), List.of()));
        assertTrue(Toleration.allTolerated(List.of(hard, soft), List.of(equal)));
        assertEquals(equal, Toleration.of(equal.json()));
    }
}
