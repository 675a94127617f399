package lvms.k8s.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.Bodies;
import lvms.k8s.client.FakeServer;
import lvms.k8s.client.KubeClient;
import lvms.k8s.secret.Reloading;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Configuration is found and merged as client-go does it, and what it names is kept fresh. */
class KubeConfigTests {
    @TempDir private Path folder;
    private final Map<String, String> env = new HashMap<>();
    private Path serviceAccount;

    @BeforeEach
    void makeServiceAccount() throws IOException {
        serviceAccount = Files.createDirectory(folder.resolve("sa"));
        Files.writeString(serviceAccount.resolve("token"), "pod-token\n");
        Files.writeString(serviceAccount.resolve("namespace"), "pod-ns");
        Files.write(serviceAccount.resolve("ca.crt"), TestCertificates.certificatePem());
    }

    private KubeConfig load() throws KubeConfigException {
        return new ConfigLoader(env, folder, serviceAccount).load(Optional.empty());
    }

    private static final Duration LONG = Duration.ofMinutes(1);

    private static Optional<String> authorization(KubeConfig config) throws Exception {
        return config.authorization(LONG);
    }

    private Path write(String name, String text) throws IOException {
        var path = folder.resolve(name);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, text);
    }

    private static String config(String server, String user, String context) {
        return """
        apiVersion: v1
        kind: Config
        clusters:
        - name: c
          cluster:
            server: %s
        users:
        - name: u
          user: %s
        contexts:
        - name: x
          context: {cluster: c, user: u, namespace: here}
        current-context: %s
        """
                .formatted(server, user, context);
    }

    @Test
    @Behaviour(1)
    void loadsThePodsOwnConfiguration() throws Exception {
        env.put("KUBERNETES_SERVICE_HOST", "fd00::1");
        env.put("KUBERNETES_SERVICE_PORT", "443");
        var config = load();
        assertEquals("https://[fd00::1]:443", config.server().toString());
        assertEquals("pod-ns", config.namespace());
        assertEquals("Bearer pod-token", authorization(config).orElseThrow());
    }

    @Test
    @Behaviour(1)
    void saysWhatIsMissingInAPod() throws Exception {
        var notInPod = assertThrows(KubeConfigException.class, this::load);
        assertTrue(notInPod.getMessage().contains("KUBERNETES_SERVICE_HOST"));
        env.put("KUBERNETES_SERVICE_HOST", "10.0.0.1");
        env.put("KUBERNETES_SERVICE_PORT", "443");
        Files.delete(serviceAccount.resolve("ca.crt"));
        var noAuthority = assertThrows(KubeConfigException.class, this::load);
        assertTrue(noAuthority.getMessage().contains("ca.crt"), noAuthority.getMessage());
        Files.delete(serviceAccount.resolve("token"));
        var noToken = assertThrows(KubeConfigException.class, this::load);
        assertTrue(noToken.getMessage().contains("token"), noToken.getMessage());
    }

    @Test
    @Behaviour(2)
    void takesEntriesWholeFromTheFirstFileThatHasThem() throws Exception {
        var first = write("one/a", config("http://127.0.0.1:1", "{tokenFile: tok}", "\"\""));
        var second = write("two/b", config("http://127.0.0.1:2", "{token: second}", "x"));
        write("one/tok", "first");
        write("two/tok", "wrong folder");
        env.put("KUBECONFIG", "/does/not/exist:" + first + ":" + second + "::" + first);
        var config = load();
        assertEquals("http://127.0.0.1:1", config.server().toString());
        assertEquals("Bearer first", authorization(config).orElseThrow());
        assertEquals("here", config.namespace());
    }

    @Test
    void prefersTheFileOfTheHomeFolderToThePod() throws Exception {
        env.put("KUBERNETES_SERVICE_HOST", "10.0.0.1");
        env.put("KUBERNETES_SERVICE_PORT", "443");
        write(".kube/config", config("http://127.0.0.1:3", "{}", "x"));
        assertEquals("http://127.0.0.1:3", load().server().toString());
        write(".kube/config", "apiVersion: v1\nkind: Config\n");
        assertEquals("https://10.0.0.1:443", load().server().toString());
    }

    @Test
    void refusesWhatCannotWork() throws Exception {
        var cases =
                Map.of(
                        config("http://127.0.0.1:1", "{}", "missing"),
                        "context \"missing\"",
                        config("http://10.0.0.1:1", "{token: t}", "x"),
                        "without TLS",
                        config("ftp://10.0.0.1", "{}", "x"),
                        "not the URL",
                        config("http://127.0.0.1", "{auth-provider: {name: gcp}}", "x"),
                        "exec",
                        config("http://127.0.0.1", "{as-groups: [g]}", "x"),
                        "need 'as'",
                        config("http://127.0.0.1", "{client-key: k}", "x"),
                        "must both be set",
                        "a: [",
                        "line 1");
        for (var entry : cases.entrySet()) {
            var file = write("bad", entry.getKey());
            var failure =
                    assertThrows(
                            KubeConfigException.class, () -> KubeConfig.load(Optional.of(file)));
            assertTrue(failure.getMessage().contains(entry.getValue()), failure.getMessage());
        }
    }

    @Test
    void impersonatesWithHeaders() throws Exception {
        var user = "{as: \"me\", as-uid: \"7\", as-groups: [a, b], as-user-extra: {X/y: [z]}}";
        var file = write("f", config("http://127.0.0.1:1", user, "x"));
        var headers = new ArrayList<Impersonation.Header>();
        KubeConfig.load(Optional.of(file))
                .impersonate((name, value) -> headers.add(new Impersonation.Header(name, value)));
        assertEquals(
                List.of(
                        new Impersonation.Header("Impersonate-User", "me"),
                        new Impersonation.Header("Impersonate-Uid", "7"),
                        new Impersonation.Header("Impersonate-Group", "a"),
                        new Impersonation.Header("Impersonate-Group", "b"),
                        new Impersonation.Header("Impersonate-Extra-x%2Fy", "z")),
                headers);
    }

    @Test
    @Behaviour({3, 5})
    void readsATokenAgainWithinAMinuteAndKeepsTheOldOneIfItCannot() throws Exception {
        var now = new AtomicLong();
        var file = write("token", "one\n");
        var token = new TokenFile(file, now::get);
        assertEquals("Bearer one", token.authorization(LONG).orElseThrow());
        replace(file, "two\n");
        now.addAndGet(Duration.ofSeconds(10).toNanos());
        assertEquals("Bearer one", token.authorization(LONG).orElseThrow());
        now.addAndGet(Duration.ofSeconds(50).toNanos());
        assertEquals("Bearer two", token.authorization(LONG).orElseThrow());
        replace(file, "");
        now.addAndGet(Duration.ofSeconds(60).toNanos());
        assertEquals("Bearer two", token.authorization(LONG).orElseThrow());
        assertEquals(1, token.tokenFailures());
        Files.delete(file);
        now.addAndGet(Duration.ofSeconds(60).toNanos());
        assertEquals("Bearer two", token.authorization(LONG).orElseThrow());
        assertEquals(2, token.tokenFailures());
    }

    /** As the kubelet does it: the name becomes another file at once. */
    private static void replace(Path file, String text) throws IOException {
        var next = Files.writeString(file.resolveSibling("next"), text);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    @Test
    @Behaviour(4)
    void repeatsARequestOnceWithAFreshTokenAfter401() throws Exception {
        var tokenFile = write("token", "old");
        try (var server =
                FakeServer.start(
                        (request, reply) -> {
                            if (request.header("authorization").equals("Bearer new")) {
                                reply.send(200, Bodies.configMap("a", "u", 1));
                            } else {
                                reply.send(401, "who are you");
                            }
                        })) {
            var file = write("f", config(server.url().toString(), "{tokenFile: token}", "x"));
            try (var client = KubeClient.open(KubeConfig.load(Optional.of(file)), "t")) {
                assertThrows(ApiException.Unauthorized.class, () -> client.serverVersion());
                assertEquals(2, server.requests().size(), "exactly one retry");
                Files.writeString(tokenFile, "new");
                client.serverVersion();
                assertEquals(4, server.requests().size());
            }
        }
    }

    private String plugin(String body) throws IOException {
        var script = write("plugin.sh", "#!/bin/sh\necho run >> '" + folder + "/runs'\n" + body);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        return "{exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin.sh,"
                + " interactiveMode: Never, installHint: \"install it\","
                + " env: [{name: EXTRA, value: \"e\"}]}}";
    }

    private int runs() throws IOException {
        return Files.readAllLines(folder.resolve("runs")).size();
    }

    private KubeConfig withUser(String user) throws Exception {
        var file = write("f", config("http://127.0.0.1:1", user, "x"));
        env.putAll(System.getenv());
        return new ConfigLoader(env, folder, serviceAccount).load(Optional.of(file));
    }

    private static String credential(String version, String status) {
        return "echo '{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/"
                + version
                + "\",\"status\":"
                + status
                + "}'\n";
    }

    @Test
    @Behaviour(6)
    void runsAPluginOnceForManyCallers() throws Exception {
        var config = withUser(plugin(credential("v1", "{\"token\":\"'$EXTRA'\"}")));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Optional<String>> call = () -> authorization(config);
            for (var result : threads.invokeAll(Collections.nCopies(50, call))) {
                assertEquals("Bearer e", result.get().orElseThrow());
            }
        }
        assertEquals(1, runs());
        assertTrue(config.refresh(Optional.of("Bearer e"), LONG));
        assertEquals(2, runs());
        assertTrue(config.refresh(Optional.of("Bearer former"), LONG));
        assertEquals(2, runs(), "another caller has already refreshed");
    }

    @Test
    void tellsNoSecretsInItsText() throws Exception {
        var file = write("f", config("http://127.0.0.1:1", "{token: hush}", "x"));
        var config = KubeConfig.load(Optional.of(file));
        assertFalse(config.toString().contains("hush"));
        assertFalse(("" + config.credentials()).contains("hush"));
    }

    @Test
    void honoursNoProxy() {
        var list =
                "example.com,.sub.org,*.star.net,10.0.0.0/8,fd00::/8,192.168.1.7,"
                        + "Port.io:443,10.9.9.9:6443,[fe80::1]:443,172.16.0.1:443";
        for (var host :
                List.of(
                        "localhost",
                        "127.0.0.1",
                        "[::1]",
                        "example.com",
                        "a.example.com",
                        "x.sub.org",
                        "10.1.2.3",
                        "[fd00::5]",
                        "a.star.net",
                        "port.IO",
                        "x.port.io",
                        "[fe80::1]",
                        "172.16.0.1",
                        "192.168.1.7")) {
            assertTrue(Proxies.excluded(host, 443, list), host);
        }
        for (var host :
                List.of("sub.org", "star.net", "myexample.com", "11.0.0.1", "192.168.1.8")) {
            assertFalse(Proxies.excluded(host, 443, list), host);
        }
        assertTrue(Proxies.excluded("anything", 443, "*"));
        assertFalse(Proxies.excluded("port.io", 6443, list), "another port");
        assertFalse(Proxies.excluded("[fe80::1]", 6443, list), "another port");
    }

    /** Whatever a parser throws at what was just replaced, what was there before is good. */
    @Test
    @Behaviour({5, 8})
    void whatFailsInAnyWayWhenReadAgainLeavesTheFormerInForce() throws Exception {
        var now = new AtomicLong();
        var broken = new AtomicBoolean(true);
        var value =
                new Reloading<>(
                        "key",
                        () -> {
                            if (broken.get()) {
                                throw new IllegalArgumentException("a length of -3");
                            }
                            return "former";
                        },
                        Duration.ofMinutes(1),
                        now::get);
        assertThrows(IllegalArgumentException.class, value::get, "there is no former");
        broken.set(false);
        assertEquals("former", value.get());
        broken.set(true);
        now.addAndGet(Duration.ofMinutes(1).toNanos());
        assertEquals("former", value.get());
        assertEquals(1, value.failures());
        assertEquals("former", value.refresh());
        assertEquals(2, value.failures());
    }

    @Test
    @Behaviour(14)
    void noCredentialThatWasSentIsRepeated() throws Exception {
        var number = new AtomicInteger();
        TokenSource tokens =
                () -> {
                    var text = "token-number-" + number.incrementAndGet();
                    return new TokenSource.Token(text, Optional.of(Instant.EPOCH));
                };
        var config = KubeConfig.builder(URI.create("http://127.0.0.1:1")).tokens(tokens).build();
        config.authorization(LONG);
        assertTrue(config.refresh(Optional.of("Bearer token-number-1"), LONG));
        config.authorization(LONG);
        assertEquals("*** and then ***", config.redacted("token-number-1 and then token-number-2"));
        var file =
                write(
                        "f",
                        config("http://127.0.0.1:1", "{username: me, password: pass-phrase}", "x"));
        var basic = KubeConfig.load(Optional.of(file));
        basic.authorization(LONG);
        assertEquals(
                "*** is Basic ***, ***",
                basic.redacted("me:pass-phrase is Basic bWU6cGFzcy1waHJhc2U=, pass-phrase"));
    }
}
