package lvms.operator.certificate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.tls.Authority;
import lvms.k8s.tls.CertifiedKey;
import lvms.k8s.tls.TrustBundle;
import lvms.k8s.tree.ObjectTree;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;

/** Whoever scrapes trusts the certificate that is served, at any time and after any mishap. */
class ServingSecretTests {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final String NAME = "a.b.svc";
    private static final ServingSecret EMPTY =
            new ServingSecret(ObjectTree.builder().put("issuer", encoded("lvms-operator")).build());

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String decoded(ServingSecret secret, String member) {
        var text = secret.data().text(member).orElseThrow();
        return new String(Base64.getDecoder().decode(text), StandardCharsets.US_ASCII);
    }

    private static CertifiedKey serving(ServingSecret secret) throws Exception {
        var key =
                CertifiedKey.of(
                        decoded(secret, "tls.crt").getBytes(StandardCharsets.US_ASCII),
                        decoded(secret, "tls.key").getBytes(StandardCharsets.US_ASCII));
        key.check();
        return key;
    }

    private static X509Certificate certificate(ServingSecret secret) throws Exception {
        return serving(secret).chain().getFirst();
    }

    private static boolean isTrusted(ServingSecret secret, X509Certificate authority) {
        return TrustBundle.of(secret.data().text("ca.crt").orElse("")).trusts(authority);
    }

    private static void assertServes(ServingSecret secret, Instant now) throws Exception {
        var key = serving(secret);
        key.chain().getFirst().checkValidity(Date.from(now));
        key.chain().getFirst().verify(key.chain().getLast().getPublicKey());
        assertTrue(isTrusted(secret, key.chain().getLast()), "its authority is trusted");
    }

    private static ServingSecret holding(CertifiedKey key) throws Exception {
        return new ServingSecret(
                EMPTY.data().toBuilder()
                        .put("tls.crt", encoded(key.chainPem()))
                        .put("tls.key", encoded(key.keyPem()))
                        .build());
    }

    @Test
    void anEmptySecretGetsACertificateAtOnce() throws Exception {
        var made = EMPTY.at(NOW, NAME);
        assertServes(made, NOW);
        assertEquals("lvms-operator", decoded(made, "issuer"));
        assertTrue(certificate(made).getSubjectAlternativeNames().toString().contains(NAME));
        assertEquals(made, made.at(NOW.plus(ServingSecret.RENEWAL).minusSeconds(7200), NAME));
    }

    @Test
    void theNextOneIsTrustedBeforeItIsServed() throws Exception {
        var first = EMPTY.at(NOW, NAME);
        var renewal = NOW.plus(ServingSecret.RENEWAL);
        var told = first.at(renewal, NAME);
        assertEquals(certificate(first), certificate(told));
        assertNotEquals(first.data().text("ca.crt"), told.data().text("ca.crt"));
        assertServes(told, renewal);
        assertEquals(told, told.at(renewal.plus(Duration.ofHours(20)), NAME));
        var served = told.at(renewal.plus(ServingSecret.NOTICE), NAME);
        assertNotEquals(certificate(first), certificate(served));
        assertServes(served, renewal);
        assertTrue(isTrusted(told, serving(served).chain().getLast()));
        assertTrue(isTrusted(served, serving(first).chain().getLast()), "others still serve it");
        assertFalse(served.data().has("next.crt"));
        assertFalse(served.data().has("next.key"));
    }

    /** Each process goes on from the Secret alone, at any time, for years. */
    @Test
    void whateverTheTimeWhatIsServedIsTrustedAndHoldsForAWhile() throws Exception {
        var secret = EMPTY;
        for (var now = NOW; now.isBefore(NOW.plus(Duration.ofDays(400))); ) {
            secret = secret.at(now, NAME);
            assertServes(secret, now);
            assertServes(secret, now.plus(Duration.ofHours(1)));
            now = now.plus(Duration.ofHours(41));
        }
        var bundle = TrustBundle.of(secret.data().text("ca.crt").orElseThrow());
        assertTrue(bundle.authorities().size() <= 3, () -> bundle.authorities().size() + "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "broken", "-----BEGIN CERTIFICATE-----\nAAAA\n"})
    void aBrokenCertificateIsReplaced(String text) throws Exception {
        var broken =
                new ServingSecret(
                        EMPTY.at(NOW, NAME).data().toBuilder()
                                .put("tls.crt", encoded(text))
                                .build());
        assertServes(broken.at(NOW, NAME), NOW);
        var noBase64 = broken.data().toBuilder().put("tls.key", "?").put("ca.crt", "?").build();
        assertServes(new ServingSecret(noBase64).at(NOW, NAME), NOW);
    }

    @Test
    void aKeyOfAnotherCertificateIsReplaced() throws Exception {
        var made = EMPTY.at(NOW, NAME);
        var other = EMPTY.at(NOW, NAME).data().text("tls.key").orElseThrow();
        var mixed = new ServingSecret(made.data().toBuilder().put("tls.key", other).build());
        assertServes(mixed.at(NOW, NAME), NOW);
    }

    @Test
    void aCertificateForAnotherNameIsReplaced() throws Exception {
        var other = EMPTY.at(NOW, "c.d.svc");
        assertNotEquals(certificate(other), certificate(other.at(NOW, NAME)));
    }

    @Test
    void oneThatEndsInAMinuteIsReplacedInTwoRounds() throws Exception {
        var short1 =
                Authority.make("x", NOW, Duration.ofMinutes(1))
                        .server("x", List.of(NAME), List.of());
        var told = holding(short1).at(NOW, NAME);
        assertEquals(short1.chain().getFirst(), certificate(told));
        var served = told.at(NOW.plusSeconds(30), NAME);
        assertNotEquals(short1.chain().getFirst(), certificate(served));
        assertServes(served, NOW);
    }

    @Test
    void afterAJumpOfTheClockThereIsAValidOne() throws Exception {
        var made = EMPTY.at(NOW, NAME);
        for (var jump : List.of(Duration.ofDays(-400), Duration.ofDays(400))) {
            var now = NOW.plus(jump);
            assertServes(made.at(now, NAME), now);
        }
    }

    @Test
    void anAuthorityThatSomebodyRemovedComesBack() throws Exception {
        var made = EMPTY.at(NOW, NAME);
        var without = new ServingSecret(made.data().without("ca.crt"));
        assertEquals(made, without.at(NOW, NAME));
    }
}
