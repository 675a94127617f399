package lvms.operator.topolvmcluster.rule;

import lvms.api.nativestor.ClusterStorage;
import lvms.api.nativestor.ListedClass;
import lvms.api.nativestor.ListedDevice;
import lvms.api.nativestor.NodeClasses;
import lvms.operator.cluster.rule.Findings;
import lvms.operator.cluster.rule.RaidRules;

import java.util.List;

/**
 * The rules for the RAID layout of a class: those of an LVMCluster, and what only a TopolvmCluster
 * can say. Whoever asks for RAID gets it or hears why not, since nothing else shows that a copy is
 * missing before a disk is.
 */
final class LayoutRules {
    private LayoutRules() {}

    /** Judges the one class of the shapes that have no other. */
    static void ofOneClass(String where, ClusterStorage storage, Findings findings) {
        unused(storage, findings);
        if (storage.raid().isEmpty()) {
            return;
        }
        var raid = storage.raid().get();
        var prefix = StorageRules.error(where, "");
        RaidRules.parameters(prefix, raid, findings);
        findings.errorIf(
                storage.useAllDevices(),
                prefix
                        + "raidConfig needs disks that are named: set useAllDevices to false, and"
                        + " list storage.devices");
        var devices = storage.devices().orElse(List.of());
        if (!storage.useAllDevices() && !devices.isEmpty()) {
            boolean exact = !StorageShape.of(storage).allNodes(); // others take what they have
            RaidRules.devices(prefix, raid, devices.size(), exact, findings);
        }
    }

    /** The classes of listed nodes do not count beside the devices that all of them have. */
    private static void unused(ClusterStorage storage, Findings findings) {
        for (var node : storage.deviceClasses().orElse(List.of())) {
            for (var listed : node.classes()) {
                findings.errorIf(
                        listed.raid().isPresent(),
                        StorageRules.error(
                                where(node, listed),
                                "raidConfig has no effect, since storage.devices are used and the"
                                        + " classes are not: set storage.raidConfig, or remove"
                                        + " storage.devices"));
            }
        }
    }

    private static String where(NodeClasses node, ListedClass listed) {
        return "node " + node.nodeName() + ", class " + listed.className();
    }

    /** Judges a class of a node; one without devices is on its way out. */
    static void ofListed(String where, ListedClass listed, Findings findings) {
        if (listed.raid().isEmpty()) {
            return;
        }
        var raid = listed.raid().get();
        var prefix = StorageRules.error(where, "");
        RaidRules.parameters(prefix, raid, findings);
        findings.errorIf(
                listed.stripe().orElse(0) > 0 || !listed.stripeSize().isEmpty(),
                prefix
                        + "stripe and stripeSize are for classes without RAID: remove them, or set"
                        + " stripes and stripeSize of raidConfig");
        List<ListedDevice> devices = listed.devices();
        if (!devices.isEmpty()) {
            RaidRules.devices(prefix, raid, devices.size(), true, findings);
        }
    }
}
