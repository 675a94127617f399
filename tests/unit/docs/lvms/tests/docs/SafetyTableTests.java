package lvms.tests.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.util.HashSet;

/** docs/safety.md names at least one test for each hazard, and the tests name no other hazards. */
class SafetyTableTests {
    @Test
    void tableIsCurrent() throws Exception {
        assertEquals(
                SafetyTable.text(),
                Files.readString(SafetyTable.PAGE),
                SafetyTable.PAGE + " is out of date: run ./build.sh docs");
    }

    @Test
    void eachHazardHasATest() throws Exception {
        var hazards = new HashSet<>(SafetyTable.hazards(Files.readString(SafetyTable.PAGE)));
        assertEquals(hazards, SafetyTable.tests().keySet());
    }

    @Test
    void eachHazardHasATestInEachRun() throws Exception {
        assertEquals(SafetyTable.tests().keySet(), SafetyTable.testsInEachRun().keySet());
    }
}
