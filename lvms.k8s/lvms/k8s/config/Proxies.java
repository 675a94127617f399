package lvms.k8s.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Chooses the HTTP proxy: the kubeconfig's, else the environment's, else none. */
final class Proxies {
    private Proxies() {}

    static ProxySelector select(URI server, Optional<URI> configured, Map<String, String> env)
            throws KubeConfigException {
        if (configured.isPresent()) {
            return of(configured.get());
        }
        var name = server.getScheme().equals("https") ? "HTTPS_PROXY" : "HTTP_PROXY";
        var proxy = variable(env, name);
        if (proxy.isEmpty() || excluded(server.getHost(), variable(env, "NO_PROXY"))) {
            return HttpClient.Builder.NO_PROXY;
        }
        return of(URI.create(proxy.contains("://") ? proxy : "http://" + proxy));
    }

    private static String variable(Map<String, String> env, String name) {
        var upper = env.getOrDefault(name, "");
        return upper.isEmpty() ? env.getOrDefault(name.toLowerCase(Locale.ROOT), "") : upper;
    }

    private static ProxySelector of(URI proxy) throws KubeConfigException {
        if (!"http".equals(proxy.getScheme()) || proxy.getHost() == null) {
            throw new KubeConfigException("only http proxies are supported, not " + proxy);
        }
        int port = proxy.getPort() < 0 ? 80 : proxy.getPort();
        return ProxySelector.of(InetSocketAddress.createUnresolved(proxy.getHost(), port));
    }

    /** Returns whether the host is loopback or in the list of names, domains, addresses, CIDRs. */
    static boolean excluded(String host, String noProxy) {
        var plain = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        var address = address(plain);
        if (plain.equals("localhost")
                || address.map(InetAddress::isLoopbackAddress).orElse(false)) {
            return true;
        }
        for (var part : noProxy.split(",")) {
            var entry = part.strip();
            if (entry.equals("*") || !entry.isEmpty() && matches(plain, address, entry)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(String host, Optional<InetAddress> address, String entry) {
        int slash = entry.indexOf('/');
        if (slash > 0) {
            var network = address(entry.substring(0, slash));
            return address.isPresent()
                    && network.isPresent()
                    && within(address.get(), network.get(), entry.substring(slash + 1));
        }
        if (address.isPresent()) {
            return address.equals(address(entry));
        }
        if (entry.startsWith(".")) {
            return host.endsWith(entry);
        }
        return host.equals(entry) || host.endsWith("." + entry);
    }

    private static boolean within(InetAddress address, InetAddress network, String prefixText) {
        var a = address.getAddress();
        var n = network.getAddress();
        int prefix;
        try {
            prefix = Integer.parseInt(prefixText);
        } catch (NumberFormatException _) {
            return false; // as in Go, an entry that is not a network excludes nothing
        }
        if (a.length != n.length || prefix < 0 || prefix > 8 * a.length) {
            return false;
        }
        for (int bit = 0; bit < prefix; bit++) {
            int mask = 0x80 >> bit % 8;
            if ((a[bit / 8] & mask) != (n[bit / 8] & mask)) {
                return false;
            }
        }
        return true;
    }

    private static Optional<InetAddress> address(String text) {
        try {
            return Optional.of(InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException _) {
            return Optional.empty(); // a host name
        }
    }
}
