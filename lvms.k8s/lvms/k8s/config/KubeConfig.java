package lvms.k8s.config;

import java.io.IOException;
import java.net.ProxySelector;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * Where the API server is, whom we trust, and who we are.
 *
 * <p>Token, certificate and authority files are read again while the client runs.
 */
public final class KubeConfig {
    private final URI server;
    private final String namespace;
    private final Credentials credentials;
    private final Optional<Tls> tls;
    private final Proxies.Choice proxy;
    private final boolean compression;
    private final Optional<Impersonation> impersonation;
    private final SentSecrets secrets = new SentSecrets();

    KubeConfig(
            URI server,
            String namespace,
            Credentials credentials,
            Optional<Tls> tls,
            Proxies.Choice proxy,
            boolean compression,
            Optional<Impersonation> impersonation) {
        this.server = server;
        this.namespace = namespace;
        this.credentials = credentials;
        this.tls = tls;
        this.proxy = proxy;
        this.compression = compression;
        this.impersonation = impersonation;
    }

    /** Begins a configuration that a program puts together. */
    public static ConfigBuilder builder(URI server) {
        return new ConfigBuilder(server);
    }

    /**
     * Loads the explicit file ({@code -} is standard input), else the files of {@code KUBECONFIG},
     * else {@code ~/.kube/config}, else the configuration of the pod.
     *
     * @throws KubeConfigException if none can be used, naming what is wrong
     */
    public static KubeConfig load(Optional<Path> explicit) throws KubeConfigException {
        return ConfigLoader.ofProcess().load(explicit);
    }

    /**
     * Loads the same files, and takes a context of them instead of the current one.
     *
     * @throws KubeConfigException if there is no such context, or it cannot be used
     */
    public static KubeConfig load(Optional<Path> explicit, String context)
            throws KubeConfigException {
        return ConfigLoader.ofProcess().load(explicit, Optional.of(context));
    }

    /**
     * Returns the configuration of the pod this process runs in.
     *
     * @throws KubeConfigException if the process does not run in a pod
     */
    public static KubeConfig inCluster() throws KubeConfigException {
        return ConfigLoader.ofProcess().inCluster();
    }

    /**
     * Returns the configuration of a server without credentials, such as a test server on loopback.
     */
    public static KubeConfig ofServer(URI server) throws KubeConfigException {
        return builder(server).build();
    }

    /**
     * Returns the configuration of a server with a bearer token.
     *
     * @param authorityPem authorities that may have signed the server's certificate
     */
    public static KubeConfig ofServer(URI server, byte[] authorityPem, String token)
            throws KubeConfigException {
        return builder(server).authority(authorityPem).token(token).build();
    }

    /** Returns the same configuration, acting as somebody else. */
    public KubeConfig actingAs(Impersonation as) {
        return new KubeConfig(
                server, namespace, credentials, tls, proxy, compression, Optional.of(as));
    }

    /** Returns the same configuration with another namespace. */
    public KubeConfig inNamespace(String name) {
        return new KubeConfig(server, name, credentials, tls, proxy, compression, impersonation);
    }

    /** Returns the base URL of the server, without a trailing slash. */
    public URI server() {
        return server;
    }

    /** Returns the namespace of the context or of the pod. */
    public String namespace() {
        return namespace;
    }

    Credentials credentials() {
        return credentials;
    }

    /** Returns which connections go through a proxy. */
    public ProxySelector proxy() {
        return proxy.selector();
    }

    /** Returns the value of the {@code Proxy-Authorization} header; empty if there is none. */
    public Optional<String> proxyAuthorization() {
        return proxy.authorization();
    }

    /** Returns whether large answers may be asked for in a compressed form. */
    public boolean compression() {
        return compression;
    }

    /**
     * Returns a new TLS context with the present certificates; empty if the server is reached
     * without TLS. It is new each time, since sessions of an old context would carry the old
     * identity.
     */
    public Optional<SSLContext> tlsContext() throws GeneralSecurityException {
        return tls.isPresent() ? Optional.of(tls.get().context()) : Optional.empty();
    }

    /** Returns the TLS parameters for connections that {@link #tlsContext} makes. */
    public SSLParameters tlsParameters(SSLContext context) {
        return tls.orElseThrow().parameters(context);
    }

    /**
     * Returns the present value of the {@code Authorization} header.
     *
     * @param limit how long the caller can wait, where a plugin or a token source is asked
     * @throws CredentialsException if there is none, for want of what it would be made of
     */
    public Optional<String> authorization(Duration limit) throws IOException, InterruptedException {
        var header = credentials.authorization(limit);
        header.ifPresent(secrets::sent);
        return header;
    }

    /**
     * Reacts to a 401.
     *
     * @param refused the header value that the server refused
     * @param limit how long the caller can wait
     * @return whether the request is worth sending once more
     */
    public boolean refresh(Optional<String> refused, Duration limit)
            throws IOException, InterruptedException {
        return credentials.refresh(refused, limit);
    }

    /** Returns a text from outside without the credentials that were sent of late. */
    public String redacted(String text) {
        var told = secrets.redacted(text);
        return proxyAuthorization().map(header -> SentSecrets.without(header, told)).orElse(told);
    }

    /** Says that the credentials at hand have ended, or not begun; empty if they are valid. */
    public Optional<String> identityProblem(Instant now) {
        return credentials.identityProblem(now);
    }

    /** Returns how often a token file could not be read again, and the old token stayed. */
    public long tokenReloadFailures() {
        return credentials.tokenFailures();
    }

    /** Returns how often a client certificate could not be read again, and the old one stayed. */
    public long certificateReloadFailures() {
        return credentials.certificateFailures();
    }

    /** Returns how often the authorities could not be read again, and the old ones stayed. */
    public long authorityReloadFailures() {
        return tls.map(secured -> secured.trust().failures()).orElse(0L);
    }

    /** Returns a number that changes when connections with the old identity must end. */
    public int generation() {
        return credentials.generation();
    }

    /** Passes on the name and value of each header that lets the user act as another. */
    public void impersonate(BiConsumer<String, String> header) {
        impersonation
                .map(Impersonation::headers)
                .orElse(List.of())
                .forEach(one -> header.accept(one.name(), one.value()));
    }

    /** Names the server only. */
    @Override
    public String toString() {
        return server.toString();
    }
}
