package lvms.k8s.config;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import lvms.k8s.object.Json;

import java.io.IOException;
import java.util.Base64;

/** What an exec plugin is told in {@code KUBERNETES_EXEC_INFO}. */
final class ExecInfo {
    private static final String[] COPIED = {
        "server", "tls-server-name", "insecure-skip-tls-verify", "proxy-url", "disable-compression"
    };

    private ExecInfo() {}

    static JsonObject of(String apiVersion, boolean clusterInfo, KubeConfigFile.Entry cluster)
            throws KubeConfigException {
        var spec = new JsonObject();
        spec.addProperty("interactive", false);
        if (clusterInfo) {
            spec.add("cluster", cluster(cluster));
        }
        var tree = new JsonObject();
        tree.addProperty("kind", "ExecCredential");
        tree.addProperty("apiVersion", apiVersion);
        tree.add("spec", spec);
        return tree;
    }

    private static JsonObject cluster(KubeConfigFile.Entry cluster) throws KubeConfigException {
        var info = new JsonObject();
        for (var name : COPIED) {
            if (cluster.tree().get(name) instanceof JsonPrimitive value) {
                info.add(name, value);
            }
        }
        var authority = cluster.source("certificate-authority");
        if (authority.isPresent()) {
            try {
                var encoded = Base64.getEncoder().encodeToString(authority.get().read());
                info.addProperty("certificate-authority-data", encoded);
            } catch (IOException e) {
                throw new KubeConfigException("certificate-authority: " + e.getMessage(), e);
            }
        }
        if (cluster.tree().get("extensions") instanceof JsonArray extensions) {
            for (var element : extensions) {
                if (element instanceof JsonObject extension
                        && Json.text(extension.get("name"))
                                .orElse("")
                                .equals("client.authentication.k8s.io/exec")) {
                    info.add("config", extension.get("extension"));
                }
            }
        }
        return info;
    }
}
