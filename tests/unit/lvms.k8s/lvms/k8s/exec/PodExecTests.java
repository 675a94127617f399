package lvms.k8s.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.tls.Authority;
import lvms.k8s.tls.CertifiedKey;
import lvms.k8s.websocket.SocketServer;
import lvms.k8s.websocket.TlsSide;
import lvms.k8s.websocket.Tunnel;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * A command's outputs and exit code come back whole, and everything else is a failure with the
 * server's words.
 */
@Timeout(60)
class PodExecTests {
    private static final ObjectKey POD = ObjectKey.of("default", "web-0");
    private static final String SUCCESS = "{\"status\":\"Success\"}";
    private static final String FORBIDDEN =
            "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":403,"
                    + "\"reason\":\"Forbidden\",\"message\":\"pods \\\"web-0\\\" is forbidden: User"
                    + " \\\"eve\\\" cannot create resource \\\"pods/exec\\\"\"}";

    private static ExecResult run(SocketServer server, int maxBytes, String... command)
            throws Exception {
        return run(server, maxBytes, Duration.ofSeconds(30), command);
    }

    private static ExecResult run(
            SocketServer server, int maxBytes, Duration deadline, String... command)
            throws Exception {
        var address = URI.create("http://127.0.0.1:" + server.port());
        try (server;
                var kube = KubeClient.open(KubeConfig.ofServer(address), "exec/1")) {
            return new PodExec(kube, deadline, maxBytes).run(POD, "web", List.of(command));
        }
    }

    private static String failure(SocketServer.Script script) throws Exception {
        try (var server = SocketServer.start(script)) {
            return assertThrows(ExecException.class, () -> run(server, 100, "ls")).getMessage();
        }
    }

    @Test
    void outputsAndExitCodeComeBack() throws Exception {
        var server =
                SocketServer.start(
                        with -> {
                            with.accept("v5.channel.k8s.io");
                            with.say(1, "");
                            with.say(1, "on");
                            with.say(2, "warning");
                            with.say(1, "e\n");
                            with.say(3, SUCCESS);
                            with.end(1000, "");
                            with.awaitEnd();
                        });
        var ended = run(server, 100, "ls", "-l", "a b&c=d");
        assertEquals(0, ended.exitCode());
        assertEquals("one\n", ended.stdoutText());
        assertEquals("warning", ended.stderrText());
        assertFalse(ended.cut());
        var head = server.heads.take();
        assertEquals(
                "GET /api/v1/namespaces/default/pods/web-0/exec?container=web&stdout=true"
                        + "&stderr=true&command=ls&command=-l&command=a%20b%26c%3Dd HTTP/1.1",
                head.getFirst());
        assertTrue(
                head.stream().anyMatch(l -> l.contains("v5.channel.k8s.io, v4.channel.k8s.io")),
                head.toString());
    }

    @Test
    void anOlderServersProtocolIsUnderstood() throws Exception {
        var server =
                SocketServer.start(
                        with -> {
                            with.accept("v4.channel.k8s.io");
                            with.say(1, "old");
                            with.say(3, SUCCESS);
                        });
        assertEquals("old", run(server, 100, "ls").stdoutText());
    }

    @Test
    void aMessageInPartsIsOneMessage() throws Exception {
        var server =
                SocketServer.start(
                        with -> {
                            with.accept("v5.channel.k8s.io");
                            with.sayInParts(1, "abcdef", 3);
                            with.sayInParts(3, SUCCESS, 9);
                            with.awaitEnd();
                        });
        assertEquals("abcdef", run(server, 100, "ls").stdoutText());
    }

    @Test
    void aCommandThatFailsHasItsCodeAndItsWords() throws Exception {
        var server =
                SocketServer.start(
                        with -> {
                            with.accept("v5.channel.k8s.io");
                            with.say(2, "no such file");
                            with.say(
                                    3,
                                    "{\"status\":\"Failure\",\"reason\":\"NonZeroExitCode\","
                                            + "\"message\":\"command terminated with non-zero exit"
                                            + " code\",\"details\":{\"causes\":[{\"reason\":"
                                            + "\"ExitCode\",\"message\":\"42\"}]}}");
                            with.awaitEnd();
                        });
        var ended = run(server, 100, "ls");
        assertEquals(42, ended.exitCode());
        assertEquals("no such file", ended.stderrText());
    }

    @Test
    void longOutputIsCutAndSaysSo() throws Exception {
        var server =
                SocketServer.start(
                        with -> {
                            with.accept("v5.channel.k8s.io");
                            with.say(1, "x".repeat(70_000));
                            with.say(1, "y");
                            with.say(3, SUCCESS);
                            with.awaitEnd();
                        });
        var ended = run(server, 1000, "ls");
        assertEquals("x".repeat(1000), ended.stdoutText());
        assertTrue(ended.cut());
    }

    @Test
    void aMissingRightIsTheServersOneLine() throws Exception {
        try (var server = SocketServer.start(with -> with.refuse(403, FORBIDDEN))) {
            var failure = assertThrows(ApiException.Forbidden.class, () -> run(server, 100, "ls"));
            assertEquals(
                    "exec pods default/web-0: pods \"web-0\" is forbidden: User \"eve\" cannot"
                            + " create resource \"pods/exec\" (403 Forbidden)",
                    failure.getMessage());
        }
    }

