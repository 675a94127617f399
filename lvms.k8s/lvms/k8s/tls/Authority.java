package lvms.k8s.tls;

import lvms.k8s.secret.Pem;

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
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A certificate authority, with its key in memory: ECDSA on P-256 with SHA-256. Written by hand,
 * since the JDK signs certificates only in keytool, a process of half a second.
 */
public final class Authority {
    private static final Duration EARLIER = Duration.ofHours(1);

    private static final byte[] ECDSA_SHA256 = Der.sequence(Der.oid(1, 2, 840, 10045, 4, 3, 2));
    private static final int[] SERVER_AUTH = {1, 3, 6, 1, 5, 5, 7, 3, 1};
    private static final int[] CLIENT_AUTH = {1, 3, 6, 1, 5, 5, 7, 3, 2};

    private final Signer signer;
    private final X509Certificate certificate;
    private final Validity validity;

    private Authority(Signer signer, X509Certificate certificate, Validity validity) {
        this.signer = signer;
        this.certificate = certificate;
        this.validity = validity;
    }

    /**
     * Makes an authority that is valid from now on; see {@link #make(String, Instant, Duration)}.
     */
    public static Authority make(String commonName, Duration validity)
            throws GeneralSecurityException {
        return make(commonName, Instant.now(), validity);
    }

    /**
     * Makes an authority with a new key.
     *
     * @param from when its own certificate, and each that it issues, begin to be valid, but for
     *     clocks that are up to an hour behind
     * @param validity for how long they are
     */
    public static Authority make(String commonName, Instant from, Duration validity)
            throws GeneralSecurityException {
        var pair = keyPair();
        var name = name(commonName, List.of());
        var signer = new Signer(name, pair.getPrivate());
        var lasting = new Validity(from.minus(EARLIER), from.plus(validity));
        var certificate = signer.sign(name, pair.getPublic(), lasting, authorityExtensions());
        return new Authority(signer, certificate, lasting);
    }

    /** Writes {@code ca.crt} and {@code ca.key} into the directory. */
    public void save(Path directory) throws IOException, GeneralSecurityException {
        new CertifiedKey(List.of(certificate), signer.key()).save(directory, "ca");
    }

    /** Returns the authority's own certificate as a PEM block. */
    public String pem() throws GeneralSecurityException {
        return Pem.text("CERTIFICATE", certificate.getEncoded());
    }

    /** Issues a certificate for a server that is reached under these names and addresses. */
    public CertifiedKey server(String commonName, List<String> names, List<InetAddress> addresses)
            throws GeneralSecurityException {
        return server(commonName, names, addresses, validity);
    }

    /** Issues a server's certificate that expired an hour ago. */
    public CertifiedKey expiredServer(
            String commonName, List<String> names, List<InetAddress> addresses)
            throws GeneralSecurityException {
        var end = Instant.now().minus(Duration.ofHours(1));
        return server(
                commonName, names, addresses, new Validity(end.minus(Duration.ofDays(1)), end));
    }

    /** Issues a certificate for a user, whose groups are the organizations of its name. */
    public CertifiedKey client(String user, List<String> groups) throws GeneralSecurityException {
        return issue(name(user, groups), validity, extensions(CLIENT_AUTH));
    }

    private CertifiedKey server(
            String commonName, List<String> names, List<InetAddress> addresses, Validity validity)
            throws GeneralSecurityException {
        var extensions = extensions(SERVER_AUTH, alternatives(names, addresses));
        return issue(name(commonName, List.of()), validity, extensions);
    }

    private CertifiedKey issue(byte[] subject, Validity validity, byte[] extensions)
            throws GeneralSecurityException {
        var pair = keyPair();
        var issued = signer.sign(subject, pair.getPublic(), validity, extensions);
        return new CertifiedKey(List.of(issued, certificate), pair.getPrivate());
    }

    private static KeyPair keyPair() throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
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
        X509Certificate sign(
                byte[] subject, PublicKey subjectKey, Validity validity, byte[] extensions)
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
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(der));
        }

        private static BigInteger serialNumber() {
            var bytes = new byte[16];
            new SecureRandom().nextBytes(bytes);
            return new BigInteger(1, bytes);
        }
    }
}
