package lvms.k8s.client;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

/**
 * How connections are secured.
 *
 * @param context keys and trust
 * @param serverName the name to ask for, where it is not the URL's
 */
record Tls(SSLContext context, Optional<String> serverName) {
    static Tls of(ServerTrust trust, Credentials credentials, Optional<String> serverName)
            throws KubeConfigException {
        try {
            trust.check();
            var context = SSLContext.getInstance("TLS");
            context.init(
                    new KeyManager[] {new ClientKeyManager(credentials)},
                    new TrustManager[] {trust},
                    null);
            return new Tls(context, serverName);
        } catch (GeneralSecurityException | IOException e) {
            throw new KubeConfigException(e.getMessage(), e);
        }
    }

    SSLParameters parameters() {
        var parameters = context.getDefaultSSLParameters();
        parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
        // java.net.http sends this only to hosts given by address; trust checks it in any case
        serverName
                .filter(name -> name.indexOf(':') < 0 && !isAddress(name))
                .ifPresent(name -> parameters.setServerNames(List.of(new SNIHostName(name))));
        return parameters;
    }

    private static boolean isAddress(String name) {
        return !name.isEmpty() && Character.isDigit(name.charAt(name.length() - 1));
    }
}
