package lvms.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.Await;
import lvms.k8s.client.KubeClient;
import lvms.k8s.serving.HttpAnswer;
import lvms.k8s.serving.HttpHandler;
import lvms.k8s.serving.HttpListener;
import lvms.k8s.serving.Limits;
import lvms.k8s.serving.ServerTls;
import lvms.k8s.serving.TlsBounds;
import lvms.k8s.serving.TokenGate;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.testkit.Faults;
import lvms.k8s.testkit.tls.Trust;
import lvms.k8s.tls.Authority;
import lvms.tests.runner.Behaviour;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;

/** A page over HTTPS: who may read it, with which certificate, and what a client may cost. */
@Timeout(60)
@Lasts(seconds = 30)
class ServingTests {
    private static final InetSocketAddress ANY =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final Limits BRIEF = Limits.CALLERS.withRequest(Duration.ofSeconds(2));
    private static final String PAGE = "volumes 3\n";
    private static final String CHUNKED = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n";

    @TempDir private Path folder;
    private ApiServer api;
    private KubeClient kube;
    private Authority authority;
    private HttpListener server;
    private HttpClient reader;

    @BeforeEach
    void open() throws Exception {
        api = ApiServer.start();
        kube = KubeClient.open(api.config(), "tests/1").withFieldManager("tests");
        authority = Authority.make("tests", Duration.ofDays(3650));
        certify();
        reader = reader();
    }

    private HttpClient reader() throws Exception {
        var trust = Trust.only(authority.pem().getBytes(StandardCharsets.US_ASCII));
        return HttpClient.newBuilder().sslContext(trust).build();
    }

    private void certify() throws Exception {
        authority
                .server("metrics", List.of("localhost"), List.of(InetAddress.getLoopbackAddress()))
                .save(folder, "tls");
    }

    @AfterEach
    void close() throws Exception {
        reader.close();
        server.close();
        kube.close();
        api.close();
    }

    private void serve(HttpHandler handler, TlsBounds bounds) throws IOException {
        serve(handler, bounds, Limits.CALLERS);
    }

    private void serve(HttpHandler handler, TlsBounds bounds, Limits limits) throws IOException {
        server =
                HttpListener.start(
                        ANY,
                        limits,
                        Optional.of(ServerTls.ofFolder(folder, () -> bounds)),
                        handler);
    }

    private void serveGuarded() throws IOException {
        serve(TokenGate.of(kube).before(_ -> HttpAnswer.text(200, PAGE)), TlsBounds.DEFAULT);
    }

    private HttpRequest.Builder request() {
        int port = server.address().getPort();
        return HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/metrics"));
    }

    private HttpResponse<String> get(String token) throws Exception {
        var request = request().header("Authorization", "Bearer " + token).build();
        return reader.send(request, BodyHandlers.ofString());
    }

    private long reviews() {
        return api.faults().requests().stream().filter(ServingTests::isTokenReview).count();
    }

    private static boolean isTokenReview(Faults.Seen request) {
        return request.target().endsWith("/tokenreviews");
    }

    private static boolean isAccessReview(Faults.Seen request) {
        return request.target().endsWith("/subjectaccessreviews");
    }

    @Test
    void onlyWhoeverIsAllowedToReadsThePage() throws Exception {
        serveGuarded();
        var without = reader.send(request().build(), BodyHandlers.ofString());
        assertEquals(401, without.statusCode());
        assertEquals(401, get("nobody's").statusCode());
        var token = api.issueToken("prometheus");
        assertEquals(PAGE, get(token).body());
        assertEquals(PAGE, get(token).body());
        var asked = api.faults().requests().stream().filter(ServingTests::isAccessReview).toList();
        assertEquals(1, asked.size());
        assertTrue(asked.getFirst().body().contains("\"user\":\"prometheus\""), asked::toString);
        assertTrue(asked.getFirst().body().contains("\"path\":\"/metrics\""), asked::toString);
        assertEquals(2, reviews());
    }

    @Test
    void whoeverIsKnownButNotAllowedIsTold() throws Exception {
        serveGuarded();
        var no =
                "{'apiVersion':'authorization.k8s.io/v1','kind':'SubjectAccessReview',"
                        + "'metadata':{},'status':{'allowed':false}}";
        api.faults().answer(ServingTests::isAccessReview, 1, 201, no.replace('\'', '"'));
        var answer = get(api.issueToken("tenant"));
        assertEquals(403, answer.statusCode());
        assertEquals("Authorization denied for user tenant\n", answer.body());
    }

