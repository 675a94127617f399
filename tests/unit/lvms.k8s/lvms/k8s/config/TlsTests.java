package lvms.k8s.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.Deletion;
import lvms.k8s.client.FakeServer;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.client.WatchOptions;
import lvms.k8s.client.WatchSignal;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.secret.Pem;
import lvms.k8s.secret.Source;
import lvms.k8s.tls.CertifiedKey;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import javax.net.ServerSocketFactory;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** Only the right server is talked to, and certificates can be replaced while we run. */
@Timeout(60)
class TlsTests {
    private static final KeyStore LOCAL =
            TestCertificates.make("localhost", "dns:localhost,ip:127.0.0.1", "EC");
    private static final KeyStore OTHER = TestCertificates.make("other", "dns:other.test", "RSA");

    /** What a server says of its version, and of a deletion. */
    private static final String ANSWER =
            "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Success\",\"gitVersion\":\"v1\"}";

    @TempDir private Path folder;
    private final List<AutoCloseable> opened = new ArrayList<>();
    private volatile boolean strict;
    private final List<String> clientNames = new CopyOnWriteArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (var closeable : opened.reversed()) {
            closeable.close();
        }
    }

    private FakeServer server(KeyStore keys) throws Exception {
        var factory = KeyManagerFactory.getInstance("PKIX");
        factory.init(keys, TestCertificates.password());
        var context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), new TrustManager[] {new AnyClient()}, null);
        var server =
                FakeServer.start(
                        new WantingClientCertificates(context.getServerSocketFactory()),
                        (_, reply) -> reply.send(200, ANSWER, "Connection: close"));
        opened.add(server);
        return server;
    }

    /** Asks clients for a certificate and notes whose it is. */
    private final class AnyClient implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type)
                throws CertificateException {
            if (strict) {
                chain[0].checkValidity();
            }
            clientNames.add(chain[0].getSubjectX500Principal().getName());
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            throw new AssertionError("this is a server");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private static final class WantingClientCertificates extends ServerSocketFactory {
        private final SSLServerSocketFactory factory;

        WantingClientCertificates(SSLServerSocketFactory factory) {
            this.factory = factory;
        }

        @Override
        public ServerSocket createServerSocket(int port, int backlog, InetAddress address)
                throws IOException {
            var socket = (SSLServerSocket) factory.createServerSocket(port, backlog, address);
            socket.setWantClientAuth(true);
            return socket;
        }

        @Override
        public ServerSocket createServerSocket(int port) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ServerSocket createServerSocket(int port, int backlog) {
            throw new UnsupportedOperationException();
        }
    }

    private KubeClient client(ConfigBuilder builder) throws Exception {
        var client = KubeClient.open(builder.build(), "t").dedicated("t", Duration.ofSeconds(3));
        opened.add(client);
        return client;
    }

    private static ConfigBuilder builder(FakeServer server, String host) throws Exception {
        return KubeConfig.builder(URI.create("https://" + host + ":" + server.port()));
    }

    @Test
    @Behaviour(7)
    void acceptsACertificateOfTheRightNameOnly() throws Exception {
        for (var host : List.of("127.0.0.1", "localhost")) {
            var good = builder(server(LOCAL), host);
            good.authority(TestCertificates.pem(LOCAL));
            assertEquals("v1", client(good).serverVersion());
            var bad = builder(server(OTHER), host);
            bad.authority(TestCertificates.pem(OTHER));
            assertThrows(ApiException.Unreachable.class, () -> client(bad).serverVersion());
        }
    }

    @Test
    @Behaviour(7)
    void refusesACertificateOfAnotherAuthority() throws Exception {
        var builder = builder(server(LOCAL), "127.0.0.1");
        builder.authority(TestCertificates.pem(OTHER));
        assertThrows(ApiException.Unreachable.class, () -> client(builder).serverVersion());
    }

    @Test
    @Behaviour(7)
    void checksTheCertificateAgainstTheServerNameGiven() throws Exception {
        for (var host : List.of("127.0.0.1", "localhost")) {
            var good = builder(server(OTHER), host);
            good.authority(TestCertificates.pem(OTHER));
            good.serverName("other.test");
            assertEquals("v1", client(good).serverVersion());
            var bad = builder(server(LOCAL), host);
            bad.authority(TestCertificates.pem(LOCAL));
            bad.serverName("other.test");
            assertThrows(ApiException.Unreachable.class, () -> client(bad).serverVersion());
        }
    }

    @Test
    void offersWhatTheJdkDoesAndChaCha20First() throws Exception {
        var builder = builder(server(LOCAL), "localhost");
        builder.authority(TestCertificates.pem(LOCAL));
        var context = builder.build().tlsContext().orElseThrow();
        var usual = context.getDefaultSSLParameters().getCipherSuites();
        var offered = builder.build().tlsParameters(context).getCipherSuites();
        assertEquals("TLS_CHACHA20_POLY1305_SHA256", offered[0]);
        assertEquals(Set.of(usual), Set.of(offered));
        var rest = Stream.of(usual).filter(suite -> !suite.contains("CHACHA20")).toList();
        assertEquals(rest, List.of(offered).subList(usual.length - rest.size(), usual.length));
    }

    @Test
    @Behaviour(7)
    void acceptsAnythingWhenToldSo() throws Exception {
        var builder = builder(server(OTHER), "127.0.0.1");
        builder.insecureSkipTlsVerify();
        assertEquals("v1", client(builder).serverVersion());
        builder.authority(TestCertificates.pem(OTHER));
        assertThrows(KubeConfigException.class, builder::build);
    }

    @Test
    @Behaviour(7)
    void trustsAReplacedAuthorityFileWithoutARestart() throws Exception {
        var file = Files.write(folder.resolve("ca.crt"), TestCertificates.pem(OTHER));
        var now = new AtomicLong();
        var trust =
                new ServerTrust(
                        Optional.of(new Source.File(file)),
                        Optional.of("localhost"),
                        false,
                        now::get);
        var chain = new X509Certificate[] {(X509Certificate) TestCertificates.certificate(LOCAL)};
        var engine = SSLContext.getDefault().createSSLEngine();
        assertThrows(
                CertificateException.class,
                () -> trust.checkServerTrusted(chain, "UNKNOWN", engine));
        Files.write(file, TestCertificates.pem(LOCAL));
        now.addAndGet(60_000_000_000L);
        trust.checkServerTrusted(chain, "UNKNOWN", engine);
        Files.writeString(file, "garbage");
        now.addAndGet(60_000_000_000L);
        trust.checkServerTrusted(chain, "UNKNOWN", engine);
    }

    @Test
    @Behaviour(8)
    void presentsAReplacedClientCertificateOnTheNextConnection() throws Exception {
        var first = TestCertificates.make("first", "dns:first", "EC");
        var second = TestCertificates.make("second", "dns:second", "RSA");
        var certificate = folder.resolve("tls.crt");
        var key = folder.resolve("tls.key");
        var now = new AtomicLong();
        write(first, certificate, key);
        var builder = builder(server(LOCAL), "127.0.0.1");
        builder.authority(TestCertificates.pem(LOCAL));
        builder.credentials(
                new CertificateFiles(new Source.File(certificate), new Source.File(key), now::get));
        var client = client(builder);
        client.serverVersion();
        write(second, certificate, key);
        now.addAndGet(60_000_000_000L);
        client.serverVersion();
        assertEquals(List.of("CN=first", "CN=second"), clientNames);
    }

    /** Each call sees a new identity, while the others are about to send with the former one. */
    @Test
    @Behaviour(8)
    void callsThatRunWhileACertificateIsReplacedAllSucceed() throws Exception {
        var identities =
                List.of(
                        TestCertificates.make("first", "dns:first", "EC"),
                        TestCertificates.make("second", "dns:second", "RSA"));
        var generation = new AtomicInteger();
        Credentials rotating =
                new Credentials() {
                    @Override
                    public Optional<String> authorization(Duration limit) {
                        return Optional.empty();
                    }

                    @Override
                    public Optional<CertifiedKey> identity() throws IOException {
                        try {
                            var store = identities.get(generation.get() % 2);
                            return Optional.of(
                                    new CertifiedKey(
                                            List.of(
                                                    (X509Certificate)
                                                            TestCertificates.certificate(store)),
                                            TestCertificates.key(store)));
                        } catch (GeneralSecurityException e) {
                            throw new IOException(e);
                        }
                    }

                    @Override
                    public int generation() {
                        return generation.incrementAndGet();
                    }
                };
        var builder = builder(server(LOCAL), "127.0.0.1");
        builder.authority(TestCertificates.pem(LOCAL)).credentials(rotating);
        var client = KubeClient.open(builder.build(), "t");
        opened.add(client);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Deletion> call =
                    () ->
                            client.delete(
                                    Types.CONFIG_MAP,
                                    ObjectKey.of("ns", "a"),
                                    DeleteOptions.any()); // never repeated
            for (var result : threads.invokeAll(Collections.nCopies(40, call))) {
                assertEquals(Deletion.GONE, result.get());
            }
        }
    }

    /** A watch goes on with the identity it began with, until somebody closes the client. */
    @Test
    @Behaviour(8)
    void closingEndsTheWatchesOfAFormerIdentityToo() throws Exception {
        var generation = new AtomicInteger();
        Credentials rotating =
                new Credentials() {
                    @Override
                    public Optional<String> authorization(Duration limit) {
                        return Optional.empty();
                    }

                    @Override
                    public int generation() {
                        return generation.get();
                    }
                };
        var server = FakeServer.start((_, reply) -> reply.stream().hold());
        opened.add(server);
        var client =
                KubeClient.open(
                        KubeConfig.builder(server.url()).credentials(rotating).build(), "t");
        var options = WatchOptions.from("1", Duration.ofMinutes(5));
        var first = client.watch(Types.POD, ListOptions.all(), options);
        generation.incrementAndGet();
        var second = client.watch(Types.POD, ListOptions.all(), options);
        assertEquals(new WatchSignal.Idle(), first.next(Duration.ZERO), "it goes on");
        client.close();
        assertThrows(IOException.class, () -> first.next(Duration.ofSeconds(30)));
        assertThrows(IOException.class, () -> second.next(Duration.ofSeconds(30)));
    }

    @Test
    @Behaviour(7)
    void saysWhichCertificateOfTheServerHasEnded() throws Exception {
        var ended = TestCertificates.ended("old", "ip:127.0.0.1");
        var builder = builder(server(ended), "127.0.0.1").authority(TestCertificates.pem(ended));
        var failure =
                assertThrows(ApiException.Unreachable.class, () -> client(builder).serverVersion());
        assertTrue(failure.getMessage().contains("CN=old expired at "), failure.getMessage());
        assertEquals(1, failure.getMessage().lines().count(), failure.getMessage());
    }

    /** The server cannot say it: it only sees somebody whom it does not know. */
    @Test
    void saysThatTheClientCertificateHasEndedWhenItIsRefused() throws Exception {
        var ended = TestCertificates.ended("me", "dns:me");
        var certificate = folder.resolve("me.crt");
        var key = folder.resolve("me.key");
        write(ended, certificate, key);
        var server = FakeServer.start((_, reply) -> reply.send(401, "Unauthorized"));
        opened.add(server);
        var builder = KubeConfig.builder(server.url()).clientCertificate(certificate, key);
        var failure =
                assertThrows(
                        ApiException.Unauthorized.class, () -> client(builder).serverVersion());
        assertTrue(
                failure.getMessage().contains("the certificate CN=me expired at "),
                failure.getMessage());
    }

    /** The alert of the server names no certificate. */
    @Test
    void saysThatTheClientCertificateHasEndedWhenTheHandshakeFails() throws Exception {
        strict = true;
        var ended = TestCertificates.ended("me", "dns:me");
        var certificate = folder.resolve("me.crt");
        var key = folder.resolve("me.key");
        write(ended, certificate, key);
        var builder =
                builder(server(LOCAL), "127.0.0.1")
                        .authority(TestCertificates.pem(LOCAL))
                        .clientCertificate(certificate, key);
        var failure =
                assertThrows(ApiException.Unreachable.class, () -> client(builder).serverVersion());
        assertTrue(
                failure.getMessage().contains("the certificate CN=me expired at "),
                failure.getMessage());
        assertEquals(1, failure.getMessage().lines().count(), failure.getMessage());
    }

    @Test
    @Behaviour(7)
    void saysWhatNamesTheCertificateOfTheServerHas() throws Exception {
        var builder = builder(server(OTHER), "127.0.0.1").serverName("kubernetes");
        builder.authority(TestCertificates.pem(OTHER));
        var failure =
                assertThrows(ApiException.Unreachable.class, () -> client(builder).serverVersion());
        assertTrue(
                failure.getMessage().contains("is not for kubernetes, but for other.test"),
                failure.getMessage());
    }

    private static void write(KeyStore store, Path certificate, Path key) throws Exception {
        Files.write(certificate, TestCertificates.pem(store));
        var der = TestCertificates.key(store).getEncoded();
        Files.write(key, TestCertificates.pem("PRIVATE KEY", der));
    }

    @Test
    void readsKeysInAllThreeForms() throws Exception {
        var rsa = TestCertificates.key(OTHER);
        var ec = (ECPrivateKey) TestCertificates.key(LOCAL);
        assertEquals(rsa, Pem.privateKey(TestCertificates.pem("PRIVATE KEY", rsa.getEncoded())));
        assertEquals(ec, Pem.privateKey(TestCertificates.pem("PRIVATE KEY", ec.getEncoded())));
        var pkcs1 = Arrays.copyOfRange(rsa.getEncoded(), 26, rsa.getEncoded().length);
        assertEquals(rsa, Pem.privateKey(TestCertificates.pem("RSA PRIVATE KEY", pkcs1)));
        var sec1 = sec1(ec);
        var read = (ECPrivateKey) Pem.privateKey(TestCertificates.pem("EC PRIVATE KEY", sec1));
        assertEquals(ec.getS(), read.getS());
        assertThrows(GeneralSecurityException.class, () -> Pem.privateKey("nothing".getBytes()));
    }

    /** As files are that were cut off, or written over while we read them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "300c 020101 040107 a004", // no curve
                "300c 020101 040107 a004 0684ffffff00", // of a negative length
                "300c 020101 040107 a004 06847ffffff0", // of two gibibytes
                "300c 020101 040107 a004 067f01", // longer than the file
                "300c 020101 0484ffffff00 a004 06022a03",
                "300c 028480000000 040107 a004 06022a03",
                "3084",
                "30",
                "",
            })
    void aKeyWhoseLengthsAreWrongIsRefused(String sec1) {
        var der = HexFormat.of().parseHex(sec1.replace(" ", ""));
        var pem = TestCertificates.pem("EC PRIVATE KEY", der);
        assertThrows(GeneralSecurityException.class, () -> Pem.privateKey(pem));
    }

    /** SEQUENCE { 1, OCTET STRING s, [0] curve OID } with the curve of the PKCS#8 form. */
    private static byte[] sec1(ECPrivateKey key) {
        var pkcs8 = key.getEncoded();
        int oidAt = 16; // SEQUENCE, version, SEQUENCE, OID ecPublicKey of 9 bytes
        int start = pkcs8[1] < 0 ? oidAt + 1 : oidAt;
        int length = pkcs8[start + 1] + 2;
        var s = key.getS().toByteArray();
        var out = new ByteArrayOutputStream();
        out.write(0x30);
        out.write(3 + 2 + s.length + 2 + length);
        out.writeBytes(new byte[] {2, 1, 1, 4, (byte) s.length});
        out.writeBytes(s);
        out.writeBytes(new byte[] {(byte) 0xa0, (byte) length});
        out.write(pkcs8, start, length);
        return out.toByteArray();
    }
}
