package lvms.launcher.flag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.operator.agent.AgentSettings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the operator's flags say about the node agents is checked before anything starts. */
class AgentFlagsTests {
    private static AgentSettings read(String... arguments) throws UsageException {
        return AgentFlags.read(
                Flags.parse(AgentFlags.flags(), List.of(arguments)), new Environment(Map.of()));
    }

    @Test
    void withoutFlagsAnAgentIsRunAsUsual() throws Exception {
        assertEquals(AgentSettings.DEFAULT, read());
    }

    @Test
    void everyFlagIsUsed() throws Exception {
        var settings =
                read(
                        "--vgmanager-cmd=/lvms,vgmanager",
                        "--kubelet-root=/var/snap/kubelet",
                        "--vgmanager-config-dir=/var/lib/x",
                        "--vgmanager-modules-dir=",
                        "--vgmanager-node-selector=a=b,c=",
                        "--vgmanager-architectures=amd64,arm64",
                        "--vgmanager-max-unavailable=10%",
                        "--vgmanager-requests=cpu=1",
                        "--vgmanager-user-device-classes=made");
        assertEquals(List.of("/lvms", "vgmanager"), settings.command());
        assertEquals("/var/snap/kubelet", settings.paths().kubelet());
        assertEquals(Optional.of("/var/lib/x"), settings.paths().config());
        assertEquals(Optional.empty(), settings.paths().modules());
        assertEquals(Map.of("a", "b", "c", ""), settings.nodes().labels());
        assertEquals(Set.of("amd64", "arm64"), settings.nodes().architectures());
        assertEquals("10%", settings.maxUnavailable());
        assertEquals(Map.of("cpu", "1"), settings.requests());
        assertEquals("made", settings.userClasses());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--kubelet-root=var | \"var\" is not the absolute path of a folder",
                "--vgmanager-config-dir=/ | \"/\" is not the absolute path of a folder",
                "--vgmanager-max-unavailable=0 | \"0\" is neither a number of agents nor a"
                        + " percentage",
                "--vgmanager-user-device-classes=a/b | \"a/b\" cannot be the name of a ConfigMap",
                "--vgmanager-cmd= | the agents' command is empty"
            })
    void whatCannotWorkIsRefused(String argument, String message) {
        var failure = assertThrows(UsageException.class, () -> read(argument));
        assertEquals("flags about the node agents: " + message, failure.getMessage());
    }

    @Test
    void whatTheAgentsCommandSaysOfTlsWins() throws Exception {
        var wanted = List.of("--tls-min-version=VersionTLS13");
        var usual = AgentSettings.DEFAULT.command();
        var told = read().tls(wanted).command();
        assertEquals(usual, told.subList(0, usual.size()));
        assertEquals(wanted, told.subList(usual.size(), told.size()));
        var own = read("--vgmanager-cmd=/lvms,--tls-cipher-suites=TLS_X").tls(wanted);
        assertEquals(List.of("/lvms", "--tls-cipher-suites=TLS_X"), own.command());
    }

    @Test
    void aLabelHasAKeyAndAValue() {
        var failure =
                assertThrows(UsageException.class, () -> read("--vgmanager-node-selector=local"));
        assertEquals(
                "flag --vgmanager-node-selector: expected KEY=VALUE, found \"local\"",
                failure.getMessage());
    }
}
