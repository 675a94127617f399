package lvms.tests.lab.cluster;

import lvms.k8s.object.KubeObject;
import lvms.k8s.testkit.ApiServer;
import lvms.tests.lab.kubelet.Credentials;

import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Credentials that the in-memory API server issues; a pod's token stays the same. */
final class ServerCredentials implements Credentials {
    private final ApiServer server;
    private final Map<String, String> tokens = new ConcurrentHashMap<>();

    ServerCredentials(ApiServer server) {
        this.server = server;
    }

    @Override
    public String token(KubeObject pod) {
        return tokens.computeIfAbsent(pod.uid(), _ -> issue(pod));
    }

    private String issue(KubeObject pod) {
        var account = pod.text("spec", "serviceAccountName").orElse("default");
        var claim = "authentication.kubernetes.io/";
        return server.issueToken(
                "system:serviceaccount:" + pod.namespace() + ":" + account,
                Map.of(
                        claim + "pod-name", pod.name(),
                        claim + "pod-uid", pod.uid(),
                        claim + "node-name", pod.text("spec", "nodeName").orElseThrow()),
                "system:serviceaccounts",
                "system:serviceaccounts:" + pod.namespace());
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
