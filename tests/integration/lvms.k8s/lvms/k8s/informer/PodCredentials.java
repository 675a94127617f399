package lvms.k8s.informer;

import lvms.k8s.client.ClientOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.testkit.ApiServer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What a pod has: a token in a file, which another one replaces before or after it expires. */
final class PodCredentials {
    private final ApiServer server;
    private final Path file;
    private final Path config;
    private String token = "";

    PodCredentials(ApiServer server, Path folder) throws IOException {
        this.server = server;
        file = folder.resolve("token");
        config = folder.resolve("config");
        issue();
        var text = server.kubeconfigText(token).replace("token: " + token, "tokenFile: " + file);
        Files.writeString(config, text);
    }

    KubeClient open(String userAgent) throws Exception {
        return open(ClientOptions.of(userAgent));
    }

    KubeClient open(ClientOptions options) throws Exception {
        return KubeClient.open(KubeConfig.load(Optional.of(config)), options);
    }

    /** Writes another token; the one before stays good. */
    void issue() throws IOException {
        token = server.issueToken("kubernetes-admin", "system:masters");
        Files.writeString(file, token);
    }

    /** From now on the token in the file is refused. */
    void expire() {
        server.revokeToken(token);
    }
}
