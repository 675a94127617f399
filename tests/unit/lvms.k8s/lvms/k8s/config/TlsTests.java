package lvms.k8s.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.FakeServer;
import lvms.k8s.client.KubeClient;
import lvms.k8s.secret.Pem;
import lvms.k8s.secret.Source;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

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

    @TempDir private Path folder;
    private final List<AutoCloseable> opened = new ArrayList<>();
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
                        (_, reply) ->
                                reply.send(200, "{\"gitVersion\":\"v1\"}", "Connection: close"));
        opened.add(server);
        return server;
    }

    /** Asks clients for a certificate and notes whose it is. */
    private final class AnyClient implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {
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
        return new ConfigBuilder(URI.create("https://" + host + ":" + server.port()), Map.of());
    }

    private static Optional<Source> authority(KeyStore store) {
        return Optional.of(new Source.Inline(TestCertificates.pem(store)));
    }

    @Test
    void acceptsACertificateOfTheRightNameOnly() throws Exception {
        for (var host : List.of("127.0.0.1", "localhost")) {
            var good = builder(server(LOCAL), host);
            good.authority = authority(LOCAL);
            assertEquals("v1", client(good).serverVersion());
            var bad = builder(server(OTHER), host);
            bad.authority = authority(OTHER);
            assertThrows(ApiException.Unreachable.class, () -> client(bad).serverVersion());
        }
    }

    @Test
    void refusesACertificateOfAnotherAuthority() throws Exception {
        var builder = builder(server(LOCAL), "127.0.0.1");
        builder.authority = authority(OTHER);
        assertThrows(ApiException.Unreachable.class, () -> client(builder).serverVersion());
    }

    @Test
    void checksTheCertificateAgainstTheServerNameGiven() throws Exception {
        for (var host : List.of("127.0.0.1", "localhost")) {
            var good = builder(server(OTHER), host);
            good.authority = authority(OTHER);
            good.serverName = Optional.of("other.test");
            assertEquals("v1", client(good).serverVersion());
            var bad = builder(server(LOCAL), host);
            bad.authority = authority(LOCAL);
            bad.serverName = Optional.of("other.test");
            assertThrows(ApiException.Unreachable.class, () -> client(bad).serverVersion());
        }
    }

    @Test
    void acceptsAnythingWhenToldSo() throws Exception {
        var builder = builder(server(OTHER), "127.0.0.1");
        builder.insecure = true;
        assertEquals("v1", client(builder).serverVersion());
        builder.authority = authority(OTHER);
        assertThrows(KubeConfigException.class, builder::build);
    }

    @Test
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
    void presentsAReplacedClientCertificateOnTheNextConnection() throws Exception {
        var first = TestCertificates.make("first", "dns:first", "EC");
        var second = TestCertificates.make("second", "dns:second", "RSA");
        var certificate = folder.resolve("tls.crt");
        var key = folder.resolve("tls.key");
        var now = new AtomicLong();
        write(first, certificate, key);
        var builder = builder(server(LOCAL), "127.0.0.1");
        builder.authority = authority(LOCAL);
        builder.credentials =
                new CertificateFiles(new Source.File(certificate), new Source.File(key), now::get);
        var client = client(builder);
        client.serverVersion();
        write(second, certificate, key);
        now.addAndGet(60_000_000_000L);
        client.serverVersion();
        assertEquals(List.of("CN=first", "CN=second"), clientNames);
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