    @Test
    void whileTheApiServerIsAwayThoseWhoAreKnownReadOn() throws Exception {
        serveGuarded();
        var known = api.issueToken("prometheus");
        var other = api.issueToken("other");
        assertEquals(200, get(known).statusCode());
        api.faults().answer(r -> isTokenReview(r) || isAccessReview(r), 1_000, 503, "away");
        assertEquals(200, get(known).statusCode());
        assertEquals(500, get(other).statusCode());
    }

    @Test
    @Safety(33)
    void wrongTokensAreFewRequestsToTheApiServer() throws Exception {
        serveGuarded();
        long end = System.nanoTime() + Duration.ofSeconds(1).toNanos();
        try (var senders = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<Future<Integer>>();
            for (int i = 0; i < 16; i++) {
                var token = "wrong" + i;
                answers.add(
                        senders.submit(
                                () -> {
                                    int code = 0;
                                    for (int n = 0; System.nanoTime() < end; n++) {
                                        code = get(token + "-" + n).statusCode();
                                    }
                                    return code;
                                }));
            }
            for (var answer : answers) {
                assertEquals(401, answer.get());
            }
        }
        assertTrue(reviews() < 60, () -> reviews() + " reviews");
    }

    @Test
    @Behaviour(91)
    void aReplacedCertificateIsServedAndABrokenOneIsNot() throws Exception {
        serveGuarded();
        var first = certificate();
        Files.writeString(folder.resolve("tls.crt"), "broken");
        Thread.sleep(Duration.ofSeconds(3)); // it is read again after two
        assertEquals(first, certificate());
        certify();
        Await.until("the new certificate", () -> !first.equals(certificate()));
    }

