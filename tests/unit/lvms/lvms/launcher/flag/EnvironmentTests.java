package lvms.launcher.flag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Map;

/** A variable that the manifest forgot is named; an empty one counts as forgotten. */
class EnvironmentTests {
    private final Environment environment = new Environment(Map.of("NAME", "pod", "EMPTY", ""));

    @Test
    void givesWhatIsSet() throws Exception {
        assertEquals("pod", environment.required(Variable.POD));
    }

    @ParameterizedTest
    @CsvSource({"EMPTY", "MISSING"})
    void namesWhatIsMissing(String name) {
        var variable = new Variable(name, true, "name of the pod");
        var failure = assertThrows(UsageException.class, () -> environment.required(variable));
        assertEquals(
                "environment variable " + name + " is not set: give the name of the pod",
                failure.getMessage());
    }
}
