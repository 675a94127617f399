package lvms.launcher.flag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.api.Names;
import lvms.operator.NodeSettings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Nothing is done about nodes that nobody asked for. */
class NodeFlagsTests {
    private static NodeSettings read(String... words) throws UsageException {
        return NodeFlags.read(Flags.parse(NodeFlags.ALL, List.of(words)));
    }

    @Test
    void nothingIsTheDefault() throws Exception {
        assertEquals(NodeSettings.NONE, read());
    }

    @Test
    void aTaintOfOursMayGo() throws Exception {
        assertEquals(
                Names.STARTUP_TAINT, read("--startup-taint=" + Names.STARTUP_TAINT).startupTaint());
    }

    @Test
    void anybodyElsesTaintIsRefused() {
        var failure = assertThrows(UsageException.class, () -> read("--startup-taint=mine"));
        assertEquals(
                "--startup-taint: expected a key that begins with lvms.topolvm.io/ or"
                        + " startup-taint.cluster-autoscaler.kubernetes.io/lvms, found mine",
                failure.getMessage());
    }

    @Test
    void disposableClaimsWaitForAsLongAsIsSaid() throws Exception {
        assertEquals(
                Optional.of(Duration.ofSeconds(90)),
                read("--disposable-after=1m30s").disposableAfter());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "soon", "-1m", "5"})
    void aTimeThatIsNoneIsRefused(String text) {
        var failure = assertThrows(UsageException.class, () -> read("--disposable-after=" + text));
        assertEquals(
                "flag --disposable-after=" + text + ": must be a time such as 15s or 1m30s",
                failure.getMessage());
    }
}
