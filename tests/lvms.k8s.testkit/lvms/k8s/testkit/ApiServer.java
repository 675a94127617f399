package lvms.k8s.testkit;

import lvms.k8s.config.KubeConfig;
import lvms.k8s.config.KubeConfigException;
import lvms.k8s.testkit.admission.WebhookCall;
import lvms.k8s.testkit.call.Tokens;
import lvms.k8s.testkit.call.User;
import lvms.k8s.testkit.fault.Hits;
import lvms.k8s.testkit.fault.RequestFaults;
import lvms.k8s.testkit.fault.WatchControl;
import lvms.k8s.testkit.http.HttpServer;
import lvms.k8s.testkit.rest.Services;
import lvms.k8s.testkit.store.Store;
import lvms.k8s.testkit.tls.Certificates;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A Kubernetes API server in memory, over HTTPS. Safe for any thread.
 *
 * <p>A new server has the namespaces every cluster has and nothing else. A token allows everything.
 * With {@link Options#upstream} another server answers, and this one stands in front of it: the
 * same tests, users, faults and records then work for both.
 */
public final class ApiServer implements AutoCloseable {
    private static final List<String> NAMES =
            List.of(
                    "kubernetes",
                    "kubernetes.default",
                    "kubernetes.default.svc",
                    "kubernetes.default.svc.cluster.local",
                    "localhost");

    private final Options options;
    private final Certificates certificates;
    private final Tokens tokens = new Tokens();
    private final Hits hits = new Hits();
    private final RequestFaults requestFaults = new RequestFaults(hits);
    private final WatchControl watches = new WatchControl(hits);
    private final WebhookCall webhooks = new WebhookCall();
    private final String token;
    private volatile Backend backend;
    private volatile HttpServer http;
    private volatile int port;

    private ApiServer(Options options, Certificates certificates) throws IOException {
        this.options = options;
        this.certificates = certificates;
        token = issueToken("kubernetes-admin", "system:masters");
        backend =
                options.upstream().isPresent()
                        ? new Relay(options.upstream().get(), tokens, requestFaults, watches)
                        : Memory.empty(this::services);
    }

    /** Starts a server with the default options. */
    public static ApiServer start() throws IOException {
        return start(Options.defaults());
    }

    /**
     * Starts a server and returns once it listens.
     *
     * @throws IOException if it cannot listen, or the directory cannot be used
     */
    public static ApiServer start(Options options) throws IOException {
        var server = new ApiServer(options, certificates(options));
        try {
            server.listen();
            if (options.directory().isPresent()) {
                Files.writeString(
                        options.directory().get().resolve("kubeconfig"), server.kubeconfigText());
            }
            return server;
        } catch (IOException e) {
            server.backend.close();
            throw e;
        }
    }

    private static Certificates certificates(Options options) throws IOException {
        try {
            if (options.directory().isEmpty()) {
                return makeCertificates(options);
            }
            var directory = options.directory().get().resolve("pki-" + options.address());
            if (Files.exists(directory.resolve("server.key"))) {
                return Certificates.load(directory);
            }
            var made = makeCertificates(options);
            made.save(directory);
            return made;
        } catch (GeneralSecurityException e) {
            throw new IOException("certificates: " + e.getMessage(), e);
        }
    }

    private static Certificates makeCertificates(Options options)
            throws IOException, GeneralSecurityException {
        var addresses = new ArrayList<InetAddress>();
        addresses.add(InetAddress.getByName("127.0.0.1"));
        var own = InetAddress.getByName(options.address());
        if (!addresses.contains(own)) {
            addresses.add(own);
        }
        return Certificates.make(NAMES, addresses);
    }

    private Services services(Store over) {
        return new Services(
                over, options.storageProtection(), tokens, requestFaults, watches, webhooks);
    }

    private void listen() throws IOException {
        try {
            http =
                    HttpServer.start(
                            new InetSocketAddress(options.address(), port),
                            certificates.serverContext(),
                            (request, exchange) -> backend.handle(request, exchange));
            port = http.port();
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS: " + e.getMessage(), e);
        }
    }

    /** Stops listening and cuts every connection; the objects stay. */
    public void stop() throws IOException {
        if (connections() > 0) {
            hits.count("stop");
        }
        http.close();
        backend.wakeWatches();
    }

    /** Listens again on the same port after {@link #stop}, with the same objects. */
    public void restart() throws IOException {
        listen();
    }

    /** Listens again on the same port after {@link #stop}, as a new and empty cluster. */
    public void restartEmpty() throws IOException {
        backend = backend.emptied();
        listen();
    }

    /**
     * Listens again on the same port after {@link #stop}, as if restored from a backup: the same
     * objects, but the counter of resource versions starts at {@code revision}.
     */
    public void restartAt(long revision) throws IOException {
        backend = backend.restoredAt(revision);
        listen();
    }

    /** Copies the objects and the counter of resource versions. */
    public Backup backup() {
        return backend.backup();
    }

    /**
     * Listens again on the same port after {@link #stop}, with the older objects of a backup; the
     * counter of resource versions goes on from where it was then.
     */
    public void restart(Backup backup) throws IOException {
        backend = backend.restored(backup);
        listen();
    }

    /** Makes a bearer token for a user in these groups. */
    public String issueToken(String user, String... groups) {
        return issueToken(user, Map.of(), groups);
    }

    /** Makes a bearer token that carries further facts, such as the node of a pod. */
    public String issueToken(String user, Map<String, String> facts, String... groups) {
        var all = new ArrayList<>(List.of(groups));
        all.add("system:authenticated");
        var extra = new TreeMap<String, List<String>>();
        facts.forEach((name, value) -> extra.put(name, List.of(value)));
        return tokens.issue(new User(user, "", List.copyOf(all), extra));
    }

    public void revokeToken(String worthless) {
        tokens.revoke(worthless);
    }

    /** Says where a service listens, so that webhooks that name it can be called. */
    public void routeService(String namespace, String service, InetSocketAddress address) {
        webhooks.route(namespace, service, address);
    }

    /** Faults to inject, and the record of requests. */
    public Faults faults() {
        return new Faults(this, requestFaults, watches);
    }

    int connections() {
        return http.connections();
    }

    /** The address for clients, such as {@code https://127.0.0.1:6443}. */
    public String url() {
        return "https://" + options.address() + ":" + port;
    }

    /** The administrator's bearer token. */
    public String token() {
        return token;
    }

    /** The authority's certificate. */
    public String caPem() {
        return certificates.caPem();
    }

    /** How a client in this process reaches the server, as the administrator. */
    public KubeConfig config() {
        return config(token);
    }

    /** The same with another token. */
    public KubeConfig config(String bearer) {
        try {
            var authority = caPem().getBytes(StandardCharsets.UTF_8);
            return KubeConfig.ofServer(URI.create(url()), authority, bearer);
        } catch (KubeConfigException e) {
            throw new IllegalStateException("the server's own authority cannot be read", e);
        }
    }

    /** The text of a kubeconfig for the administrator. */
    public String kubeconfigText() {
        return kubeconfigText(token);
    }

    /** The text of a kubeconfig with another token. */
    public String kubeconfigText(String bearer) {
        var ca = Base64.getEncoder().encodeToString(caPem().getBytes(StandardCharsets.UTF_8));
        return """
        apiVersion: v1
        kind: Config
        clusters:
        - name: memory
          cluster:
            server: %s
            certificate-authority-data: %s
        users:
        - name: admin
          user:
            token: %s
        contexts:
        - name: memory
          context:
            cluster: memory
            user: admin
        current-context: memory
        """
                .formatted(url(), ca, bearer);
    }

    /** Writes the administrator's kubeconfig into a directory and returns the file. */
    public Path kubeconfig(Path directory) throws IOException {
        return Files.writeString(directory.resolve("kubeconfig"), kubeconfigText());
    }

    /** The administrator's kubeconfig in the options' directory, or in a temporary file. */
    public Path kubeconfig() throws IOException {
        if (options.directory().isPresent()) {
            return kubeconfig(options.directory().get());
        }
        var file = Files.createTempFile("kubeconfig", ".yaml");
        file.toFile().deleteOnExit();
        return Files.writeString(file, kubeconfigText());
    }

    Backend backend() {
        return backend;
    }

    @Override
    public void close() throws IOException {
        http.close();
        backend.close();
    }
}
