package lvms.k8s.client;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/** Where the API server is, whom to trust, and who we are. */
public final class KubeConfig {
    private KubeConfig() {}

    /** Loads: the explicit file, else {@code KUBECONFIG}, {@code ~/.kube/config}, in-cluster. */
    public static KubeConfig load(Optional<Path> explicit) throws KubeConfigException {
        throw new UnsupportedOperationException("load");
    }

    /** Returns the base URL of the server. */
    public URI server() {
        throw new UnsupportedOperationException("server");
    }

    /** Returns the namespace of the context. */
    public String namespace() {
        throw new UnsupportedOperationException("namespace");
    }
}
