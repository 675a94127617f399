package lvms.k8s.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.Await;
import lvms.k8s.client.FakeServer;
import lvms.k8s.client.KubeClient;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Whatever a plugin does, a call ends in time with one line, and the plugin is not run in vain. */
@Timeout(120)
@Behaviour(6)
class ExecPluginTests {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final String API = "client.authentication.k8s.io/v1";

    @TempDir private Path folder;

    private Path script(String body) throws IOException {
        var text = "#!/bin/sh\necho run >> '" + folder + "/runs'\n" + body + "\n";
        var script = Files.writeString(folder.resolve("plugin.sh"), text);
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    }

    private int runs() throws IOException {
        return Files.readAllLines(folder.resolve("runs")).size();
    }

    private ExecPlugin plugin(String body, Duration timeout) throws IOException {
        var command = List.of(script(body).toString());
        return new ExecPlugin(API, command, System.getenv(), "install it", timeout);
    }

    private static String credential(String status) {
        return "printf %s '{\"kind\":\"ExecCredential\",\"apiVersion\":\""
                + API
                + "\",\"status\":"
                + status
                + "}'";
    }

    private KubeClient client(FakeServer server, String body) throws Exception {
        script(body);
        var file =
                Files.writeString(
                        folder.resolve("config"),
                        """
                        clusters: [{name: c, cluster: {server: "%s"}}]
                        contexts: [{name: x, context: {cluster: c, user: u}}]
                        current-context: x
                        users:
                        - name: u
                          user:
                            exec: {apiVersion: %s, command: ./plugin.sh, interactiveMode: Never,
                              installHint: install it}
                        """
                                .formatted(server.url(), API));
        return KubeClient.open(KubeConfig.load(Optional.of(file)), "t");
    }

    @Test
    void runsAgainWhenItsAnswerExpires() throws Exception {
        var status = "{\"token\":\"t\",\"expirationTimestamp\":\"2026-01-01T01:00:00Z\"}";
        var now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
        var nanos = new AtomicLong();
        var plugin = plugin(credential(status), LONG);
        var credentials = new RenewedCredentials(plugin, now::get, nanos::get);
        credentials.authorization(LONG);
        now.set(Instant.parse("2026-01-01T00:59:59Z"));
        nanos.addAndGet(Duration.ofMinutes(60).toNanos());
        assertEquals("Bearer t", credentials.authorization(LONG).orElseThrow());
        assertEquals(1, runs());
        now.set(Instant.parse("2026-01-01T01:00:00Z"));
        credentials.authorization(LONG);
        assertEquals(2, runs());
        credentials.authorization(LONG);
        assertEquals(2, runs(), "what it gives has expired: not again at once");
        nanos.addAndGet(RenewedCredentials.PAUSE.toNanos());
        credentials.authorization(LONG);
        assertEquals(3, runs());
    }

    /** Every informer of a process asks for credentials, and each of their calls is repeated. */
    @Test
    void runsOnceForACallIfItFails() throws Exception {
        try (var server = FakeServer.start((_, reply) -> reply.send(200, "{}"));
                var client = client(server, "exit 3")) {
            var failure = assertThrows(ApiException.Unreachable.class, client::serverVersion);
            assertTrue(failure.getMessage().contains("exit code 3"), failure.getMessage());
            assertTrue(failure.getMessage().endsWith("install it"), failure.getMessage());
            assertFalse(failure.outcomeUnknown());
            assertThrows(ApiException.Unreachable.class, client::serverVersion);
            assertEquals(1, runs());
            assertEquals(List.of(), server.requests());
        }
    }

    @Test
    void failsAgainOnlyAfterAPause() throws Exception {
        var nanos = new AtomicLong();
        var plugin = plugin("exit 3", LONG);
        var credentials = new RenewedCredentials(plugin, Instant::now, nanos::get);
        for (int i = 0; i < 10; i++) {
            assertThrows(CredentialsException.class, () -> credentials.authorization(LONG));
        }
        assertEquals(1, runs());
        nanos.addAndGet(RenewedCredentials.PAUSE.toNanos());
        assertThrows(CredentialsException.class, () -> credentials.authorization(LONG));
        assertEquals(2, runs());
    }

