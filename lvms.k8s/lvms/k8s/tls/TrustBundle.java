package lvms.k8s.tls;

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
 * Authorities that others are told to trust, in base64 as {@code caBundle} of a webhook and the
 * {@code data} of a Secret have them.
 */
public record TrustBundle(List<X509Certificate> authorities) {
    /** Processes come and go, and a bundle must stay small. */
    private static final int MOST = 16;

    public TrustBundle {
        authorities = List.copyOf(authorities);
    }

    /** Reads a bundle; what is no certificate is as good as nothing. */
    public static TrustBundle of(String base64) {
        try {
            return new TrustBundle(Pem.certificates(Base64.getDecoder().decode(base64)));
        } catch (CertificateException | IllegalArgumentException _) {
            return new TrustBundle(List.of()); // Kubernetes' own default is a line break
        }
    }

    public boolean trusts(X509Certificate authority) {
        return authorities.contains(authority);
    }

    /** Returns the same with one more, and without those that have ended. */
    public TrustBundle with(X509Certificate authority, Instant now) {
        var all = new ArrayList<X509Certificate>();
        all.add(authority);
        authorities.stream()
                .filter(old -> old.getNotAfter().toInstant().isAfter(now))
                .sorted(Comparator.comparing(X509Certificate::getNotAfter).reversed())
                .limit(MOST - 1)
                .forEach(all::add);
        return new TrustBundle(all);
    }

    public String base64() {
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
