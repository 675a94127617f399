package lvms.k8s.config;

import lvms.k8s.secret.Pem;
import lvms.k8s.secret.Reloading;
import lvms.k8s.secret.Source;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Decides whether a server is the one we want.
 *
 * <p>The authorities are read again for new connections, so a CA file can be replaced. If a server
 * name other than the URL's is set, the certificate is checked against that name.
 */
final class ServerTrust extends X509ExtendedTrustManager {
    private static final Duration PERIOD = Duration.ofSeconds(10); // checked once per handshake
    private static final int MOST_NAMES = 8;
    private static final int SAN_DNS = 2;
    private static final int SAN_IP = 7;

    private final Reloading<X509ExtendedTrustManager> authorities;
    private final Optional<String> serverName;
    private final boolean insecure;

    ServerTrust(
            Optional<Source> authority,
            Optional<String> serverName,
            boolean insecure,
            LongSupplier nanoClock) {
        this.serverName = serverName;
        this.insecure = insecure;
        var what = "certificate authority " + authority.map(Source::toString).orElse("of the JDK");
        this.authorities = new Reloading<>(what, () -> load(authority), PERIOD, nanoClock);
    }

    /** Fails if the authorities cannot be read now. */
    void check() throws IOException {
        if (!insecure) {
            authorities.get();
        }
    }

    /** Returns how often the authorities could not be read again. */
    long failures() {
        return authorities.failures();
    }

    private static X509ExtendedTrustManager load(Optional<Source> authority) throws IOException {
        try {
            KeyStore store = null; // the JDK's own authorities
            if (authority.isPresent()) {
                store = KeyStore.getInstance(KeyStore.getDefaultType());
                store.load(null, null);
                int number = 0;
                for (var certificate : Pem.certificates(bytes(authority.get()))) {
                    store.setCertificateEntry("ca-" + number++, certificate);
                }
            }
            return trustManager(store);
        } catch (GeneralSecurityException e) {
            var from = authority.map(Source::toString).orElse("the JDK");
            throw new IOException("certificate authority of " + from + ": " + e.getMessage(), e);
        }
    }

    private static byte[] bytes(Source authority) throws IOException {
        try {
            return authority.read();
        } catch (IOException e) {
            throw new IOException("certificate authority: " + e.getMessage(), e);
        }
    }

    private static X509ExtendedTrustManager trustManager(KeyStore store)
            throws GeneralSecurityException {
        var factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager extended) {
                return extended;
            }
        }
        throw new GeneralSecurityException("no PKIX trust manager in this JDK");
    }

    /** How the authorities judge a chain; they check the URL's host as well. */
    private interface Check {
        void by(X509ExtendedTrustManager manager) throws CertificateException;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(chain, authType, manager -> manager.checkServerTrusted(chain, authType, engine));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        check(chain, authType, manager -> manager.checkServerTrusted(chain, authType, socket));
    }

    private void check(X509Certificate[] chain, String authType, Check withHost)
            throws CertificateException {
        if (insecure) {
            return;
        }
        try {
            checkChain(chain, authType, withHost);
        } catch (CertificateException e) {
            throw outOfTime(chain).map(text -> new CertificateException(text, e)).orElse(e);
        }
    }

    /** Says which certificate was valid until when; the JDK's message does not name it. */
    private static Optional<String> outOfTime(X509Certificate[] chain) {
        for (var certificate : chain) {
            var name = "the server's certificate " + certificate.getSubjectX500Principal();
            try {
                certificate.checkValidity();
            } catch (CertificateExpiredException _) {
                return Optional.of(name + " expired at " + certificate.getNotAfter().toInstant());
            } catch (CertificateNotYetValidException _) {
                var from = certificate.getNotBefore().toInstant();
                return Optional.of(name + " is not valid before " + from);
            }
        }
        return Optional.empty();
    }

    private void checkChain(X509Certificate[] chain, String authType, Check withHost)
            throws CertificateException {
        var manager = manager();
        if (serverName.isEmpty()) {
            withHost.by(manager);
        } else {
            manager.checkServerTrusted(chain, authType);
            checkName(chain[0], serverName.get());
        }
        chain[0].checkValidity(); // an authority itself has no end for the JDK, but for Go
    }

    private X509ExtendedTrustManager manager() throws CertificateException {
        try {
            return authorities.get();
        } catch (IOException e) {
            throw new CertificateException(e.getMessage(), e);
        }
    }

    static void checkName(X509Certificate certificate, String name) throws CertificateException {
        var names = certificate.getSubjectAlternativeNames();
        if (names != null) {
            for (List<?> entry : names) {
                if (matches((Integer) entry.get(0), entry.get(1), name)) {
                    return;
                }
            }
        }
        throw new CertificateException(
                "the server's certificate is not for " + name + ", but for " + told(names));
    }

    private static String told(Collection<List<?>> names) {
        if (names == null || names.isEmpty()) {
            return "nothing that a client may check";
        }
        var shown =
                names.stream()
                        .map(entry -> entry.get(1))
                        .filter(String.class::isInstance)
                        .map(String.class::cast)
                        .limit(MOST_NAMES);
        return shown.collect(Collectors.joining(", ")) + (names.size() > MOST_NAMES ? " ..." : "");
    }

    private static boolean matches(int kind, Object value, String name) {
        if (!(value instanceof String text)) {
            return false;
        }
        return switch (kind) {
            case SAN_DNS ->
                    matchesHost(text.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
            case SAN_IP -> isAddress(name) && address(text).equals(address(name));
            default -> false;
        };
    }

    private static boolean matchesHost(String pattern, String name) {
        if (!pattern.startsWith("*.")) {
            return pattern.equals(name);
        }
        int dot = name.indexOf('.');
        return dot > 0 && name.substring(dot).equals(pattern.substring(1));
    }

    private static boolean isAddress(String text) {
        return text.indexOf(':') >= 0
                || !text.isEmpty() && Character.isDigit(text.charAt(text.length() - 1));
    }

    private static Optional<InetAddress> address(String text) {
        try {
            return Optional.of(InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException _) {
            return Optional.empty(); // a name that ends in a digit
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType)
            throws CertificateException {
        throw new CertificateException("without a connection there is no host to check");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw new CertificateException("this is a client");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        throw new CertificateException("this is a client");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType)
            throws CertificateException {
        throw new CertificateException("this is a client");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
