package lvms.node.vgmanager;

import lvms.lvm2.device.BlockDevice;
import lvms.node.NodeLock;

import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * What the volume group manager has to know of its surroundings.
 *
 * @param nodeName name of this node's Node object
 * @param namespace namespace of the LVMVolumeGroups
 * @param lvmdConfig where lvmd.yaml is kept
 * @param deviceMapper whether this machine can activate volumes; false only manages metadata
 * @param visible block devices that may be looked at; every other one does not exist for it
 */
public record VolumeGroupSettings(
        String nodeName,
        String namespace,
        Path lvmdConfig,
        boolean deviceMapper,
        Predicate<BlockDevice> visible) {
    /** Where lvmd.yaml is kept, unless told otherwise. */
    public static final Path LVMD_CONFIG = Path.of("/etc/topolvm/lvmd.yaml");

    /** The file of {@link NodeLock}, unless told otherwise. */
    public static final Path LOCK_FILE = Path.of("/var/lock/vgmanager/vgmanager.lock");

    /** Checks that nothing is missing. */
    public VolumeGroupSettings {
        if (nodeName.isEmpty() || namespace.isEmpty()) {
            throw new IllegalArgumentException("node name and namespace must be set");
        }
        Objects.requireNonNull(lvmdConfig);
        Objects.requireNonNull(visible);
    }

    /** The settings of a node: the usual file, a device-mapper, and every device. */
    public static VolumeGroupSettings of(String nodeName, String namespace) {
        return new VolumeGroupSettings(nodeName, namespace, LVMD_CONFIG, true, _ -> true);
    }
}
