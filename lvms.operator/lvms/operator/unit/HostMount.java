package lvms.operator.unit;

import lvms.api.nativestor.RawDevice;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ObjectTree;
import lvms.operator.agent.HostPaths;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A folder of the node in the agent's container.
 *
 * @param name name of the volume
 * @param host path on the node
 * @param path path in the container
 * @param type hostPath type, empty for no check
 * @param propagation which mounts made later show up on the other side
 * @param readOnly whether the container may only read
 */
record HostMount(
        String name, String host, String path, String type, String propagation, boolean readOnly) {
    private static final String CREATE = "DirectoryOrCreate";
    private static final String NONE = "None";
    private static final String FROM_HOST = "HostToContainer";
    private static final String BOTH = "Bidirectional";

    /** Where the agent looks for lvmd.yaml, wherever it is on the node. */
    private static final String CONFIG = "/etc/topolvm";

    private static final HostMount DEVICES =
            new HostMount("device-dir", "/dev", "Directory", FROM_HOST);
    private static final HostMount UDEV = new HostMount("run-udev", "/run/udev", CREATE, FROM_HOST);
    private static final HostMount SYS = new HostMount("sys", "/sys", "", FROM_HOST);

    private HostMount(String name, String path, String type, String propagation) {
        this(name, path, path, type, propagation, false);
    }

    /**
     * Returns what the agent needs.
     *
     * <p>Paths are the same on both sides, so a path in a CSI request, in a log line and in a
     * registration means the same to kubelet, to a person on the node and to the agent. The folders
     * of lvmd.yaml and of the kernel modules are the exceptions: programs look for them at fixed
     * places.
     *
     * @param config folder of lvmd.yaml on the node
     * @param rawDevices whether it serves the driver of raw devices
     */
    static List<HostMount> all(HostPaths paths, String config, boolean rawDevices) {
        var kubelet = paths.kubelet();
        var fixed =
                Stream.of(
                        new HostMount(
                                "registration-dir", kubelet + "/plugins_registry", CREATE, NONE),
                        new HostMount(
                                "node-plugin-dir", kubelet + "/plugins/topolvm.io", CREATE, NONE),
                        new HostMount(
                                "csi-plugin-dir",
                                kubelet + "/plugins/kubernetes.io/csi",
                                CREATE,
                                BOTH),
                        new HostMount("pod-volumes-dir", kubelet + "/pods", CREATE, BOTH),
                        new HostMount("file-lock-dir", "/var/lock", CREATE, NONE),
                        new HostMount("lvm-lock-dir", "/run/lock/lvm", CREATE, NONE),
                        new HostMount("lvmd-config", config, CONFIG, CREATE, FROM_HOST, false),
                        DEVICES,
                        UDEV,
                        SYS);
        return Stream.of(
                        fixed,
                        paths.modules().stream().map(HostMount::modules),
                        rawDevices
                                ? Stream.of(rawDevicePlugin(kubelet))
                                : Stream.<HostMount>empty())
                .flatMap(mounts -> mounts)
                .toList();
    }

    private static HostMount rawDevicePlugin(String kubelet) {
        return new HostMount(
                "raw-device-plugin-dir",
                kubelet + "/plugins/" + RawDevice.DRIVER.name(),
                CREATE,
                NONE);
    }

    /** Returns what shows the disks of the node to somebody who must not change them. */
    static List<HostMount> toRead() {
        return Stream.of(DEVICES, UDEV, SYS).map(HostMount::unwritable).toList();
    }

    private HostMount unwritable() {
        return new HostMount(name, host, path, type, propagation, true);
    }

    private static HostMount modules(String folder) {
        return new HostMount("kernel-modules", folder, "/lib/modules", "", NONE, true);
    }

    /** Returns where a DaemonSet that is there has lvmd.yaml on the nodes. */
    static Optional<String> config(KubeObject daemonSet) {
        return daemonSet.objects("spec", "template", "spec", "volumes").stream()
                .filter(volume -> volume.text("name").equals(Optional.of("lvmd-config")))
                .flatMap(volume -> volume.text("hostPath", "path").stream())
                .findFirst();
    }

    ObjectTree volume() {
        var hostPath = ObjectTree.builder();
        hostPath.put("path", host);
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
