package lvms.k8s.config;

import lvms.k8s.secret.Source;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A configuration put together by a program instead of a file; see {@link KubeConfig#builder}. One
 * thread.
 *
 * <p>What is read from a {@link Path} is read again while clients run. Unless told otherwise there
 * are no credentials, no proxy, and the authorities of the JDK.
 */
public final class ConfigBuilder {
    private static final int MOST_PORTS = 65535;

    private final URI server;
    private String namespace = "default";
    private Credentials token = Credentials.ANONYMOUS;
    private Credentials certificate = Credentials.ANONYMOUS;
    private Optional<Source> authority = Optional.empty();
    private Optional<String> serverName = Optional.empty();
    private boolean insecure;
    private boolean compression = true;
    private Optional<URI> proxy = Optional.empty();
    private Map<String, String> proxyVariables = Map.of();
    private Optional<Impersonation> impersonation = Optional.empty();

    ConfigBuilder(URI server) {
        this.server = server;
    }

    /** Sets the namespace that {@link KubeConfig#namespace} returns; {@code default} without it. */
    public ConfigBuilder namespace(String name) {
        this.namespace = name;
        return this;
    }

    /** Sets the authorities that may have signed the server's certificate. */
    public ConfigBuilder authority(byte[] pem) {
        return authority(new Source.Inline(pem.clone()));
    }

    /** Sets a PEM file with the authorities that may have signed the server's certificate. */
    public ConfigBuilder authority(Path pemFile) {
        return authority(new Source.File(pemFile));
    }

    ConfigBuilder authority(Source pem) {
        this.authority = Optional.of(pem);
        return this;
    }

    /** Sets the name that the server's certificate has to have, if it is not the URL's. */
    public ConfigBuilder serverName(String name) {
        this.serverName = Optional.of(name);
        return this;
    }

    /** Trusts any server: whoever can answer instead of it gets the credentials. */
    public ConfigBuilder insecureSkipTlsVerify() {
        return insecureSkipTlsVerify(true);
    }

    ConfigBuilder insecureSkipTlsVerify(boolean skip) {
        this.insecure = skip;
        return this;
    }

    /**
     * Sets a bearer token that stays the same.
     *
     * @throws IllegalArgumentException if it cannot stand in a header; the message does not hold it
     */
    public ConfigBuilder token(String text) {
        try {
            return credentials(Credentials.header(Credentials.bearer(text)));
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Sets a file with a bearer token. */
    public ConfigBuilder tokenFile(Path file) {
        return credentials(new TokenFile(file, System::nanoTime));
    }

    /** Sets who hands out bearer tokens. */
    public ConfigBuilder tokens(TokenSource source) {
        return credentials(RenewedCredentials.of(RenewedCredentials.of(source)));
    }

    ConfigBuilder credentials(Credentials credentials) {
        this.token = credentials;
        return this;
    }

    /** Sets the certificate, with its chain, and key that the client presents. */
    public ConfigBuilder clientCertificate(byte[] certificatePem, byte[] keyPem) {
        return certificate(
                new Source.Inline(certificatePem.clone()), new Source.Inline(keyPem.clone()));
    }

    /** Sets the files of the certificate, with its chain, and key that the client presents. */
    public ConfigBuilder clientCertificate(Path certificatePem, Path keyPem) {
        return certificate(new Source.File(certificatePem), new Source.File(keyPem));
    }

    private ConfigBuilder certificate(Source certificatePem, Source keyPem) {
        this.certificate = new CertificateFiles(certificatePem, keyPem, System::nanoTime);
        return this;
    }

    /** Sets whom to act as. */
    public ConfigBuilder impersonate(Impersonation as) {
        this.impersonation = Optional.of(as);
        return this;
    }

    /**
     * Sets an HTTP proxy, such as {@code http://user:password@proxy:3128}.
     *
     * <p>Java sends a password to a proxy of an https server only if the JVM was started with
     * {@code -Djdk.http.auth.tunneling.disabledSchemes=}; without it {@link #build} fails.
     */
    public ConfigBuilder proxy(URI url) {
        this.proxy = Optional.of(url);
        return this;
    }

    /**
     * Takes the proxy of {@code HTTPS_PROXY}, {@code HTTP_PROXY} and {@code NO_PROXY}, as Go
     * programs do, unless one is set.
     *
     * @param env such as {@link System#getenv()}
     */
    public ConfigBuilder environmentProxy(Map<String, String> env) {
        this.proxyVariables = Map.copyOf(env);
        return this;
    }

    /** Asks for no compressed lists: costs bandwidth, and spares the server's CPU. */
    public ConfigBuilder disableCompression() {
        return disableCompression(true);
    }

    ConfigBuilder disableCompression(boolean disable) {
        this.compression = !disable;
        return this;
    }

    /**
     * Returns the configuration.
     *
     * @throws KubeConfigException if its parts do not go together, or a file cannot be read
     */
    public KubeConfig build() throws KubeConfigException {
        var base = checked(server);
        if (insecure && authority.isPresent()) {
            throw new KubeConfigException(
                    "certificate-authority and insecure-skip-tls-verify exclude each other;"
                            + " remove one of them");
        }
        var credentials = TokenAndCertificate.of(token, certificate);
        boolean secured = base.getScheme().equals("https");
        if (!secured && credentials != Credentials.ANONYMOUS && !isLoopback(base.getHost())) {
            throw new KubeConfigException("refusing to send credentials without TLS: " + base);
        }
        check(credentials);
        var tls = Optional.<Tls>empty();
        if (secured) {
            tls = Optional.of(new Tls(trust(), credentials, serverName));
            tls.get().check();
        }
        return new KubeConfig(
                base,
                namespace,
                credentials,
                tls,
                Proxies.select(base, proxy, proxyVariables),
                compression,
                impersonation);
    }

    private static URI checked(URI server) throws KubeConfigException {
        var scheme = server.getScheme();
        if (server.getHost() == null || !"https".equals(scheme) && !"http".equals(scheme)) {
            throw new KubeConfigException(
                    "not the URL of a server, which is https://HOST: scheme "
                            + scheme
                            + ", host "
                            + server.getHost());
        }
        if (server.getPort() == 0 || server.getPort() > MOST_PORTS) {
            throw new KubeConfigException(
                    "the URL of a server has a port from 1 to 65535, not " + server.getPort());
        }
        if (server.getRawUserInfo() != null
                || server.getRawQuery() != null
                || server.getRawFragment() != null) {
            throw new KubeConfigException(
                    "the URL of a server has no user, query or fragment: host " + server.getHost());
        }
        var text = server.toString();
        return text.endsWith("/") ? URI.create(text.substring(0, text.length() - 1)) : server;
    }

    private static void check(Credentials credentials) throws KubeConfigException {
        try {
            credentials.check();
        } catch (IOException e) {
            throw new KubeConfigException(e.getMessage(), e);
        }
    }

    private ServerTrust trust() {
        return new ServerTrust(authority, serverName, insecure, System::nanoTime);
    }

    private static boolean isLoopback(String host) {
        if (host.equals("localhost")) {
            return true;
        }
        try {
            var plain = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
            return InetAddress.ofLiteral(plain).isLoopbackAddress();
        } catch (IllegalArgumentException _) {
            return false; // a name
        }
    }
}
