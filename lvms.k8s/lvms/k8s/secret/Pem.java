package lvms.k8s.secret;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;

/**
 * PEM certificates and private keys. The JDK reads PKCS#8 keys only, so PKCS#1 (RFC 8017) and SEC1
 * (RFC 5915) keys get a PKCS#8 header.
 */
public final class Pem {
    private static final byte[] VERSION_0 = {2, 1, 0};
    // SEQUENCE { OID 1.2.840.113549.1.1.1 rsaEncryption, NULL }
    private static final byte[] RSA = {
        0x30, 13, 6, 9, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 1, 1, 1, 5, 0
    };
    // OID 1.2.840.10045.2.1 ecPublicKey
    private static final byte[] EC_PUBLIC_KEY = {
        6, 7, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 2, 1
    };
    private static final String[] KEY_ALGORITHMS = {"RSA", "EC", "EdDSA"};

    private record Block(String label, byte[] der) {}

    private static final int COLUMNS = 64;

    private Pem() {}

    /** Returns the text form of one certificate or key (RFC 7468). */
    public static String text(String label, byte[] der) {
        var body = Base64.getMimeEncoder(COLUMNS, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
    }

    public static List<X509Certificate> certificates(byte[] pem) throws CertificateException {
        var factory = CertificateFactory.getInstance("X.509");
        var certificates = new ArrayList<X509Certificate>();
        for (var block : blocks(pem)) {
            if (block.label.equals("CERTIFICATE")) {
                var der = new ByteArrayInputStream(block.der);
                certificates.add((X509Certificate) factory.generateCertificate(der));
            }
        }
        if (certificates.isEmpty()) {
            throw new CertificateException("no certificate in PEM text");
        }
        return certificates;
    }

    public static PrivateKey privateKey(byte[] pem) throws GeneralSecurityException {
        for (var block : blocks(pem)) {
            switch (block.label) {
                case "PRIVATE KEY" -> {
                    return decode(block.der);
                }
                case "RSA PRIVATE KEY" -> {
                    return decode(pkcs8(RSA, block.der));
                }
                case "EC PRIVATE KEY" -> {
                    return decode(pkcs8(ecAlgorithm(block.der), block.der));
                }
                case "ENCRYPTED PRIVATE KEY" ->
                        throw new KeyException("encrypted private keys are not supported");
                default -> {} // certificates and EC PARAMETERS may be in the same file
            }
        }
        throw new KeyException("no private key in PEM text");
    }

    private static PrivateKey decode(byte[] pkcs8) throws GeneralSecurityException {
        for (var algorithm : KEY_ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm)
                        .generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            } catch (InvalidKeySpecException _) {
                continue; // a key of another algorithm
            }
        }
        throw new KeyException("private key of an unknown algorithm");
    }

    private static byte[] pkcs8(byte[] algorithm, byte[] key) {
        return der(0x30, VERSION_0, algorithm, der(4, key));
    }

    /** Reads the curve from SEC1's {@code [0] parameters}. */
    private static byte[] ecAlgorithm(byte[] sec1) throws KeyException {
        try {
            int at = contentStart(sec1, 0);
            at = next(sec1, at); // version
            at = next(sec1, at); // private key
            if ((sec1[at] & 0xff) != 0xa0) {
                throw new KeyException("EC private key without its curve");
            }
            int start = contentStart(sec1, at);
            int end = next(sec1, start);
            Objects.checkFromToIndex(start, end, sec1.length);
            return der(0x30, EC_PUBLIC_KEY, Arrays.copyOfRange(sec1, start, end));
        } catch (IndexOutOfBoundsException e) {
            throw new KeyException("EC private key is cut off", e);
        }
    }

    private static int contentStart(byte[] der, int at) {
        int length = der[at + 1] & 0xff;
        return at + 2 + (length < 0x80 ? 0 : length & 0x7f);
    }

    private static int next(byte[] der, int at) {
        int length = der[at + 1] & 0xff;
        int start = contentStart(der, at);
        if (length >= 0x80) {
            int size = 0;
            for (int i = at + 2; i < start; i++) {
                size = size << 8 | der[i] & 0xff;
            }
            length = size;
        }
        return start + length;
    }

    private static byte[] der(int tag, byte[]... parts) {
        var content = new ByteArrayOutputStream();
        for (var part : parts) {
            content.writeBytes(part);
        }
        int length = content.size();
        var out = new ByteArrayOutputStream(length + 5);
        out.write(tag);
        if (length < 0x80) {
            out.write(length);
        } else {
            out.write(0x82); // two length bytes allow 64 KiB, far more than any key
            out.write(length >> 8);
            out.write(length);
        }
        out.writeBytes(content.toByteArray());
        return out.toByteArray();
    }

    private static List<Block> blocks(byte[] pem) throws CertificateException {
        var text = new String(pem, StandardCharsets.ISO_8859_1);
        var blocks = new ArrayList<Block>();
        int at = text.indexOf("-----BEGIN ");
        while (at >= 0) {
            int labelEnd = text.indexOf("-----", at + 11);
            int end = labelEnd < 0 ? -1 : text.indexOf("-----END ", labelEnd);
            if (end < 0) {
                throw new CertificateException("PEM block without an end");
            }
            try {
                var der = Base64.getMimeDecoder().decode(text.substring(labelEnd + 5, end));
                blocks.add(new Block(text.substring(at + 11, labelEnd), der));
            } catch (IllegalArgumentException e) {
                throw new CertificateException("PEM block is not base64", e);
            }
            at = text.indexOf("-----BEGIN ", end);
        }
        return blocks;
    }
}
