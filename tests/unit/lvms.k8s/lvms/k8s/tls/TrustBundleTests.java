package lvms.k8s.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Several processes answer webhooks, each with an authority of its own. */
class TrustBundleTests {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final Duration WEEK = Duration.ofDays(7);

    private static X509Certificate authority(Instant from) throws Exception {
        return Authority.make("a", from, WEEK)
                .server("s", List.of("s"), List.of())
                .chain()
                .getLast();
    }

    @Test
    void authoritiesOfOthersStayUntilTheyEnd() throws Exception {
        var ended = authority(NOW.minus(WEEK));
        var other = authority(NOW.minus(Duration.ofDays(1)));
        var own = authority(NOW);
        var bundle = new TrustBundle(List.of(ended, other)).with(own, NOW);
        assertEquals(List.of(own, other), bundle.authorities());
        assertTrue(bundle.trusts(other));
        assertFalse(bundle.trusts(ended));
        assertEquals(bundle, TrustBundle.of(bundle.base64()));
    }

    @Test
    void theOldestGoWhereThereAreTooMany() throws Exception {
        var bundle = new TrustBundle(List.of());
        var first = authority(NOW);
        bundle = bundle.with(first, NOW);
        for (int i = 1; i < 20; i++) {
            bundle = bundle.with(authority(NOW.plusSeconds(i)), NOW);
        }
        assertEquals(16, bundle.authorities().size());
        assertFalse(bundle.trusts(first));
    }

    @Test
    void whatIsNoCertificateIsReplaced() {
        for (var nothing : List.of("", "Cg==", "not base64")) {
            assertEquals(List.of(), TrustBundle.of(nothing).authorities());
        }
    }
}
