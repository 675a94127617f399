package lvms.k8s.config;

import lvms.k8s.tls.CurrentKey;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

/**
 * How connections are secured.
 *
 * @param trust decides which servers to trust
 * @param credentials supply the client certificate
 * @param serverName the name to ask for, if it is not the URL's
 */
record Tls(ServerTrust trust, Credentials credentials, Optional<String> serverName) {
    /** Fails now if connections could not be made later. */
    void check() throws KubeConfigException {
        try {
            trust.check();
            parameters(context());
        } catch (IllegalArgumentException e) {
            var name = serverName.orElse("");
            throw new KubeConfigException(
                    "tls-server-name: \"" + name + "\" is not the name of a host", e);
        } catch (GeneralSecurityException | IOException e) {
            throw new KubeConfigException(e.getMessage(), e);
        }
    }

    /** Returns a new context, since sessions of an old one would carry the old identity. */
    SSLContext context() throws GeneralSecurityException {
        var context = SSLContext.getInstance("TLS");
        context.init(
                new KeyManager[] {new CurrentKey(credentials::identity)},
                new TrustManager[] {trust},
                null);
        return context;
    }

    SSLParameters parameters(SSLContext context) {
        var parameters = context.getDefaultSSLParameters();
        parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
        parameters.setCipherSuites(preferred(parameters.getCipherSuites()));
        parameters.setEndpointIdentificationAlgorithm("HTTPS"); // sockets check no host without it
        // java.net.http sends this only to hosts given by address; trust always checks it
        serverName
                .filter(name -> name.indexOf(':') < 0 && !isAddress(name))
                .ifPresent(name -> parameters.setServerNames(List.of(new SNIHostName(name))));
        return parameters;
    }

    /**
     * Puts first what is fast everywhere. AES and its checksum are only fast by the instructions
     * that the second compiler of the JVM knows: without it, or before a method has become hot
     * enough, they take four times as long as ChaCha20, which with it is nearly as fast as they.
     */
    private static String[] preferred(String[] suites) {
        return Stream.of(suites)
                .sorted(Comparator.comparing(suite -> !suite.contains("CHACHA20")))
                .toArray(String[]::new);
    }

    private static boolean isAddress(String name) {
        return !name.isEmpty() && Character.isDigit(name.charAt(name.length() - 1));
    }
}
