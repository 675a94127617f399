package lvms.k8s.websocket;

import lvms.k8s.tls.Authority;
import lvms.k8s.tls.CurrentKey;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Optional;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * The server's side of TLS, which lets only those in who have a certificate of its authority.
 *
 * <p>It lies on top of a connection that a test can cut without a word of TLS.
 */
public final class TlsSide {
    private final SSLContext context;

    private TlsSide(SSLContext context) {
        this.context = context;
    }

    /** With a certificate for 127.0.0.1, or for some other names only. */
    public static TlsSide of(Authority authority, String... names)
            throws GeneralSecurityException, IOException {
        var loopback = List.of(InetAddress.ofLiteral("127.0.0.1"));
        var own =
                authority.server(
                        "server", List.of(names), names.length == 0 ? loopback : List.of());
        var keys = new CurrentKey(() -> Optional.of(own));
        var trust = TrustManagerFactory.getInstance("PKIX");
        var trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("authority", own.chain().getLast());
        trust.init(trusted);
        var context = SSLContext.getInstance("TLS");
        context.init(new KeyManager[] {keys}, trust.getTrustManagers(), null);
        return new TlsSide(context);
    }

    Socket on(Socket connection) throws IOException {
        var secured = (SSLSocket) context.getSocketFactory().createSocket(connection, null, true);
        secured.setNeedClientAuth(true);
        return secured;
    }
}
