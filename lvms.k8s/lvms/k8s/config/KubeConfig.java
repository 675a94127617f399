package lvms.k8s.config;

import lvms.k8s.secret.Source;

import java.io.IOException;
import java.net.ProxySelector;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
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
    private final ProxySelector proxy;
    private final List<Impersonation.Header> impersonation;

    KubeConfig(
            URI server,
            String namespace,
            Credentials credentials,
            Optional<Tls> tls,
            ProxySelector proxy,
            List<Impersonation.Header> impersonation) {
        this.server = server;
        this.namespace = namespace;
        this.credentials = credentials;
        this.tls = tls;
        this.proxy = proxy;
        this.impersonation = List.copyOf(impersonation);
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
        return new ConfigBuilder(server, Map.of()).build();
    }

    /**
     * Returns the configuration of a server with a bearer token.
     *
     * @param authorityPem authorities that may have signed the server's certificate
     */
    public static KubeConfig ofServer(URI server, byte[] authorityPem, String token)
            throws KubeConfigException {
        var builder = new ConfigBuilder(server, Map.of());
        builder.authority = Optional.of(new Source.Inline(authorityPem.clone()));
        builder.credentials = Credentials.header("Bearer " + token);
        return builder.build();
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
        return proxy;
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

    /** Returns the present value of the {@code Authorization} header. */
    public Optional<String> authorization() throws IOException {
        return credentials.authorization();
    }

    /**
     * Reacts to a 401.
     *
     * @param refused the header value that the server refused
     * @return whether the request is worth sending once more
     */
    public boolean refresh(Optional<String> refused) throws IOException {
        return credentials.refresh(refused);
    }

    /** Returns a number that changes when connections with the old identity must end. */
    public int generation() {
        return credentials.generation();
    }

    /** Passes on the name and value of each header that lets the user act as another. */
    public void impersonate(BiConsumer<String, String> header) {
        impersonation.forEach(one -> header.accept(one.name(), one.value()));
    }

    /** Names the server only. */
    @Override
    public String toString() {
        return server.toString();
    }
}
