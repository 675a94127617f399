package lvms.k8s.testkit.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A certificate authority for tests.
 *
 * <p>Written by hand rather than by keytool, which takes half a second per call: tests start many
 * servers. ECDSA on P-256 with SHA-256, valid for ten years unless told otherwise.
 */
public final class Authority {
    private static final Duration VALIDITY = Duration.ofDays(3650);
    private static final byte[] ECDSA_SHA256 = Der.sequence(Der.oid(1, 2, 840, 10045, 4, 3, 2));
    private static final int[] SERVER_AUTH = {1, 3, 6, 1, 5, 5, 7, 3, 1};
    private static final int[] CLIENT_AUTH = {1, 3, 6, 1, 5, 5, 7, 3, 2};

    private final Signer signer;
    private final Certificate certificate;

    private Authority(Signer signer, Certificate certificate) {
        this.signer = signer;
        this.certificate = certificate;
    }

    /** Makes an authority with a new key. */
    public static Authority make(String commonName) throws GeneralSecurityException {
        var pair = keyPair();
        var name = name(commonName, List.of());
        var signer = new Signer(name, pair.getPrivate());
        var certificate =
                signer.sign(name, pair.getPublic(), lasting(VALIDITY), authorityExtensions());
        return new Authority(signer, certificate);
    }

    /** Writes {@code ca.crt} and {@code ca.key} into the directory. */
    public void save(Path directory) throws IOException, GeneralSecurityException {
        new Credential(List.of(certificate), signer.key()).save(directory, "ca");
    }

    /** Returns the authority's own certificate as a PEM block. */
    public String pem() throws GeneralSecurityException {
        return Pem.of("CERTIFICATE", certificate.getEncoded());
    }

    /** Issues a certificate for a server that is reached under these names and addresses. */
    public Credential server(String commonName, List<String> names, List<InetAddress> addresses)
            throws GeneralSecurityException {
        return server(commonName, names, addresses, lasting(VALIDITY));
    }

    /** Issues a server's certificate that expired an hour ago. */
    public Credential expiredServer(
            String commonName, List<String> names, List<InetAddress> addresses)
            throws GeneralSecurityException {
        var end = Instant.now().minus(Duration.ofHours(1));
        return server(
                commonName, names, addresses, new Validity(end.minus(Duration.ofDays(1)), end));
    }

    /** Issues a certificate for a user, whose groups are the organizations of its name. */
    public Credential client(String user, List<String> groups) throws GeneralSecurityException {
        return issue(name(user, groups), lasting(VALIDITY), extensions(CLIENT_AUTH));
    }

    private Credential server(
            String commonName, List<String> names, List<InetAddress> addresses, Validity validity)
            throws GeneralSecurityException {
        var extensions = extensions(SERVER_AUTH, alternatives(names, addresses));
        return issue(name(commonName, List.of()), validity, extensions);
    }

    private Credential issue(byte[] subject, Validity validity, byte[] extensions)
            throws GeneralSecurityException {
        var pair = keyPair();
        var issued = signer.sign(subject, pair.getPublic(), validity, extensions);
        return new Credential(List.of(issued, certificate), pair.getPrivate());
    }

    private static KeyPair keyPair() throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private static Validity lasting(Duration duration) {
        var now = Instant.now();
        return new Validity(now.minus(Duration.ofHours(1)), now.plus(duration));
    }

    private static byte[] name(String commonName, List<String> organizations) {
        var parts = new ArrayList<byte[]>();
        for (var organization : organizations) {
            parts.add(attribute(new int[] {2, 5, 4, 10}, organization));
        }
        parts.add(attribute(new int[] {2, 5, 4, 3}, commonName));
        return Der.sequence(parts.toArray(byte[][]::new));
    }

    private static byte[] attribute(int[] oid, String value) {
        return Der.set(Der.sequence(Der.oid(oid), Der.utf8(value)));
    }

    private static byte[] authorityExtensions() {
        return Der.sequence(
                critical(new int[] {2, 5, 29, 19}, Der.sequence(Der.trueValue())),
                critical(new int[] {2, 5, 29, 15}, Der.bits(1, new byte[] {0x06})));
    }

    private static byte[] extensions(int[] purpose, byte[]... more) {
        var all = new ArrayList<byte[]>();
        all.add(critical(new int[] {2, 5, 29, 15}, Der.bits(7, new byte[] {(byte) 0x80})));
        all.add(extension(new int[] {2, 5, 29, 37}, Der.sequence(Der.oid(purpose))));
        all.addAll(List.of(more));
        return Der.sequence(all.toArray(byte[][]::new));
    }

    private static byte[] alternatives(List<String> names, List<InetAddress> addresses) {
        var alternatives = new ArrayList<byte[]>();
        for (var dnsName : names) {
            alternatives.add(Der.tagged(0x82, dnsName.getBytes(StandardCharsets.US_ASCII)));
        }
        for (var address : addresses) {
            alternatives.add(Der.tagged(0x87, address.getAddress()));
        }
        return extension(
                new int[] {2, 5, 29, 17}, Der.sequence(alternatives.toArray(byte[][]::new)));
    }

    private static byte[] critical(int[] oid, byte[] value) {
        return Der.sequence(Der.oid(oid), Der.trueValue(), Der.octets(value));
    }

    private static byte[] extension(int[] oid, byte[] value) {
        return Der.sequence(Der.oid(oid), Der.octets(value));
    }

    private record Validity(Instant from, Instant to) {}

    private record Signer(byte[] name, PrivateKey key) {
        Certificate sign(byte[] subject, PublicKey subjectKey, Validity validity, byte[] extensions)
                throws GeneralSecurityException {
            var body =
                    Der.sequence(
                            Der.tagged(0xa0, Der.integer(BigInteger.TWO)),
                            Der.integer(serialNumber()),
                            ECDSA_SHA256,
                            name,
                            Der.sequence(Der.time(validity.from()), Der.time(validity.to())),
                            subject,
                            subjectKey.getEncoded(),
                            Der.tagged(0xa3, extensions));
            var signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(key);
            signature.update(body);
            var der = Der.sequence(body, ECDSA_SHA256, Der.bits(0, signature.sign()));
            return CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(der));
        }

        private static BigInteger serialNumber() {
            var bytes = new byte[16];
            new SecureRandom().nextBytes(bytes);
            return new BigInteger(1, bytes);
        }
    }
}
