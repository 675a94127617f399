package lvms.node;

import lvms.api.Driver;
import lvms.node.vgmanager.VolumeGroupSettings;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * What the agent has to know about its surroundings.
 *
 * @param nodeName name of this node's Node object
 * @param namespace namespace of the LVMVolumeGroups
 * @param version version of this product, for the CSI call GetPluginInfo
 * @param lvmdConfig lvmd.yaml, the file that keeps the device classes
 * @param kubelet kubelet's root folder, at the same path inside and outside the container
 * @param userClasses file or folder with device classes of groups that people made; empty for none
 * @param lvmdSocket socket on which lvmd's gRPC is served as well; empty for none
 * @param nativestor what NativeStor's users want
 */
public record NodeAgentSettings(
        String nodeName,
        String namespace,
        String version,
        Path lvmdConfig,
        Path kubelet,
        Optional<Path> userClasses,
        Optional<Path> lvmdSocket,
        NativestorSettings nativestor) {
    /** Kubelet's root folder, unless the node was set up otherwise. */
    public static final Path KUBELET = Path.of("/var/lib/kubelet");

    /** The root of the host's first process: the agent's pod shares the host's processes. */
    private static final Path HOST_ROOT = Path.of("/proc/1/root");

    /** Checks that nothing is missing. */
    public NodeAgentSettings {
        if (nodeName.isEmpty() || namespace.isEmpty() || version.isEmpty()) {
            throw new IllegalArgumentException("node name, namespace and version must be set");
        }
        Objects.requireNonNull(lvmdConfig);
        Objects.requireNonNull(kubelet);
        Objects.requireNonNull(userClasses);
        Objects.requireNonNull(lvmdSocket);
        Objects.requireNonNull(nativestor);
    }

    VolumeGroupSettings volumeGroups() {
        return new VolumeGroupSettings(
                nodeName,
                namespace,
                lvmdConfig,
                true,
                userClasses.isPresent(),
                HOST_ROOT,
                _ -> true);
    }

    CsiNodeSettings rawDevices() {
        return CsiNodeSettings.ofRawDevices(kubelet, nodeName, version);
    }

    CsiNodeSettings csi() {
        return CsiNodeSettings.below(kubelet, Driver.TOPOLVM, nodeName, version);
    }
}
