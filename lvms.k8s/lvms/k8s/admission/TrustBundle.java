package lvms.k8s.admission;

import lvms.k8s.secret.Pem;

import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;

/**
 * The authorities that the API server trusts at a webhook, as {@code caBundle} has them. Each
 * process that answers has its own.
 */
record TrustBundle(List<X509Certificate> authorities) {
    /** Processes come and go, and a bundle must stay small. */
    private static final int MOST = 16;

    TrustBundle {
        authorities = List.copyOf(authorities);
    }

    /** Reads a bundle; what is no certificate is as good as nothing. */
    static TrustBundle of(String caBundle) {
        try {
            return new TrustBundle(Pem.certificates(Base64.getDecoder().decode(caBundle)));
        } catch (CertificateException | IllegalArgumentException _) {
            return new TrustBundle(List.of()); // Kubernetes' own default is a line break
        }
    }

    boolean trusts(X509Certificate authority) {
        return authorities.contains(authority);
    }

    /** Returns the same with one more, and without those that have ended. */
    TrustBundle with(X509Certificate authority, Instant now) {
        var all = new ArrayList<X509Certificate>();
        all.add(authority);
        authorities.stream()
                .filter(old -> old.getNotAfter().toInstant().isAfter(now))
                .sorted(Comparator.comparing(X509Certificate::getNotAfter).reversed())
                .limit(MOST - 1)
                .forEach(all::add);
        return new TrustBundle(all);
    }

    String caBundle() {
        var text = new StringBuilder();
        try {
            for (var authority : authorities) {
                text.append(Pem.text("CERTIFICATE", authority.getEncoded()));
            }
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException(e); // it was read from its encoding
        }
        var bytes = text.toString().getBytes(StandardCharsets.US_ASCII);
        return Base64.getEncoder().encodeToString(bytes);
    }
}
