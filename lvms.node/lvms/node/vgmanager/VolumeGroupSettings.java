package lvms.node.vgmanager;

import lvms.lvm2.device.BlockDevice;
import lvms.lvm2.device.BlockDevices;
import lvms.node.disk.Host;
import lvms.node.disk.SystemHost;

import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * What the volume group manager has to know about its surroundings.
 *
 * @param nodeName name of this node's Node object
 * @param namespace namespace of the LVMVolumeGroups
 * @param lvmdConfig where lvmd.yaml is kept
 * @param deviceMapper whether this machine can activate volumes; if false, only metadata is managed
 * @param userClasses whether people's device classes join those of the groups
 * @param hostRoot where the root of the host's files is seen
 * @param visible selects the block devices that the manager may see
 */
public record VolumeGroupSettings(
        String nodeName,
        String namespace,
        Path lvmdConfig,
        boolean deviceMapper,
        boolean userClasses,
        Path hostRoot,
        Predicate<BlockDevice> visible) {
    /** Checks that nothing is missing. */
    public VolumeGroupSettings {
        if (nodeName.isEmpty() || namespace.isEmpty()) {
            throw new IllegalArgumentException("node name and namespace must be set");
        }
        Objects.requireNonNull(lvmdConfig);
        Objects.requireNonNull(hostRoot);
        Objects.requireNonNull(visible);
    }

    /** Returns the block devices of this machine that may be seen. */
    public Host host() {
        return new SystemHost(BlockDevices.system(), visible);
    }
}
