package lvms.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.function.Function;
import java.util.logging.Level;

/** Words of ours, klog and zap mean a level; a word that is none of theirs says what it must be. */
class LogWordsTests {
    @ParameterizedTest
    @CsvSource({"error, SEVERE", "warning, WARNING", "info, INFO", "debug, FINE", "trace, FINER"})
    void ourWords(String word, String level) {
        assertEquals(Level.parse(level), LogWords.level(word));
    }

    @ParameterizedTest
    @CsvSource({"0, INFO", "3, INFO", "4, FINE", "5, FINER", "10, FINER"})
    void klogCounts(String number, String level) {
        assertEquals(Level.parse(level), LogWords.klog(number));
    }

    @ParameterizedTest
    @CsvSource({
        "debug, FINE",
        "info, INFO",
        "error, SEVERE",
        "panic, SEVERE",
        "0, INFO",
        "1, FINE",
        "2, FINER"
    })
    void zapHasWordsAndNumbers(String word, String level) {
        assertEquals(Level.parse(level), LogWords.zap(word));
    }

    @Test
    void aModuleIsAClassOrAPackageWithItsDots() {
        var settings =
                LogSettings.DEFAULT.parts(LogWords.vmodule("VolumeStep=4,lvms.k8s.*=5,Pool*=4"));
        assertEquals(Level.FINE, settings.levelOf("lvms.node.volume.VolumeStep"));
        assertEquals(Level.FINER, settings.levelOf("lvms.k8s.client.Transport"));
        assertEquals(Level.FINE, settings.levelOf("lvms.node.pool.PoolKeeper"));
        assertEquals(Level.INFO, settings.levelOf("lvms.node.volume.VolumeSteps"));
        assertEquals(Level.INFO, settings.levelOf("lvms.node.NodeAgent"));
        assertEquals(Level.FINER, settings.most());
    }

    private static String refusal(Function<String, ?> read, String word) {
        return assertThrows(IllegalArgumentException.class, () -> read.apply(word)).getMessage();
    }

    @Test
    void whatIsNoWordSaysWhatItMustBe() {
        assertEquals(
                "must be error, warning, info, debug or trace", refusal(LogWords::level, "loud"));
        assertEquals("must be a number, such as 4 for debug", refusal(LogWords::klog, "-1"));
        assertEquals(
                "must be debug, info, error, panic or a number", refusal(LogWords::zap, "fatal"));
        assertEquals("must be text or json", refusal(LogWords::json, "xml"));
        assertEquals(
                "must be pattern=number, joined by commas", refusal(LogWords::vmodule, "Pool"));
        assertEquals(
                "must be epoch, millis, nano, iso8601, rfc3339 or rfc3339nano",
                refusal(LogWords::time, "unix"));
    }
}
