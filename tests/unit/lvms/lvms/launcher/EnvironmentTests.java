package lvms.launcher;

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
        assertEquals("pod", environment.required("NAME"));
    }

    @ParameterizedTest
    @CsvSource({"EMPTY", "MISSING"})
    void namesWhatIsMissing(String name) {
        var failure = assertThrows(UsageException.class, () -> environment.required(name));
        assertEquals(
                "environment variable "
                        + name
                        + " is not set; the pod's manifest sets it from its own fields",
                failure.getMessage());
    }
}