    private BigInteger certificate() {
        try (var socket = connected("TLSv1.3")) {
            var chain = socket.getSession().getPeerCertificates();
            return ((X509Certificate) chain[0]).getSerialNumber();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private SSLSocket connected(String protocol) throws Exception {
        var trust = Trust.only(authority.pem().getBytes(StandardCharsets.US_ASCII));
        var socket =
                (SSLSocket)
                        trust.getSocketFactory()
                                .createSocket(
                                        InetAddress.getLoopbackAddress(),
                                        server.address().getPort());
        socket.setEnabledProtocols(new String[] {protocol});
        try {
            socket.startHandshake();
        } catch (IOException e) {
            socket.close();
            throw e;
        }
        return socket;
    }

    @Test
    void aClientBelowTheMinimumVersionIsRefused() throws Exception {
        serve(_ -> HttpAnswer.text(200, PAGE), TlsBounds.of("VersionTLS13", List.of()));
        connected("TLSv1.3").close();
        assertThrows(SSLHandshakeException.class, () -> connected("TLSv1.2"));
    }

    @Test
    void onlyTheCipherSuitesThatAreNamedAreTaken() throws Exception {
        var named = "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384";
        serve(_ -> HttpAnswer.text(200, PAGE), TlsBounds.of("", List.of(named)));
        try (var socket = connected("TLSv1.2")) {
            assertEquals(named, socket.getSession().getCipherSuite());
        }
        connected("TLSv1.3").close();
        var complaint =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> TlsBounds.of("", List.of("TLS_NO_SUCH_SUITE")));
        assertEquals("unknown cipher suite TLS_NO_SUCH_SUITE", complaint.getMessage());
    }

    @Test
    void aCertificateOfAnotherKeyIsSaidAtTheStart() throws Exception {
        serveGuarded();
        var other = authority.server("other", List.of("localhost"), List.of());
        Files.writeString(folder.resolve("tls.key"), other.keyPem());
        var complaint =
                assertThrows(
                        IOException.class,
                        () -> ServerTls.ofFolder(folder, () -> TlsBounds.DEFAULT));
        assertTrue(
                complaint.getMessage().endsWith("the private key is not that of the certificate"),
                complaint.getMessage());
    }

    @Test
    void oneConnectionHasManyRequestsWithBodies() throws Exception {
        serve(
                request -> HttpAnswer.text(200, request.body().length + " " + request.method()),
                TlsBounds.DEFAULT);
        for (int size : new int[] {0, 1, 70_000, 3 << 20}) {
            var post = request().POST(BodyPublishers.ofByteArray(new byte[size])).build();
            var answer = reader.send(post, BodyHandlers.ofString());
            assertEquals(size + " POST", answer.body());
            assertEquals(1, server.connections());
        }
        var tooLong = request().POST(BodyPublishers.ofByteArray(new byte[(3 << 20) + 1])).build();
        assertEquals(413, reader.send(tooLong, BodyHandlers.ofString()).statusCode());
    }

    /** Whoever does not know a body's length beforehand sends it in pieces. */
    @Test
    void bodiesInPiecesAreReadWithinTheSameBounds() throws Exception {
        serve(
                request ->
                        HttpAnswer.text(200, new String(request.body(), StandardCharsets.US_ASCII)),
                TlsBounds.DEFAULT);
        for (int size : new int[] {0, 1, 70_000, 3 << 20, 3 << 20}) {
            var body = "x".repeat(size);
            var answer = reader.send(inPieces(body), BodyHandlers.ofString());
            assertEquals(200, answer.statusCode());
            assertEquals(body, answer.body());
            assertEquals(1, server.connections());
        }
        var tooLong = inPieces("x".repeat((3 << 20) + 1));
        assertEquals(413, reader.send(tooLong, BodyHandlers.ofString()).statusCode());
        try (var socket = connected("TLSv1.3")) {
            send(
                    socket,
                    CHUNKED
                            + "Connection: close\r\n\r\n"
                            + "2;a=b\r\n"
                            + "ab\r\n"
                            + "1\r\n"
                            + "c\r\n"
                            + "0\r\n"
                            + "T: u\r\n\r\n");
            assertTrue(received(socket).endsWith("\r\n\r\nabc"));
        }
    }

    private HttpRequest inPieces(String body) {
        var bytes = body.getBytes(StandardCharsets.US_ASCII);
        return request()
                .version(HttpClient.Version.HTTP_1_1)
                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes)))
                .build();
    }

    /** A lost answer of a webhook is a pod that is refused. */
    @Test
    void oneConnectionTooManyWaitsWhileTheOthersAreAnswered() throws Exception {
        var few =
                new Limits(
                        2,
                        Limits.CALLERS.request(),
                        Limits.CALLERS.idle(),
                        Limits.CALLERS.headBytes(),
                        0,
                        0);
        var asked = new Semaphore(0);
        var mayAnswer = new Semaphore(0);
        serve(
                _ -> {
                    asked.release();
                    mayAnswer.acquire();
                    return HttpAnswer.text(200, PAGE);
                },
                TlsBounds.DEFAULT,
                few);
        var answers = new ArrayList<Future<HttpResponse<String>>>();
        try (var senders = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 6; i++) {
                answers.add(
                        senders.submit(
                                () -> reader.send(request().build(), BodyHandlers.ofString())));
            }
            asked.acquire(2);
            assertEquals(2, server.connections());
            mayAnswer.release(6);
            for (var answer : answers) {
                assertEquals(200, answer.get().statusCode());
            }
        }
    }

    @Test
    @Safety(33)
    void handshakesThatNeverEndKeepNobodyOut() throws Exception {
        serve(_ -> HttpAnswer.text(200, PAGE), TlsBounds.DEFAULT);
        var held = new ArrayList<Socket>();
        try {
            for (int i = 0; i < 200; i++) {
                held.add(new Socket(InetAddress.getLoopbackAddress(), server.address().getPort()));
            }
            assertEquals(200, reader.send(request().build(), BodyHandlers.ofString()).statusCode());
            assertTrue(server.connections() <= Limits.CALLERS.connections());
        } finally {
            for (var socket : held) {
                socket.close();
            }
        }
    }

    private static void send(SSLSocket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String received(SSLSocket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }

    private void awaitNoConnections() throws Exception {
        Await.until("all connections end", () -> server.connections() == 0);
    }

    @Test
    @Safety(33)
    void aHeadThatDripsIsEnded() throws Exception {
        serve(_ -> HttpAnswer.text(200, PAGE), TlsBounds.DEFAULT, BRIEF);
        try (var socket = connected("TLSv1.3")) {
            assertThrows(
                    IOException.class,
                    () -> {
                        send(socket, "GET /metrics HTTP/1.1\r\n");
                        while (true) { // until the timeout of the test
                            send(socket, "X: y\r\n");
                            Thread.sleep(100);
                        }
                    });
        }
        awaitNoConnections();
    }

    @Test
    @Safety(33)
    void anAnswerThatNobodyReadsIsEnded() throws Exception {
        var large = "x".repeat(16 << 20); // more than the kernel keeps
        serve(_ -> HttpAnswer.text(200, large), TlsBounds.DEFAULT, BRIEF);
        try (var socket = connected("TLSv1.3")) {
            send(socket, "GET /metrics HTTP/1.1\r\n\r\n");
            assertTrue(socket.getInputStream().read() >= 0); // the answer begins
            awaitNoConnections();
        }
    }

    /** All bodies together have a bound, and those who wait for room are ended in time. */
    @Test
    @Safety(33)
    void bodiesThatNeverComeKeepNobodyOut() throws Exception {
        serve(_ -> HttpAnswer.text(200, PAGE), TlsBounds.DEFAULT, BRIEF);
        var held = new ArrayList<SSLSocket>();
        try {
            for (int i = 0; i < 10; i++) {
                var socket = connected("TLSv1.3");
                held.add(socket);
                send(socket, "POST / HTTP/1.1\r\nContent-Length: " + (3 << 20) + "\r\n\r\n");
            }
            assertEquals(200, reader.send(request().build(), BodyHandlers.ofString()).statusCode());
            Await.until("all but the reader's end", () -> server.connections() <= 1);
            var post = request().POST(BodyPublishers.ofByteArray(new byte[3 << 20])).build();
            assertEquals(200, reader.send(post, BodyHandlers.ofString()).statusCode());
        } finally {
            for (var socket : held) {
                socket.close();
            }
        }
    }

    @Test
    @Safety(33)
    void whatIsTooLargeOrOfNoLengthIsRefusedBeforeItIsRead() throws Exception {
        serve(_ -> HttpAnswer.text(200, PAGE), TlsBounds.DEFAULT);
        for (var request :
                List.of(
                        "431 GET / HTTP/1.1\r\nX: " + "x".repeat(17 << 10),
                        "431 GET /" + "x".repeat(17 << 10),
                        "431 GET / HTTP/1.1\r\n" + "X: y\r\n".repeat(3_000),
                        "413 POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n",
                        "400 POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                        "501 POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
                        "400 " + CHUNKED + "Content-Length: 3\r\n\r\n",
                        "400 " + CHUNKED + "\r\nmany\r\n",
                        "400 " + CHUNKED + "\r\n1\r\nab\r\n",
                        "413 " + CHUNKED + "\r\n300001\r\n",
                        "413 " + CHUNKED + "\r\nfffffffffffffff\r\n",
                        "431 " + CHUNKED + "\r\n1;" + "x".repeat(300),
                        "431 " + CHUNKED + "\r\n0\r\n" + "X: y\r\n".repeat(3_000))) {
            try (var socket = connected("TLSv1.3")) {
                send(socket, request.substring(4));
                var answer = received(socket);
                assertTrue(answer.startsWith("HTTP/1.1 " + request.substring(0, 3)), answer);
            }
        }
        assertEquals(200, reader.send(request().build(), BodyHandlers.ofString()).statusCode());
    }

    /** As programs do that send a request, and then look for its answer. */
    @Test
    void whoIsRefusedWhileItSendsIsStillAnswered() throws Exception {
        serve(_ -> HttpAnswer.text(200, PAGE), TlsBounds.DEFAULT);
        int length = 16 << 20;
        try (var socket = connected("TLSv1.3")) {
            send(socket, "POST / HTTP/1.1\r\nContent-Length: " + length + "\r\n\r\n");
            socket.getOutputStream().write(new byte[length]);
            var answer = received(socket);
            assertTrue(answer.startsWith("HTTP/1.1 413"), answer);
        }
        awaitNoConnections();
    }

    @Test
    @Safety(33)
    void whoSpeaksNoTlsIsEnded() throws Exception {
        serve(_ -> HttpAnswer.text(200, PAGE), TlsBounds.DEFAULT);
        try (var plain = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
            plain.getOutputStream().write("GET /metrics HTTP/1.1\r\n\r\n".getBytes());
            var answer = plain.getInputStream().readAllBytes();
            assertTrue(!new String(answer, StandardCharsets.ISO_8859_1).contains("HTTP/1.1 200"));
        }
        awaitNoConnections();
    }
}
