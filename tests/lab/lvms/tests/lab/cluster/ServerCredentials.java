package lvms.tests.lab.cluster;

import lvms.tests.apiserver.ApiServer;
import lvms.tests.lab.kubelet.Credentials;

import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Credentials that the in-memory API server issues; an account's token stays the same. */
final class ServerCredentials implements Credentials {
    private final ApiServer server;
    private final Map<String, String> tokens = new ConcurrentHashMap<>();

    ServerCredentials(ApiServer server) {
        this.server = server;
    }

    @Override
    public String token(String namespace, String serviceAccount) {
        var user = "system:serviceaccount:" + namespace + ":" + serviceAccount;
        return tokens.computeIfAbsent(
                user,
                name ->
                        server.issueToken(
                                name,
                                "system:serviceaccounts",
                                "system:serviceaccounts:" + namespace));
    }

    @Override
    public String caPem() {
        return server.caPem();
    }

    @Override
    public String host() {
        return URI.create(server.url()).getHost();
    }

    @Override
    public int port() {
        return URI.create(server.url()).getPort();
    }
}
