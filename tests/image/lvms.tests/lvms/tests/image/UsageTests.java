package lvms.tests.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The programs of the image answer wrong use with exit code 2 and one line, at once. */
class UsageTests {
    private static final Map<String, String> OPERATOR = Map.of("NAMESPACE", "ns", "NAME", "pod");
    private static final Map<String, String> AGENT = Map.of("NAMESPACE", "ns", "NODE_NAME", "node");

    @TempDir private Path scratch;
    private Image image;

    @BeforeEach
    void open() throws Exception {
        image = new Image(scratch);
    }

    private void assertRefused(
            String expected, Map<String, String> environment, String launcher, String... arguments)
            throws Exception {
        var ended = image.run(environment, image.launcher(launcher, arguments));
        assertEquals(2, ended.code(), ended.err());
        assertEquals("", ended.out());
        assertEquals(1, ended.err().lines().count(), ended.err());
        assertTrue(ended.err().startsWith("lvms: "), ended.err());
        assertTrue(ended.err().contains(expected), ended.err());
    }

    @Test
    void versionNamesTheProductItsSourcesAndTheRuntime() throws Exception {
        var ended = image.run(Map.of(), image.launcher("lvms", "version"));
        assertEquals(0, ended.code(), ended.err());
        var commit =
                Files.readString(Path.of(System.getProperty("lvms.image") + ".commit")).strip();
        assertTrue(commit.matches("unknown|[0-9a-f]{40}(-modified)?"), commit);
        assertTrue(
                ended.out()
                        .matches(
                                "lvms \\d+\\.\\d+\\.\\d+ \\(commit "
                                        + commit
                                        + ", java 25[^)]*\\)\n"),
                ended.out());
    }

    @Test
    void helpListsTheCommands() throws Exception {
        var ended = image.run(Map.of(), image.launcher("lvms", "help"));
        assertEquals(0, ended.code(), ended.err());
        for (var command :
                new String[] {
                    "operator",
                    "vgmanager",
                    "lvmd",
                    "volumes",
                    "doctor",
                    "uninstall",
                    "version",
                    "help"
                }) {
            assertTrue(ended.out().contains("\n  " + command + " "), ended.out());
        }
    }

    @Test
    void anUnknownCommandIsRefused() throws Exception {
        assertRefused("unknown command \"explode\"", Map.of(), "lvms", "explode");
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "lvms-operator, --loud, unknown flag --loud",
        "lvms-operator, extra, unexpected argument \"extra\"",
        "lvms-operator, --leader-elect=perhaps, must be true or false",
        "lvms-operator, --csi-socket, flag --csi-socket needs a value",
        "lvms-operator, --tls-min-version=VersionTLS9, unknown version of TLS VersionTLS9",
        "lvms-operator, --health-probe-bind-address=no.such.host.invalid:1, unknown host",
        "lvms-vgmanager, --loud, unknown flag --loud",
        "lvms-vgmanager, --health-probe-bind-address=:x, the port x is neither a number",
        "lvms-vgmanager, --tls-cipher-suites=NONE, unknown cipher suite NONE",
        "lvmd, --loud, unknown flag --loud",
        "topolvm-controller, --minimum-allocation-xfs=big, must be a size such as 32Mi",
        "topolvm-node, --own-sidecars=perhaps, must be true or false",
        "topolvm-scheduler, --spare, unknown flag --spare",
        "lvmd, --metrics-bind-address=nowhere, must be host:port",
    })
    void wrongArgumentsAreRefused(String launcher, String argument, String expected)
            throws Exception {
        var environment = launcher.equals("lvms-operator") ? OPERATOR : AGENT;
        assertRefused(expected, environment, launcher, argument);
    }

    @Test
    void aMissingVariableIsNamed() throws Exception {
        assertRefused("variable NAMESPACE is not set", Map.of("NAME", "pod"), "lvms-operator");
        assertRefused("variable NAME is not set", Map.of("NAMESPACE", "ns"), "lvms-operator");
        assertRefused("variable NODE_NAME is not set", Map.of("NAMESPACE", "x"), "lvms-vgmanager");
    }

    @Test
    void withoutAClusterThereIsNothingToDo() throws Exception {
        assertRefused("cannot find a Kubernetes cluster", OPERATOR, "lvms-operator");
        assertRefused("cannot find a Kubernetes cluster", AGENT, "lvms-vgmanager");
    }

    @Test
    void whatShowsTheClusterNeedsOne() throws Exception {
        for (var command : List.of("status", "volumes", "doctor")) {
            assertRefused("cannot find a Kubernetes cluster", Map.of(), "lvms", command);
        }
        assertRefused("must be table or json", Map.of(), "lvms", "doctor", "--local", "-o=yaml");
    }

    /** A configuration that cannot be used is a failure in operation, not wrong use. */
    @Test
    void lvmdSaysInItsLastLineWhyItCannotServe() throws Exception {
        var ended =
                image.run(
                        Map.of(),
                        image.launcher("lvmd", "--config=/none.yaml", "--metrics-bind-address=0"));
        assertEquals(1, ended.code(), ended.err());
        var last = ended.err().lines().reduce("", (_, line) -> line);
        assertTrue(last.contains("lvmd cannot serve: /none.yaml does not exist: write"), last);
    }
}