    @Test
    void aCommandThatCannotStartIsAFailure() throws Exception {
        var message =
                failure(
                        with -> {
                            with.accept("v5.channel.k8s.io");
                            with.say(
                                    3,
                                    "{\"status\":\"Failure\",\"reason\":\"InternalError\","
                                            + "\"message\":\"no such file in the container\"}");
                            with.awaitEnd();
                        });
        assertEquals("exec ls in pod default/web-0: no such file in the container", message);
    }

    @Test
    void aConnectionThatEndsEarlyIsAFailure() throws Exception {
        var message =
                failure(
                        with -> {
                            with.accept("v5.channel.k8s.io");
                            with.say(1, "half");
                            with.end(1011, "kubelet went away");
                            with.awaitEnd();
                        });
        assertEquals(
                "exec ls in pod default/web-0: the connection ended before the command, code 1011:"
                        + " kubelet went away",
                message);
        assertEquals(
                "exec ls in pod default/web-0: the connection ended without a close",
                failure(with -> with.accept("v5.channel.k8s.io")));
    }

    @Test
    void aCommandThatDoesNotEndIsLetGo() throws Exception {
        var server =
                SocketServer.start(
                        with -> {
                            with.accept("v5.channel.k8s.io");
                            with.awaitEnd();
                        });
        var failure =
                assertThrows(
                        ExecException.class,
                        () -> run(server, 100, Duration.ofMillis(200), "sleep", "60"));
        assertEquals(
                "exec sleep in pod default/web-0: it did not end within PT0.2S",
                failure.getMessage());
    }

    /** Like each other call: who we are, and whom we trust. */
    @Test
    void tokenCertificateAndAuthorityAreThoseOfTheClient(@TempDir Path folder) throws Exception {
        var authority = Authority.make("tests", Duration.ofHours(1));
        var config = config(authority, authority.client("eve", List.of()));
        var head = tls(folder, authority, config);
        assertTrue(head.contains("Authorization: Bearer secret"), head.toString());
        assertTrue(head.contains("Impersonate-User: adam"), head.toString());
        assertTrue(head.contains("Impersonate-Group: one"), head.toString());
        assertTrue(head.contains("Impersonate-Group: two"), head.toString());
        var other = config(Authority.make("others", Duration.ofHours(1)), null);
        assertThrows(ApiException.Unreachable.class, () -> tls(folder, authority, other));
    }

    @Test
    void aServerWithAnotherNameIsNotOurs(@TempDir Path folder) throws Exception {
        var authority = Authority.make("tests", Duration.ofHours(1));
        var config = config(authority, authority.client("eve", List.of()));
        var failure =
                assertThrows(
                        ApiException.Unreachable.class,
                        () -> tls(folder, authority, config, "api.example.com"));
        assertFalse(failure.outcomeUnknown(), "nothing was asked before TLS was there");
        var named = config.replace("{server:", "{tls-server-name: api.example.com, server:");
        assertFalse(tls(folder, authority, named, "api.example.com").isEmpty());
    }

    @Test
    void aProxyLeadsToTheServerAndKnowsItsName(@TempDir Path folder) throws Exception {
        var authority = Authority.make("tests", Duration.ofHours(1));
        SocketServer.Script script =
                with -> {
                    with.accept("v5.channel.k8s.io");
                    with.say(3, SUCCESS);
                };
        try (var server = SocketServer.start(TlsSide.of(authority, "api.example.com"), script);
                var tunnel = new Tunnel(server.port())) {
            var config =
                    config(authority, authority.client("eve", List.of()))
                            .replace("127.0.0.1:PORT", "api.example.com:6443")
                            .replace(
                                    "{server:",
                                    "{proxy-url: 'http://127.0.0.1:"
                                            + tunnel.port()
                                            + "', server:");
            assertEquals(0, run(folder, config).exitCode());
            assertEquals("CONNECT api.example.com:6443 HTTP/1.1", tunnel.asked.take());
        }
    }

    /** A kubeconfig without the server's port. */
    private static String config(Authority trusted, CertifiedKey client) throws Exception {
        var user =
                client == null
                        ? "{}"
                        : """
                        {token: secret, as: adam, as-groups: [one, two],
                         client-certificate-data: %s, client-key-data: %s}\
                        """
                                .formatted(base64(client.chainPem()), base64(client.keyPem()));
        return """
        {apiVersion: v1, kind: Config, current-context: c,
         contexts: [{name: c, context: {cluster: k, user: u}}],
         clusters: [{name: k, cluster: {server: 'https://127.0.0.1:PORT',
         certificate-authority-data: %s}}], users: [{name: u, user: %s}]}
        """
                .formatted(base64(trusted.pem()), user);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** The connection ends without a word of TLS, as with a server that is killed. */
    private static List<String> tls(
            Path folder, Authority authority, String config, String... names) throws Exception {
        SocketServer.Script script =
                with -> {
                    with.accept("v5.channel.k8s.io");
                    with.say(3, SUCCESS);
                };
        try (var server = SocketServer.start(TlsSide.of(authority, names), script)) {
            run(folder, config.replace("PORT", Integer.toString(server.port())));
            return server.heads.take();
        }
    }

    private static ExecResult run(Path folder, String config) throws Exception {
        var file = Files.writeString(folder.resolve("config"), config);
        try (var kube = KubeClient.open(KubeConfig.load(Optional.of(file)), "exec/1")) {
            return new PodExec(kube, Duration.ofSeconds(30), 100).run(POD, "web", List.of("ls"));
        }
    }
}