    /** A server that refuses whatever the plugin gives must not make it run for ever. */
    @Test
    void isNotRunAgainAtOnceForWhatItGaveUponARefusal() throws Exception {
        var nanos = new AtomicLong();
        var plugin = plugin(credential("{\"token\":\"t\"}"), LONG);
        var credentials = new RenewedCredentials(plugin, Instant::now, nanos::get);
        var refused = credentials.authorization(LONG);
        assertTrue(credentials.refresh(refused, LONG));
        assertEquals(2, runs());
        assertFalse(credentials.refresh(refused, LONG));
        assertEquals(2, runs());
        nanos.addAndGet(RenewedCredentials.PAUSE.toNanos());
        assertTrue(credentials.refresh(refused, LONG));
        assertEquals(3, runs());
    }

    @Test
    @Behaviour(106)
    void doesNotHoldACallLongerThanItsDeadline() throws Exception {
        try (var server = FakeServer.start((_, reply) -> reply.send(200, "{}"));
                var open = client(server, "exec sleep 20")) {
            var client = open.withDeadline(Duration.ofMillis(300));
            var failure = assertThrows(ApiException.Unreachable.class, client::serverVersion);
            assertTrue(failure.getMessage().contains("deadline"), failure.getMessage());
        }
    }

    @Test
    @Behaviour(10)
    void doesNotHoldACallThatIsInterrupted() throws Exception {
        try (var server = FakeServer.start((_, reply) -> reply.send(200, "{}"));
                var client = client(server, "exec sleep 20")) {
            var failure = new AtomicReference<Exception>();
            var caller =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            client.serverVersion();
                                        } catch (ApiException | InterruptedException e) {
                                            failure.set(e);
                                        }
                                    });
            Await.until("it runs", () -> Files.exists(folder.resolve("runs")));
            caller.interrupt();
            assertTrue(caller.join(Duration.ofSeconds(30)));
            assertTrue(failure.get() instanceof InterruptedException, () -> "" + failure.get());
        }
    }

    @Test
    void aTokenSourceThatHangsIsInterruptedAndAskedAgain() throws Exception {
        var nanos = new AtomicLong();
        var asked = new AtomicInteger();
        TokenSource source =
                () -> {
                    if (asked.incrementAndGet() == 1) {
                        Thread.sleep(Duration.ofHours(1));
                    }
                    return new TokenSource.Token("t", Optional.empty());
                };
        var hanging = RenewedCredentials.of(source, Duration.ofMillis(100));
        var credentials = new RenewedCredentials(hanging, Instant::now, nanos::get);
        var failure =
                assertThrows(CredentialsException.class, () -> credentials.authorization(LONG));
        assertTrue(failure.getMessage().contains("gave none in"), failure.getMessage());
        nanos.addAndGet(RenewedCredentials.PAUSE.toNanos());
        assertEquals("Bearer t", credentials.authorization(LONG).orElseThrow());
    }

    @Test
    void isEndedWithItsChildrenIfItHangs() throws Exception {
        var plugin = plugin("sleep 600 & echo $! > '" + folder + "/child'; wait", brief());
        var failure = assertThrows(IOException.class, plugin::get);
        assertTrue(failure.getMessage().contains("no answer in"), failure.getMessage());
        var child = Long.parseLong(Files.readString(folder.resolve("child")).strip());
        Await.until("its child has ended", () -> hasEnded(child));
    }

    /** A process that nobody has waited for still has an entry. */
    private static boolean hasEnded(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z ");
        } catch (IOException _) {
            return true; // it has no entry any more
        }
    }

    private static Duration brief() {
        return Duration.ofSeconds(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "if read x; then echo $x; else exit 7; fi  | exit code 7",
                "exit 0                                    | it printed nothing",
                "echo hush                                 | not JSON",
                "echo '[\"hush\"]'                         | not an ExecCredential",
                "echo '{\"status\":\"hush\"}'              | not an ExecCredential",
                "echo '{\"apiVersion\":\"hush\",\"status\":{}}' | apiVersion",
                "head -c 2000000 /dev/zero                 | larger than",
                "echo '{'                                  | ends within",
            })
    void saysWhatIsWrongWithItsOutput(String body, String expected) throws Exception {
        var plugin = plugin(body, LONG);
        var failure = assertThrows(IOException.class, plugin::get);
        assertOneLineWithoutSecret(failure, expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}                                            | neither a token",
                "{\"token\":\"\"}                              | neither a token",
                "{\"token\":\"hush\\nhush\"}                 | line break",
                "{\"clientCertificateData\":\"hush\"}          | neither a token",
                "{\"clientCertificateData\":\"hush\",\"clientKeyData\":\"hush\"} | no certificate",
                "{\"token\":\"hush\",\"expirationTimestamp\":\"soon\"} | expirationTimestamp",
                "{\"token\":\"hush\",\"expirationTimestamp\":7}      | expirationTimestamp",
            })
    void saysWhatIsWrongWithItsCredentials(String status, String expected) throws Exception {
        var plugin = plugin(credential(status), LONG);
        var failure = assertThrows(IOException.class, plugin::get);
        assertOneLineWithoutSecret(failure, expected);
    }

    private static void assertOneLineWithoutSecret(Exception failure, String expected) {
        var message = failure.getMessage();
        assertTrue(message.contains(expected), message);
        assertTrue(message.endsWith("; install it"), message);
        assertFalse(message.contains("hush"), message);
        assertEquals(1, message.lines().count(), message);
    }

    /** The server only says that it does not know us. */
    @Test
    void saysThatWhatItGaveHadExpired() throws Exception {
        var status = "{\"token\":\"hush-hush\",\"expirationTimestamp\":\"2020-01-01T00:00:00Z\"}";
        try (var server = FakeServer.start((_, reply) -> reply.send(401, "Unauthorized"));
                var client = client(server, credential(status))) {
            var failure = assertThrows(ApiException.Unauthorized.class, client::serverVersion);
            assertTrue(
                    failure.getMessage().contains("some that expired at 2020-01-01T00:00:00Z"),
                    failure.getMessage());
            assertFalse(failure.getMessage().contains("hush"), failure.getMessage());
            assertEquals(1, failure.getMessage().lines().count());
            assertTrue(runs() <= 2, "it was run again and again");
        }
    }

    @Test
    void saysThatThereIsNoSuchProgram() {
        var missing = folder.resolve("missing").toString();
        var plugin = new ExecPlugin(API, List.of(missing), System.getenv(), "install it", LONG);
        var failure = assertThrows(IOException.class, plugin::get);
        assertOneLineWithoutSecret(failure, "missing");
    }

    /** As one does that waits in native code, or for a lock. */
    @Test
    void aTokenSourceThatIgnoresItsInterruptIsNotAskedBesideItself() throws Exception {
        var nanos = new AtomicLong();
        var asked = new AtomicInteger();
        var go = new CountDownLatch(1);
        TokenSource source =
                () -> {
                    asked.incrementAndGet();
                    while (go.getCount() > 0) {
                        try {
                            go.await();
                        } catch (InterruptedException _) {
                            continue;
                        }
                    }
                    return new TokenSource.Token("t" + asked.get(), Optional.empty());
                };
        var stuck = RenewedCredentials.of(source, Duration.ofMillis(50));
        var credentials = new RenewedCredentials(stuck, Instant::now, nanos::get);
        for (int i = 0; i < 3; i++) {
            var failure =
                    assertThrows(CredentialsException.class, () -> credentials.authorization(LONG));
            assertTrue(failure.getMessage().contains("gave none in"), failure.getMessage());
            nanos.addAndGet(RenewedCredentials.PAUSE.toNanos());
        }
        assertEquals(1, asked.get());
        go.countDown();
        Await.until(
                "it is asked again",
                () -> {
                    nanos.addAndGet(RenewedCredentials.PAUSE.toNanos());
                    try {
                        return credentials.authorization(LONG).isPresent();
                    } catch (IOException | InterruptedException _) {
                        return false; // the call before has not ended yet
                    }
                });
        assertEquals(2, asked.get(), "what it gave to nobody is not used");
    }
}
