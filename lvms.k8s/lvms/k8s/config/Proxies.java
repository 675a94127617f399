package lvms.k8s.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Chooses the HTTP proxy: the kubeconfig's, else the environment's, else none. */
final class Proxies {
    /** Java sends no password through a tunnel unless this names no scheme; "Basic" by default. */
    private static final String DISABLED = "jdk.http.auth.tunneling.disabledSchemes";

    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;
    private static final int MOST_PORTS = 65535;

    /**
     * The way to the server.
     *
     * @param authorization value of the {@code Proxy-Authorization} header
     */
    record Choice(ProxySelector selector, Optional<String> authorization) {
        static final Choice DIRECT = new Choice(HttpClient.Builder.NO_PROXY, Optional.empty());

        /** The header is a secret. */
        @Override
        public String toString() {
            return authorization.isPresent() ? "proxy with a password" : "proxy or none";
        }
    }

    private Proxies() {}

    static Choice select(URI server, Optional<URI> configured, Map<String, String> env)
            throws KubeConfigException {
        boolean secured = server.getScheme().equals("https");
        if (configured.isPresent()) {
            return of(configured.get(), secured, "proxy-url");
        }
        var name = secured ? "HTTPS_PROXY" : "HTTP_PROXY";
        var proxy = variable(env, name);
        int port = server.getPort() >= 0 ? server.getPort() : secured ? HTTPS_PORT : HTTP_PORT;
        if (proxy.isEmpty() || excluded(server.getHost(), port, variable(env, "NO_PROXY"))) {
            return Choice.DIRECT;
        }
        try {
            return of(new URI(proxy.contains("://") ? proxy : "http://" + proxy), secured, name);
        } catch (URISyntaxException _) {
            throw new KubeConfigException(name + " is not a URL"); // it may hold a password
        }
    }

    private static String variable(Map<String, String> env, String name) {
        var upper = env.getOrDefault(name, "");
        return upper.isEmpty() ? env.getOrDefault(name.toLowerCase(Locale.ROOT), "") : upper;
    }

    private static Choice of(URI proxy, boolean tunnel, String from) throws KubeConfigException {
        if (!"http".equals(proxy.getScheme()) || proxy.getHost() == null) {
            throw new KubeConfigException(
                    from + ": only http proxies are supported, not " + withoutPassword(proxy));
        }
        int port = proxy.getPort() < 0 ? HTTP_PORT : proxy.getPort();
        if (port == 0 || port > MOST_PORTS) {
            throw new KubeConfigException(from + ": not a port from 1 to 65535: " + port);
        }
        var authorization = Optional.ofNullable(proxy.getUserInfo()).map(Proxies::basic);
        if (tunnel && authorization.isPresent() && disabled().contains("basic")) {
            throw new KubeConfigException(
                    from
                            + ": Java sends no password to the proxy "
                            + withoutPassword(proxy)
                            + " unless it is started with -D"
                            + DISABLED
                            + "=");
        }
        var address = InetSocketAddress.createUnresolved(proxy.getHost(), port);
        return new Choice(ProxySelector.of(address), authorization);
    }

    private static String disabled() {
        return System.getProperty(DISABLED, "Basic").toLowerCase(Locale.ROOT);
    }

    private static String basic(String userInfo) {
        var bytes = userInfo.getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(bytes);
    }

    /** Returns what of a URL may be shown. */
    static String withoutPassword(URI url) {
        var text = url.toString();
        int at = text.lastIndexOf('@');
        int slashes = text.indexOf("://");
        int start = slashes < 0 ? 0 : slashes + 3;
        return at < start ? text : text.substring(0, start) + "***" + text.substring(at);
    }

    /**
     * Returns whether the host is loopback or in the list of names, domains, addresses, CIDRs, each
     * of them with or without a port.
     */
    static boolean excluded(String host, int port, String noProxy) {
        var plain = unbracketed(host).toLowerCase(Locale.ROOT);
        var address = address(plain);
        if (plain.equals("localhost")
                || address.map(InetAddress::isLoopbackAddress).orElse(false)) {
            return true;
        }
        for (var part : noProxy.split(",")) {
            var entry = part.strip().toLowerCase(Locale.ROOT);
            if (entry.equals("*")
                    || !entry.isEmpty() && matches(plain, address, withoutPort(entry, port))) {
                return true;
            }
        }
        return false;
    }

    private static String unbracketed(String host) {
        return host.startsWith("[") && host.endsWith("]")
                ? host.substring(1, host.length() - 1)
                : host;
    }

    /** Returns the entry without this port; an entry with another one matches nothing then. */
    private static String withoutPort(String entry, int port) {
        var suffix = ":" + port;
        boolean oneColon = entry.indexOf(':') == entry.lastIndexOf(':');
        return entry.endsWith(suffix) && (oneColon || entry.startsWith("["))
                ? unbracketed(entry.substring(0, entry.length() - suffix.length()))
                : unbracketed(entry);
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
        if (entry.startsWith("*.")) {
            return host.endsWith(entry.substring(1)); // as in Go the same as ".domain"
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
