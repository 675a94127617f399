package lvms.tests.apiserver.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A certificate authority of the server's own and one server certificate signed by it.
 *
 * <p>Written by hand rather than by keytool, which takes half a second per call: tests start many
 * servers. ECDSA on P-256 with SHA-256, valid for ten years.
 */
public record Certificates(String caPem, List<Certificate> chain, PrivateKey key) {
    private static final Duration VALIDITY = Duration.ofDays(3650);
    private static final byte[] ECDSA_SHA256 = Der.sequence(Der.oid(1, 2, 840, 10045, 4, 3, 2));

    /** Makes an authority and a certificate for the names and addresses given. */
    public static Certificates make(List<String> names, List<InetAddress> addresses)
            throws GeneralSecurityException {
        var ca = keyPair();
        var server = keyPair();
        var issuer = name("lvms test API server CA");
        var caCertificate =
                sign(issuer, issuer, ca.getPublic(), ca.getPrivate(), authorityExtensions());
        var certificate =
                sign(
                        issuer,
                        name("kube-apiserver"),
                        server.getPublic(),
                        ca.getPrivate(),
                        serverExtensions(names, addresses));
        return new Certificates(
                pem("CERTIFICATE", caCertificate.getEncoded()),
                List.of(certificate, caCertificate),
                server.getPrivate());
    }

    /** Reads what {@link #save} wrote. */
    public static Certificates load(Path directory) throws IOException, GeneralSecurityException {
        var chain = new ArrayList<Certificate>();
        try (var in = Files.newInputStream(directory.resolve("server.crt"))) {
            chain.addAll(CertificateFactory.getInstance("X.509").generateCertificates(in));
        }
        var key =
                KeyFactory.getInstance("EC")
                        .generatePrivate(
                                new PKCS8EncodedKeySpec(
                                        unpem(Files.readString(directory.resolve("server.key")))));
        return new Certificates(Files.readString(directory.resolve("ca.crt")), chain, key);
    }

    /** Writes {@code ca.crt}, {@code server.crt} and {@code server.key} into the directory. */
    public void save(Path directory) throws IOException, GeneralSecurityException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("ca.crt"), caPem);
        var text = new StringBuilder();
        for (var certificate : chain) {
            text.append(pem("CERTIFICATE", certificate.getEncoded()));
        }
        Files.writeString(directory.resolve("server.crt"), text);
        Files.writeString(directory.resolve("server.key"), pem("PRIVATE KEY", key.getEncoded()));
    }

    /** The TLS context of a server that shows this certificate. */
    public SSLContext serverContext() throws GeneralSecurityException, IOException {
        var password = new char[0];
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, password);
        store.setKeyEntry("server", key, password, chain.toArray(Certificate[]::new));
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, password);
        var context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    private static KeyPair keyPair() throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private static byte[] name(String commonName) {
        return Der.sequence(Der.set(Der.sequence(Der.oid(2, 5, 4, 3), Der.utf8(commonName))));
    }

    private static Certificate sign(
            byte[] issuer, byte[] subject, PublicKey key, PrivateKey signer, byte[] extensions)
            throws GeneralSecurityException {
        var now = Instant.now();
        var body =
                Der.sequence(
                        Der.tagged(0xa0, Der.integer(BigInteger.TWO)),
                        Der.integer(new BigInteger(1, random(16))),
                        ECDSA_SHA256,
                        issuer,
                        Der.sequence(
                                Der.time(now.minus(Duration.ofHours(1))),
                                Der.time(now.plus(VALIDITY))),
                        subject,
                        key.getEncoded(),
                        Der.tagged(0xa3, extensions));
        var signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(signer);
        signature.update(body);
        var der = Der.sequence(body, ECDSA_SHA256, Der.bits(0, signature.sign()));
        return CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(der));
    }

    private static byte[] random(int length) {
        var bytes = new byte[length];
        new java.security.SecureRandom().nextBytes(bytes);
        return bytes;
    }

    private static byte[] authorityExtensions() {
        return Der.sequence(
                critical(new int[] {2, 5, 29, 19}, Der.sequence(Der.trueValue())),
                critical(new int[] {2, 5, 29, 15}, Der.bits(1, new byte[] {0x06})));
    }

    private static byte[] serverExtensions(List<String> names, List<InetAddress> addresses) {
        var alternatives = new ArrayList<byte[]>();
        for (var name : names) {
            alternatives.add(Der.tagged(0x82, name.getBytes(StandardCharsets.US_ASCII)));
        }
        for (var address : addresses) {
            alternatives.add(Der.tagged(0x87, address.getAddress()));
        }
        var serverAuth = Der.sequence(Der.oid(1, 3, 6, 1, 5, 5, 7, 3, 1));
        return Der.sequence(
                critical(new int[] {2, 5, 29, 15}, Der.bits(7, new byte[] {(byte) 0x80})),
                extension(new int[] {2, 5, 29, 37}, serverAuth),
                extension(
                        new int[] {2, 5, 29, 17},
                        Der.sequence(alternatives.toArray(byte[][]::new))));
    }

    private static byte[] critical(int[] oid, byte[] value) {
        return Der.sequence(Der.oid(oid), Der.trueValue(), Der.octets(value));
    }

    private static byte[] extension(int[] oid, byte[] value) {
        return Der.sequence(Der.oid(oid), Der.octets(value));
    }

    private static String pem(String label, byte[] der) {
        var body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
    }

    private static byte[] unpem(String text) {
        return Base64.getMimeDecoder().decode(text.replaceAll("-----[A-Z ]+-----", ""));
    }
}
