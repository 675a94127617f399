package lvms.operator.unit;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;

/** What kind of cluster this is, where that makes a difference. */
public enum ClusterType {
    OPENSHIFT("/etc/topolvm"),
    MICROSHIFT("/var/lib/microshift/lvms"),
    /** Any other; the folder of kubelet's files is the only one that is writable everywhere. */
    OTHER("/var/lib/lvms");

    private static final ResourceType INFRASTRUCTURE =
            new ResourceType(
                    "config.openshift.io", "v1", "Infrastructure", "infrastructures", false);

    private final String configFolder;

    ClusterType(String configFolder) {
        this.configFolder = configFolder;
    }

    /** Asks the server; what it cannot answer is an error and no type. */
    public static ClusterType of(KubeClient kube) throws ApiException, InterruptedException {
        if (kube.serves(INFRASTRUCTURE)) {
            return kube.find(INFRASTRUCTURE, ObjectKey.cluster("cluster")).isPresent()
                    ? OPENSHIFT
                    : OTHER;
        }
        var version = ObjectKey.of("kube-public", "microshift-version");
        return kube.find(Types.CONFIG_MAP, version).isPresent() ? MICROSHIFT : OTHER;
    }

    /** Folder of lvmd.yaml on the nodes, unless somebody chose another one. */
    String configFolder() {
        return configFolder;
    }

    /** Whether name resolution and the API server are where OpenShift has them. */
    boolean ofOpenShift() {
        return this != OTHER;
    }
}
