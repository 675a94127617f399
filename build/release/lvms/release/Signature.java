package lvms.release;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * Signs with a key of the publisher's: 64 bytes of Ed25519, which {@code openssl pkeyutl -verify
 * -rawin} checks.
 *
 * <p>Source: RFC 8032, RFC 8410.
 *
 * @param key private
 */
record Signature(PrivateKey key) {
    private static final Pattern PEM =
            Pattern.compile(
                    "-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----\\s*");

    /** Reads a key. */
    static Signature with(Path file) throws IOException {
        var pem = PEM.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
        if (!pem.matches()) {
            throw unusable(file);
        }
        try {
            var bytes = Base64.getMimeDecoder().decode(pem.group(1));
            return new Signature(
                    KeyFactory.getInstance("Ed25519")
                            .generatePrivate(new PKCS8EncodedKeySpec(bytes)));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw unusable(file);
        }
    }

    private static IllegalArgumentException unusable(Path file) {
        return new IllegalArgumentException(
                "key "
                        + file
                        + ": expected a private Ed25519 key without a passphrase, as openssl"
                        + " genpkey -algorithm ed25519 writes it");
    }

    byte[] of(byte[] text) {
        try {
            var signature = java.security.Signature.getInstance("Ed25519");
            signature.initSign(key);
            signature.update(text);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a key that was read does not sign", e);
        }
    }
}
