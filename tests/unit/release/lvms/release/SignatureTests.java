package lvms.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.runner.Needs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.Optional;

/** A release is signed with the key that the publisher names, and with nothing else. */
@Needs("tar")
class SignatureTests {
    @TempDir private Path folder;

    private static KeyPair pair(String algorithm) throws Exception {
        return KeyPairGenerator.getInstance(algorithm).generateKeyPair();
    }

    /** Writes a key as {@code openssl genpkey} does. */
    private Path pem(String kind, byte[] bytes) throws Exception {
        var text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(
                folder.resolve("key.pem"),
                "-----BEGIN %s-----\n%s\n-----END %1$s-----\n".formatted(kind, text));
    }

    @Test
    void thePublicKeyProvesWhatWasSigned() throws Exception {
        var pair = pair("Ed25519");
        var key = Signature.with(pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
        var release = new SmallRelease(folder).write(Optional.of(key));
        var sums = Files.readAllBytes(release.resolve("SHA256SUMS"));
        var signature = Files.readAllBytes(release.resolve("SHA256SUMS.sig"));
        assertEquals(64, signature.length);
        assertTrue(holds(pair, sums, signature));
        sums[0] ^= 1;
        assertFalse(holds(pair, sums, signature));
        assertFalse(
                holds(
                        pair("Ed25519"),
                        Files.readAllBytes(release.resolve("SHA256SUMS")),
                        signature));
    }

    private static boolean holds(KeyPair pair, byte[] text, byte[] signature) throws Exception {
        var check = java.security.Signature.getInstance("Ed25519");
        check.initVerify(pair.getPublic());
        check.update(text);
        return check.verify(signature);
    }

    @Test
    void withoutAKeyThereIsNoSignature() throws Exception {
        var release = new SmallRelease(folder).write(Optional.empty());
        assertFalse(Files.exists(release.resolve("SHA256SUMS.sig")));
    }

    private void assertUnusable(Path file) {
        var failure = assertThrows(IllegalArgumentException.class, () -> Signature.with(file));
        assertTrue(
                failure.getMessage()
                        .startsWith("key " + file + ": expected a private Ed25519 key without"),
                failure.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUBLIC KEY", "ENCRYPTED PRIVATE KEY", "OPENSSH PRIVATE KEY"})
    void aKeyOfAnotherKindIsRefused(String kind) throws Exception {
        assertUnusable(pem(kind, pair("Ed25519").getPrivate().getEncoded()));
    }

    @Test
    void aKeyOfAnotherAlgorithmIsRefused() throws Exception {
        assertUnusable(pem("PRIVATE KEY", pair("Ed448").getPrivate().getEncoded()));
    }

    @Test
    void halfAKeyIsRefused() throws Exception {
        assertUnusable(pem("PRIVATE KEY", new byte[] {1, 2, 3}));
    }
}
