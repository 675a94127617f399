package lvms.k8s.config;

import lvms.k8s.secret.Source;

import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Collects the parts of a configuration and checks that they go together. */
final class ConfigBuilder {
    private final URI server;
    private final Map<String, String> env;
    String namespace = "default";
    Credentials credentials = Credentials.ANONYMOUS;
    Optional<Source> authority = Optional.empty();
    Optional<String> serverName = Optional.empty();
    boolean insecure;
    Optional<URI> proxy = Optional.empty();
    List<Impersonation.Header> impersonation = List.of();

    ConfigBuilder(URI server, Map<String, String> env) throws KubeConfigException {
        this.server = checked(server);
        this.env = env;
    }

    private static URI checked(URI server) throws KubeConfigException {
        var scheme = server.getScheme();
        if (server.getHost() == null || !"https".equals(scheme) && !"http".equals(scheme)) {
            throw new KubeConfigException("not the URL of a server: " + server);
        }
        var text = server.toString();
        return text.endsWith("/") ? URI.create(text.substring(0, text.length() - 1)) : server;
    }

    KubeConfig build() throws KubeConfigException {
        if (insecure && authority.isPresent()) {
            throw new KubeConfigException(
                    "certificate-authority and insecure-skip-tls-verify exclude each other: "
                            + server);
        }
        boolean secured = server.getScheme().equals("https");
        if (!secured && credentials != Credentials.ANONYMOUS && !isLoopback(server.getHost())) {
            throw new KubeConfigException("refusing to send credentials without TLS: " + server);
        }
        var tls = Optional.<Tls>empty();
        if (secured) {
            tls = Optional.of(new Tls(trust(), credentials, serverName));
            tls.get().check();
        }
        return new KubeConfig(
                server,
                namespace,
                credentials,
                tls,
                Proxies.select(server, proxy, env),
                impersonation);
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
