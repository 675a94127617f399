package lvms.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.launcher.flag.AgentLogFlags;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.LogFlags;
import lvms.launcher.flag.UsageException;
import lvms.log.LogSettings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.logging.Level;

/** The log flags of ours and of both predecessors have an effect, or say what is wrong. */
class LogFlagsTests {
    private static LogSettings read(String... arguments) throws Exception {
        return LogFlags.read(Flags.parse(new VgManagerCommand().flags(), List.of(arguments)));
    }

    private static List<String> agent(String... arguments) throws Exception {
        return AgentLogFlags.read(Flags.parse(new OperatorCommand().flags(), List.of(arguments)));
    }

    @Test
    void withoutFlagsNothingChanges() throws Exception {
        assertEquals(LogSettings.DEFAULT, read());
        assertEquals(List.of(), agent());
    }

    @ParameterizedTest
    @CsvSource({
        "--log-level=debug, FINE",
        "--log-level=warning, WARNING",
        "-v=4, FINE",
        "--v=5, FINER",
        "--zap-log-level=error, SEVERE",
        "--zap-devel, FINE",
    })
    void aLevelIsTaken(String argument, String level) throws Exception {
        assertEquals(Level.parse(level), read(argument).level());
    }

    @Test
    void ofSeveralLevelsTheMostVerboseCounts() throws Exception {
        assertEquals(
                Level.FINE, read("--log-level=error", "--v=4", "--zap-log-level=info").level());
    }

    @Test
    void jsonIsOursOrZaps() throws Exception {
        assertTrue(read("--log-format=json").json());
        assertTrue(read("--zap-encoder=json").json());
        assertFalse(read("--zap-encoder=json", "--log-format=text").json());
    }

    @Test
    void theRestOfZapAndKlogHasItsEffect() throws Exception {
        var settings =
                read(
                        "--zap-stacktrace-level=error",
                        "--zap-time-encoding=millis",
                        "--vmodule=NodeAgent=4");
        assertEquals(Level.SEVERE, settings.traces());
        assertEquals(LogSettings.Time.MILLISECONDS, settings.time());
        assertEquals(1, settings.parts().size());
    }

    @Test
    void theOperatorPassesFlagsOnToItsAgents() throws Exception {
        assertEquals(
                List.of("--v=4", "--vmodule=a=1,b=2", "--zap-log-level=debug"),
                agent(
                        "--vgmanager-zap-log-level=debug",
                        "--vgmanager-v=4",
                        "--vgmanager-vmodule=a=1,b=2"));
        var passed =
                agent("--vgmanager-v=4", "--vgmanager-vmodule=NodeAgent=5").toArray(String[]::new);
        assertEquals(Level.FINE, read(passed).level());
    }

    @ParameterizedTest
    @CsvSource({
        "--log-level=loud, '--log-level=loud: must be error, warning, info, debug or trace'",
        "--log-format=xml, --log-format=xml: must be text or json",
        "-v=x, '-v=x: must be a number, such as 4 for debug'",
        "--zap-encoder=xml, --zap-encoder=xml: must be text or json",
    })
    void aWrongWordIsOneLine(String argument, String message) {
        var failure = assertThrows(UsageException.class, () -> read(argument));
        assertEquals("flag " + message, failure.getMessage());
    }

    @Test
    void aWordThatAnAgentWouldRefuseIsRefusedByTheOperator() {
        var failure = assertThrows(UsageException.class, () -> agent("--vgmanager-v=x"));
        assertEquals(
                "flag --vgmanager-v=x: must be a number, such as 4 for debug",
                failure.getMessage());
    }
}
