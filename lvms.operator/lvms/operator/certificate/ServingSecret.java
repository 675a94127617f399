package lvms.operator.certificate;

import lvms.k8s.tls.Authority;
import lvms.k8s.tls.CertifiedKey;
import lvms.k8s.tls.TrustBundle;
import lvms.k8s.tree.ObjectTree;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Optional;

/**
 * The data of a Secret with the certificate of a server, and what comes next for it.
 *
 * <p>Each certificate has an authority of its own, whose key nobody keeps. A renewal takes two
 * steps: first {@code ca.crt} has the new authority too, and only when all who scrape have read it
 * is the new certificate served. Until then it waits in the same Secret, so that any process can go
 * on from there.
 *
 * @param data in base64, as the API has it
 */
record ServingSecret(ObjectTree data) {
    /** What says that the operator makes the certificate, and the operator's name as its value. */
    static final String ISSUER = "issuer";

    static final String CERTIFICATE = "tls.crt";
    static final String KEY = "tls.key";
    static final String AUTHORITIES = "ca.crt";
    static final String NEXT_CERTIFICATE = "next.crt";
    static final String NEXT_KEY = "next.key";

    static final Duration VALIDITY = Duration.ofDays(90);
    static final Duration RENEWAL = Duration.ofDays(60);

    /** Prometheus reads its files each few minutes, if somebody has them read. */
    static final Duration NOTICE = Duration.ofDays(1);

    /** A certificate that ends sooner is replaced, noticed or not. */
    static final Duration END = Duration.ofHours(1);

    boolean isIssuedBy(String issuer) {
        return decoded(ISSUER).filter(issuer::equals).isPresent();
    }

    /**
     * Returns what it should hold; the same if that is what it holds.
     *
     * @param name under which the server is reached
     */
    ServingSecret at(Instant now, String name) throws GeneralSecurityException {
        var serving = pair(CERTIFICATE, KEY).filter(key -> serves(key, name, now));
        if (serving.isEmpty()) {
            return issued(CERTIFICATE, KEY, name, now).withoutNext();
        }
        var trusting = trusting(serving.get(), now);
        var from = serving.get().chain().getFirst().getNotBefore().toInstant();
        if (now.isBefore(from.plus(RENEWAL)) && !endsSoon(serving.get(), now)) {
            return trusting;
        }
        var next = pair(NEXT_CERTIFICATE, NEXT_KEY).filter(key -> serves(key, name, now));
        if (next.isEmpty()) {
            return trusting.issued(NEXT_CERTIFICATE, NEXT_KEY, name, now);
        }
        var known = next.get().chain().getFirst().getNotBefore().toInstant().plus(NOTICE);
        return now.isBefore(known) && !endsSoon(serving.get(), now)
                ? trusting
                : holding(CERTIFICATE, KEY, next.get()).withoutNext().trusting(next.get(), now);
    }

    private static boolean endsSoon(CertifiedKey key, Instant now) {
        return now.plus(END).isAfter(key.chain().getFirst().getNotAfter().toInstant());
    }

    private static boolean serves(CertifiedKey key, String name, Instant now) {
        try {
            key.check();
            key.chain().getFirst().checkValidity(Date.from(now));
            var names = key.chain().getFirst().getSubjectAlternativeNames();
            return names != null && names.stream().anyMatch(entry -> entry.contains(name));
        } catch (GeneralSecurityException _) {
            return false;
        }
    }

    private Optional<CertifiedKey> pair(String certificate, String key) {
        var chain = decoded(certificate);
        var secret = decoded(key);
        if (chain.isEmpty() || secret.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    CertifiedKey.of(
                            chain.get().getBytes(StandardCharsets.US_ASCII),
                            secret.get().getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException _) {
            return Optional.empty();
        }
    }

    private Optional<String> decoded(String member) {
        try {
            return data.text(member)
                    .map(text -> Base64.getDecoder().decode(text))
                    .map(bytes -> new String(bytes, StandardCharsets.US_ASCII));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private ServingSecret issued(String certificate, String key, String name, Instant now)
            throws GeneralSecurityException {
        var issued = Authority.make(name, now, VALIDITY).server(name, List.of(name), List.of());
        return holding(certificate, key, issued).trusting(issued, now);
    }

    private ServingSecret holding(String certificate, String key, CertifiedKey issued)
            throws GeneralSecurityException {
        return with(certificate, encoded(issued.chainPem())).with(key, encoded(issued.keyPem()));
    }

    private ServingSecret trusting(CertifiedKey key, Instant now) {
        var authority = key.chain().getLast();
        var bundle = TrustBundle.of(data.text(AUTHORITIES).orElse(""));
        return bundle.trusts(authority)
                ? this
                : with(AUTHORITIES, bundle.with(authority, now).base64());
    }

    private ServingSecret with(String member, String value) {
        return new ServingSecret(data.toBuilder().put(member, value).build());
    }

    private ServingSecret withoutNext() {
        return new ServingSecret(data.without(NEXT_CERTIFICATE).without(NEXT_KEY));
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }
}
