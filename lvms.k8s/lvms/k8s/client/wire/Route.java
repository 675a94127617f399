package lvms.k8s.client.wire;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;

/**
 * The way to a server, for messages about connections that did not come about: those of {@code
 * java.net.http} name neither the server nor the proxy, and some have no words at all.
 */
public record Route(URI server, ProxySelector proxies) {
    private static final String TUNNEL_FAILED = "Tunnel failed, got: ";

    /** Returns whether nothing was asked of the server yet, since there was no connection. */
    public static boolean isMissing(IOException failure) {
        return failure instanceof ConnectException
                || failure instanceof HttpConnectTimeoutException
                || failure instanceof UnknownHostException
                || failure.getCause() instanceof UnresolvedAddressException
                || isRefusedTunnel(failure);
    }

    private static boolean isRefusedTunnel(IOException failure) {
        return failure.getMessage() != null && failure.getMessage().startsWith(TUNNEL_FAILED);
    }

    /** Returns the same failure with words that say where it was. */
    public IOException explained(IOException failure) {
        var told = new ConnectException("no connection to " + way() + ": " + why(failure));
        told.initCause(failure);
        return told;
    }

    private String way() {
        return proxies.select(server).getFirst().address() instanceof InetSocketAddress proxy
                ? server + " through the proxy " + proxy.getHostString() + ":" + proxy.getPort()
                : server.toString();
    }

    private static String why(IOException failure) {
        if (isRefusedTunnel(failure)) {
            var code = failure.getMessage().substring(TUNNEL_FAILED.length());
            return "the proxy does not connect to the server: code " + code;
        }
        if (failure instanceof UnknownHostException
                || failure.getCause() instanceof UnresolvedAddressException) {
            return "the name of the host is unknown";
        }
        if (failure instanceof HttpConnectTimeoutException) {
            return "no answer in time";
        }
        var message = failure.getMessage();
        return message == null ? "refused or not reachable" : message;
    }
}
