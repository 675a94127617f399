package lvms.k8s.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two texts of one quantity or time say the same where a quantity or time is, and only there. */
@Behaviour(85)
class EquivalenceTests {
    private static final Equivalence VOLUME =
            Equivalence.EXACT
                    .quantity("size")
                    .quantity("limits", "*")
                    .quantity("parts", "*", "size")
                    .time("made");

    private static ObjectTree tree(String json) {
        return (ObjectTree) Json.parse(json.replace('\'', '"'));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'size':'1.5Gi'} | {'size':'1536Mi'}",
                "{'size':'1'} | {'size':1}",
                "{'size':'1e3'} | {'size':'1k'}",
                "{'limits':{'cpu':'1000m'}} | {'limits':{'cpu':1}}",
                "{'parts':[{'size':'1Gi'},{'size':'0.5Ki'}]} |"
                        + " {'parts':[{'size':'1024Mi'},{'size':'512'}]}",
                "{'made':'2026-01-02T03:04:05Z'} | {'made':'2026-01-02T04:04:05.000+01:00'}",
                "{'a':null} | {}",
                "{'a':1,'b':2} | {'b':2,'a':1}"
            })
    void theSame(String one, String other) {
        assertTrue(VOLUME.same(tree(one), tree(other)));
        assertTrue(VOLUME.same(tree(other), tree(one)));
        assertTrue(VOLUME.mergePatch(tree(one), tree(other)).isEmpty());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'size':'1Gi'} | {'size':'1G'}",
                "{'size':'0'} | {}",
                "{'size':'big'} | {'size':'small'}",
                "{'name':'1.0'} | {'name':'1'}",
                "{'limits':'1'} | {'limits':1}",
                "{'parts':[{'name':'1.0'}]} | {'parts':[{'name':'1'}]}",
                "{'parts':[]} | {'parts':[{}]}",
                "{'made':'2026-01-02T03:04:05Z'} | {'made':'2026-01-02T03:04:06Z'}",
                "{'made':'soon'} | {'made':'later'}"
            })
    void another(String one, String other) {
        assertFalse(VOLUME.same(tree(one), tree(other)));
        assertFalse(VOLUME.same(tree(other), tree(one)));
        assertFalse(VOLUME.mergePatch(tree(one), tree(other)).isEmpty());
    }

    @Test
    void aPatchHasWhatDiffersAndRemovesWhatIsNotWanted() {
        var present = tree("{'size':'1Gi','limits':{'cpu':'1','ram':'1Gi'},'old':{'a':1},'l':[1]}");
        var wanted = tree("{'size':'1024Mi','limits':{'cpu':'2','ram':'1Gi'},'l':[1,2],'new':{}}");
        assertEquals(
                tree("{'limits':{'cpu':'2'},'old':null,'l':[1,2],'new':{}}"),
                VOLUME.mergePatch(present, wanted));
    }
}
