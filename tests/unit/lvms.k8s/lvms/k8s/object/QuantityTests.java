package lvms.k8s.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.k8s.tree.Json;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/** Quantities are read, compared by value, and printed as Kubernetes does it. */
@Behaviour(84)
class QuantityTests {
    @ParameterizedTest(name = "{0} prints as {1}")
    @CsvSource({
        "0, 0",
        "0Gi, 0",
        "-0, 0",
        "0.0, 0",
        "1, 1",
        "+1, 1",
        "-1, -1",
        "007, 7",
        "1., 1",
        ".5, 500m",
        "1.5, 1500m",
        "1.5Gi, 1536Mi",
        "1024Mi, 1Gi",
        "1000, 1k",
        "1000m, 1",
        "0.1m, 100u",
        "1e3, 1e3",
        "1E3, 1e3",
        "1e4, 10e3",
        "1e-3, 1e-3",
        "1e+6, 1e6",
        "12e2, 1200",
        "1.5e3, 1500",
        "1500Mi, 1500Mi",
        "1000Ki, 1000Ki",
        "0.5Ki, 512",
        "1023Ki, 1023Ki",
        "1025, 1025",
        "1024Ki, 1Mi",
        "1Ti, 1Ti",
        "1Pi, 1Pi",
        "1Ei, 1Ei",
        "8Ei, 9223372036854775807",
        "-9Ei, -9223372036854775807",
        "1n, 1n",
        "1000n, 1u",
        "1u, 1u",
        "1m, 1m",
        "1k, 1k",
        "1M, 1M",
        "1G, 1G",
        "1T, 1T",
        "1P, 1P",
        "1E, 1E",
        "1000E, 1000E",
        "0.0000000001, 1n",
        "-0.0000000001, -1n",
        "1.0000000001, 1000000001n",
        "0.1n, 1n",
        "100m, 100m",
        "10000000, 10M",
        "12345678, 12345678",
        "1.2345k, 1234500m",
        "0.001k, 1",
        "2.5Ki, 2560",
        "1.1Ki, 1126400m",
        "-1Gi, -1Gi",
        "10Gi, 10Gi",
        "4096Mi, 4Gi",
        "1048576, 1048576",
        "123456789n, 123456789n",
        "1e1, 10",
        "1e2, 100",
        "100e-1, 10"
    })
    void printsCanonically(String text, String expected) {
        assertEquals(expected, Quantity.parse(text).toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", " 1", "1 ", "1 Gi", "Gi", "e3", "1e", "1E+", "1gi", "1GI", "1ki", "1K", "1.2.3",
                ".", "+", "--1", "1Ki1", "1mm", "0x10", "1e1000", "NaN", "١", "1e3i", "1i", "1e-"
            })
    void refusesGarbage(String text) {
        assertThrows(IllegalArgumentException.class, () -> Quantity.parse(text));
    }

    @Test
    void comparesByValueAcrossFormats() {
        assertEquals(Quantity.parse("1.5Gi"), Quantity.parse("1536Mi"));
        assertEquals(Quantity.parse("1.5Gi").hashCode(), Quantity.parse("1610612736").hashCode());
        assertNotEquals(Quantity.parse("1Gi"), Quantity.parse("1G"));
        assertEquals(1, Quantity.parse("1Gi").compareTo(Quantity.parse("1G")));
    }

    @Test
    void roundsToWholeBytesUpAndCaps() {
        assertEquals(2, Quantity.parse("1100m").bytes());
        assertEquals(-2, Quantity.parse("-1100m").bytes());
        assertEquals(1, Quantity.parse("1n").bytes());
        assertEquals(Long.MAX_VALUE, Quantity.parse("1e90").bytes());
    }

    @Test
    void readsJsonStringsAndNumbers() {
        for (var json : List.of("\"1k\"", "1000", "1e3", "1000.0", "\" 1000 \"")) {
            assertEquals(1000, Quantity.parse(Json.parse(json)).bytes(), json);
        }
        assertEquals(0, Quantity.parse(Json.parse("null")).bytes());
        assertThrows(IllegalArgumentException.class, () -> Quantity.parse(Json.parse("[\"1\"]")));
    }

    @Test
    void keepsTheFormatOfTheLeftUnlessItIsZero() {
        assertEquals("2Gi", Quantity.parse("1Gi").plus(Quantity.parse("1073741824")).toString());
        assertEquals("1Gi", Quantity.ZERO.plus(Quantity.parse("1Gi")).toString());
        assertEquals("512Mi", Quantity.parse("1Gi").minus(Quantity.parse("512Mi")).toString());
        assertEquals("10Gi", Quantity.ofBytes(10L << 30).toString());
    }
}
