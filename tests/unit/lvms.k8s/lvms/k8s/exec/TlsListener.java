package lvms.k8s.exec;

import lvms.k8s.tls.Authority;
import lvms.k8s.tls.CertifiedKey;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.List;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManagerFactory;

/** A listener on loopback that lets only those in who have a certificate of its authority. */
final class TlsListener {
    private static final char[] NO_PASSWORD = {};

    private TlsListener() {}

    static ServerSocket of(Authority authority) throws GeneralSecurityException, IOException {
        var loopback = InetAddress.getLoopbackAddress();
        var own = authority.server("server", List.of(), List.of(loopback));
        var keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store(own), NO_PASSWORD);
        var trust = TrustManagerFactory.getInstance("PKIX");
        var trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, NO_PASSWORD);
        trusted.setCertificateEntry("authority", own.chain().getLast());
        trust.init(trusted);
        var context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        var listener =
                (SSLServerSocket)
                        context.getServerSocketFactory().createServerSocket(0, 8, loopback);
        listener.setNeedClientAuth(true);
        return listener;
    }

    private static KeyStore store(CertifiedKey own) throws GeneralSecurityException, IOException {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        store.setKeyEntry(
                "server", own.key(), NO_PASSWORD, own.chain().toArray(Certificate[]::new));
        return store;
    }
}
