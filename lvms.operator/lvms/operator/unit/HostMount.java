package lvms.operator.unit;

import lvms.k8s.tree.ObjectTree;

import java.util.List;

/**
 * A folder of the node in the agent's container, at the same path.
 *
 * @param name name of the volume
 * @param path path on the node and in the container
 * @param type hostPath type, empty for no check
 * @param propagation which mounts made later show up on the other side
 * @param readOnly whether the container may only read
 */
record HostMount(String name, String path, String type, String propagation, boolean readOnly) {
    private static final String CREATE = "DirectoryOrCreate";
    private static final String NONE = "None";
    private static final String FROM_HOST = "HostToContainer";
    private static final String BOTH = "Bidirectional";

    /**
     * Returns what the agent needs.
     *
     * <p>Paths are the same on both sides, so a path in a CSI request, in a log line and in a
     * registration means the same to kubelet, to a person on the node and to the agent.
     *
     * @param kubelet root folder of kubelet, without a slash at its end
     */
    static List<HostMount> all(String kubelet) {
        return List.of(
                new HostMount(
                        "registration-dir", kubelet + "/plugins_registry", CREATE, NONE, false),
                new HostMount(
                        "node-plugin-dir", kubelet + "/plugins/topolvm.io", CREATE, NONE, false),
                new HostMount(
                        "csi-plugin-dir",
                        kubelet + "/plugins/kubernetes.io/csi",
                        CREATE,
                        BOTH,
                        false),
                new HostMount("pod-volumes-dir", kubelet + "/pods", CREATE, BOTH, false),
                new HostMount("file-lock-dir", "/var/lock", CREATE, NONE, false),
                new HostMount("lvm-lock-dir", "/run/lock/lvm", CREATE, NONE, false),
                new HostMount("lvmd-config", "/etc/topolvm", CREATE, FROM_HOST, false),
                new HostMount("device-dir", "/dev", "Directory", FROM_HOST, false),
                new HostMount("run-udev", "/run/udev", CREATE, FROM_HOST, false),
                new HostMount("sys", "/sys", "", FROM_HOST, false),
                new HostMount("kernel-modules", "/lib/modules", "", NONE, true));
    }

    ObjectTree volume() {
        var hostPath = ObjectTree.builder();
        hostPath.put("path", path);
        if (!type.isEmpty()) {
            hostPath.put("type", type);
        }
        var volume = ObjectTree.builder();
        volume.put("name", name);
        volume.put("hostPath", hostPath.build());
        return volume.build();
    }

    ObjectTree mount() {
        var mount = ObjectTree.builder();
        mount.put("name", name);
        mount.put("mountPath", path);
        if (!propagation.equals(NONE)) {
            mount.put("mountPropagation", propagation);
        }
        if (readOnly) {
            mount.put("readOnly", true);
        }
        return mount.build();
    }
}
