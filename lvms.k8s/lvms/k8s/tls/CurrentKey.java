package lvms.k8s.tls;

import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/** Presents, as client or server, the certificate that there is at the time of the handshake. */
public final class CurrentKey extends X509ExtendedKeyManager {
    private static final System.Logger LOG = System.getLogger(CurrentKey.class.getName());
    private static final int KEPT_ALIASES = 4;

    /** Has the certificate. */
    public interface Holder {
        /** Returns the present one; empty if there is none. */
        Optional<CertifiedKey> identity() throws IOException;
    }

    private final Holder holder;
    private final AtomicInteger aliases = new AtomicInteger();
    // JSSE asks for alias, chain and key in separate calls: the pair must not change in between
    private final ConcurrentHashMap<String, CertifiedKey> handshakes = new ConcurrentHashMap<>();

    public CurrentKey(Holder holder) {
        this.holder = holder;
    }

    @Override
    public String chooseEngineClientAlias(
            String[] keyTypes, Principal[] issuers, SSLEngine engine) {
        return choose(keyTypes).orElse(null);
    }

    @Override
    public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
        return choose(keyTypes).orElse(null);
    }

    private Optional<String> choose(String[] keyTypes) {
        var identity = identity();
        if (identity.isEmpty() || !fits(identity.get(), keyTypes)) {
            return Optional.empty();
        }
        for (var known : handshakes.entrySet()) {
            if (known.getValue() == identity.get()) {
                return Optional.of(known.getKey());
            }
        }
        int number = aliases.incrementAndGet();
        handshakes.put("key-" + number, identity.get());
        handshakes.remove("key-" + (number - KEPT_ALIASES));
        return Optional.of("key-" + number);
    }

    private Optional<CertifiedKey> identity() {
        try {
            return holder.identity();
        } catch (IOException e) {
            LOG.log(WARNING, () -> "no certificate for this connection: " + e);
            return Optional.empty();
        }
    }

    private static boolean fits(CertifiedKey identity, String[] keyTypes) {
        var algorithm = identity.key().getAlgorithm();
        for (var type : keyTypes) {
            if (type.equals(algorithm)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        var identity = handshakes.get(alias);
        return identity == null ? null : identity.chain().toArray(new X509Certificate[0]);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        var identity = handshakes.get(alias);
        return identity == null ? null : identity.key();
    }

    @Override
    public String[] getClientAliases(String keyType, Principal[] issuers) {
        return handshakes.keySet().toArray(new String[0]);
    }

    @Override
    public String[] getServerAliases(String keyType, Principal[] issuers) {
        return getClientAliases(keyType, issuers);
    }

    @Override
    public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
        return choose(new String[] {keyType}).orElse(null);
    }
}
