package lvms.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.Await;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.tests.runner.Behaviour;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** The program at the beginning of docs/k8s.md is a controller that works as it stands there. */
@Timeout(180)
class PageTests {
    private static final Path PAGE = Path.of("docs/k8s.md");
    private static final Pattern PROGRAM = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final ObjectKey COUNTED = ObjectKey.of("default", "counted");
    private static final ObjectKey LEASE = ObjectKey.of("default", "counter");

    @TempDir private Path folder;
    private ApiServer server;
    private KubeClient client;
    private Path kubeconfig;
    private Process process;

    @BeforeEach
    void open() throws Exception {
        server = Servers.start();
        kubeconfig = server.kubeconfig(folder);
        client =
                KubeClient.open(KubeConfig.load(Optional.of(kubeconfig)), "tests/1")
                        .withFieldManager("tests");
        create(COUNTED, "yes");
        create(ObjectKey.of("default", "other"), "no");
        process = start();
    }

    private void create(ObjectKey key, String counted) throws Exception {
        client.create(
                Types.CONFIG_MAP,
                KubeObject.create(Types.CONFIG_MAP, key)
                        .with(counted, "metadata", "labels", "counted")
                        .with("1", "data", "a"));
    }

    @AfterEach
    void close() throws Exception {
        process.destroyForcibly().waitFor();
        client.close();
        server.close();
    }

    private static String program() throws IOException {
        var found = PROGRAM.matcher(Files.readString(PAGE));
        assertTrue(found.find());
        var program = found.group(1);
        assertTrue(program.lines().count() <= 40, "it has at most 40 lines");
        return program;
    }

    /** As a reader starts it, but for the port, which somebody else may have. */
    private Process start() throws IOException {
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        var file = folder.resolve("Counter.java");
        Files.writeString(file, program().replace("8081", Integer.toString(port)));
        var command =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--module-path",
                                "out/modules:out/classes",
                                "--add-modules",
                                "lvms.k8s",
                                file.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile());
        command.environment().put("KUBECONFIG", kubeconfig.toString());
        return command.start();
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private Optional<String> entries(String name) {
        try {
            return client.get(Types.CONFIG_MAP, ObjectKey.of("default", name))
                    .annotation("example.com/entries");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private List<String> notes() {
        try {
            return client.list(Types.EVENT, ListOptions.all().namespace("default")).items().stream()
                    .filter(event -> event.text("reason").equals(Optional.of("Counted")))
                    .map(event -> event.text("note").orElse(""))
                    .toList();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Waits until the timeout of the test: the program is compiled first. */
    private void awaitEntries(String number) throws Exception {
        while (!entries("counted").equals(Optional.of(number))) {
            assertTrue(process.isAlive(), this::log);
            Thread.sleep(50);
        }
    }

    @Test
    @Behaviour(93)
    void itCountsTellsAndEndsWithSigtermAndCodeZero() throws Exception {
        awaitEntries("1");
        client.replace(
                Types.CONFIG_MAP, client.get(Types.CONFIG_MAP, COUNTED).with("2", "data", "b"));
        awaitEntries("2");
        Await.until(this::log, () -> notes().containsAll(List.of("1 entries", "2 entries")));
        assertEquals(Optional.empty(), entries("other"));
        process.toHandle().destroy();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), this::log);
        assertEquals(0, process.exitValue(), this::log);
        var lease = client.get(Types.LEASE, LEASE);
        assertEquals("", lease.text("spec", "holderIdentity").orElse(""), "it is released");
    }
}
