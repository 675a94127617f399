package lvms.tests.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** docs/k8s.md names the tests of each behaviour, or says that there is none yet. */
class BehaviourTableTests {
    @Test
    void tableIsCurrent() throws Exception {
        assertEquals(
                BehaviourTable.text(),
                Files.readString(BehaviourTable.PAGE),
                BehaviourTable.PAGE + " is out of date: run ./build.sh docs");
    }

    @Test
    void eachBehaviourHasATestOrSaysThatItHasNone() throws Exception {
        var rules = BehaviourTable.rules();
        assertEquals(
                IntStream.rangeClosed(1, rules.size()).boxed().toList(),
                rules.keySet().stream().toList());
        var tested =
                rules.entrySet().stream()
                        .filter(entry -> entry.getValue().tested())
                        .map(entry -> entry.getKey())
                        .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(tested, BehaviourTable.tests().keySet());
    }
}
