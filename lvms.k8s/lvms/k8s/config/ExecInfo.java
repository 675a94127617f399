package lvms.k8s.config;

import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.io.IOException;
import java.util.Base64;

/** What {@code KUBERNETES_EXEC_INFO} tells an exec plugin. */
final class ExecInfo {
    private static final String[] COPIED = {
        "server", "tls-server-name", "insecure-skip-tls-verify", "proxy-url", "disable-compression"
    };

    private ExecInfo() {}

    static ObjectTree of(String apiVersion, boolean clusterInfo, KubeConfigFile.Entry cluster)
            throws KubeConfigException {
        var spec = ObjectTree.builder();
        spec.put("interactive", false);
        if (clusterInfo) {
            spec.put("cluster", cluster(cluster));
        }
        var tree = ObjectTree.builder();
        tree.put("kind", "ExecCredential");
        tree.put("apiVersion", apiVersion);
        tree.put("spec", spec.build());
        return tree.build();
    }

    private static ObjectTree cluster(KubeConfigFile.Entry cluster) throws KubeConfigException {
        var info = ObjectTree.builder();
        for (var name : COPIED) {
            var value = cluster.tree().at(name);
            if (value.isScalar()) {
                info.put(name, value);
            }
        }
        var authority = cluster.source("certificate-authority");
        if (authority.isPresent()) {
            try {
                var encoded = Base64.getEncoder().encodeToString(authority.get().read());
                info.put("certificate-authority-data", encoded);
            } catch (IOException e) {
                throw cluster.bad("certificate-authority: " + e.getMessage());
            }
        }
        if (cluster.tree().at("extensions") instanceof ListTree extensions) {
            for (var element : extensions) {
                if (element instanceof ObjectTree extension
                        && extension
                                .text("name")
                                .orElse("")
                                .equals("client.authentication.k8s.io/exec")) {
                    info.put("config", extension.at("extension"));
                }
            }
        }
        return info.build();
    }
}
