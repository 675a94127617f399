package lvms.operator.nativestor;

import java.util.Arrays;
import java.util.Optional;

/**
 * The keys of NativeStor's settings, named as in the ConfigMap, and what became of each. One
 * without effect is accepted, since whoever comes from NativeStor has it, and said once.
 */
public enum SettingKey {
    TOPOLVM_ENABLE(
            "`false`: a TopolvmCluster has no driver topolvm.cybozu.com, once nothing uses that"),
    RAW_DEVICE_ENABLE(
            "raw devices are served, and what is said of them below counts; off once no volume is"
                    + " left"),
    KUBELET_ROOT_DIR("kubelet's folder on the nodes"),
    OPERATOR_LOG_LEVEL("from which level on operator and node agents log"),

    CSI_TOPOLVM_PLUGIN_TOLERATIONS("tolerations of the node agents"),
    CSI_RAW_DEVICE_PLUGIN_TOLERATIONS("further ones, with RAW_DEVICE_ENABLE"),
    CSI_PLUGIN_TOLERATIONS("used for either of them that is not set"),
    DISCOVER_DEVICE_TOLERATIONS("further tolerations of the node agents"),

    CSI_TOPOLVM_PLUGIN_NODE_AFFINITY("nodes that get a node agent"),
    CSI_RAW_DEVICE_PLUGIN_NODE_AFFINITY("further ones, with RAW_DEVICE_ENABLE"),
    CSI_PLUGIN_NODE_AFFINITY("used for either of them that is not set"),
    DISCOVER_DEVICE_NODE_AFFINITY("further nodes that get a node agent"),

    CSI_TOPOLVM_PLUGIN_RESOURCE("requests of the node agents, summed over the containers"),
    CSI_RAW_DEVICE_PLUGIN_RESOURCE("added to them, with RAW_DEVICE_ENABLE"),
    DISCOVER_DEVICE_RESOURCE("added to them"),

    TOPOLVM_IMAGE(Without.IMAGE),
    RAW_DEVICE_IMAGE(Without.IMAGE),
    CSI_REGISTRAR_IMAGE(Without.IMAGE),
    CSI_PROVISIONER_IMAGE(Without.IMAGE),
    CSI_LIVENESS_IMAGE(Without.IMAGE),
    CSI_RESIZER_IMAGE(Without.IMAGE),
    CSI_SNAPSHOTTER_IMAGE(Without.IMAGE),
    CSI_ATTACHER_IMAGE(Without.IMAGE),
    CSI_LOG_LEVEL(Without.SIDECARS),
    CSI_PROVISIONER_REPLICAS(Without.DEPLOYMENT),
    CSI_PLUGIN_PRIORITY_CLASSNAME(Without.PRIORITY),
    CSI_PROVISIONER_PRIORITY_CLASSNAME(Without.DEPLOYMENT),
    CSI_PROVISIONER_TOLERATIONS(Without.DEPLOYMENT),
    CSI_PROVISIONER_NODE_AFFINITY(Without.DEPLOYMENT),
    CSI_TOPOLVM_PROVISIONER_TOLERATIONS(Without.DEPLOYMENT),
    CSI_TOPOLVM_PROVISIONER_NODE_AFFINITY(Without.DEPLOYMENT),
    CSI_TOPOLVM_PROVISIONER_RESOURCE(Without.DEPLOYMENT),
    CSI_RAW_DEVICE_PROVISIONER_TOLERATIONS(Without.DEPLOYMENT),
    CSI_RAW_DEVICE_PROVISIONER_NODE_AFFINITY(Without.DEPLOYMENT),
    CSI_RAW_DEVICE_PROVISIONER_RESOURCE(Without.DEPLOYMENT),
    ENABLE_DISCOVER_DEVICES(Without.FLAG);

    /** Why a key has no effect. */
    enum Without {
        IMAGE("operator and node agents have one image, that of the Deployment"),
        SIDECARS("there are no sidecars"),
        DEPLOYMENT("set it in the Deployment lvms-operator, which does the provisioners' work"),
        PRIORITY("the node agents have system-node-critical"),
        FLAG("devices are published with a TopolvmCluster or this ConfigMap, as since v2.3.0");

        private final String text;

        Without(String text) {
            this.text = text;
        }
    }

    private final String meaning;
    private final Optional<Without> without;

    SettingKey(String meaning) {
        this.meaning = meaning;
        this.without = Optional.empty();
    }

    SettingKey(Without without) {
        this.meaning = without.text;
        this.without = Optional.of(without);
    }

    /** Returns what it does, or why it does nothing. */
    public String meaning() {
        return meaning;
    }

    public boolean effective() {
        return without.isEmpty();
    }

    static Optional<SettingKey> find(String name) {
        return Arrays.stream(values()).filter(key -> key.name().equals(name)).findFirst();
    }
}
