package lvms.node.disk;

import java.util.Optional;

/** Who a device with LVM's label belongs to. */
public interface PvLabels {
    /** Returns why no class may take such a device; empty if the label stands for nothing. */
    Optional<String> objection(NodeDevice device);

    /** Returns the volume group that the device is, or was, a part of. */
    Optional<String> group(NodeDevice device);
}
