package lvms.operator.topolvmcluster.rule;

import lvms.api.nativestor.ClusterStorage;
import lvms.api.nativestor.ListedDevice;
import lvms.api.nativestor.NodeClasses;
import lvms.operator.cluster.rule.Findings;
import lvms.operator.cluster.rule.Verdict;

import java.util.HashSet;
import java.util.List;

/**
 * The rules for the storage of a TopolvmCluster: those that NativeStor had, in its order and with
 * its words, and those that it lacked. All are evaluated, so that a person can fix everything at
 * once; nothing here talks to a server.
 */
public final class StorageRules {
    private static final String CHECK = "check storage config failed: ";
    private static final String STORAGE = "spec.storage";

    private StorageRules() {}

    public static Verdict check(ClusterStorage storage) {
        var findings = new Findings();
        known(storage, findings);
        shape(storage, findings);
        var shape = StorageShape.of(storage);
        if (shape.oneClass()) {
            ClassRules.names(STORAGE, storage.className(), storage.volumeGroupName(), findings);
            DeviceRules.check(STORAGE + ".devices", devices(storage), storage.useLoop(), findings);
            LayoutRules.ofOneClass(STORAGE, storage, findings);
        }
        storage.deviceClasses().ifPresent(nodes -> nodes(nodes, findings));
        if (shape == StorageShape.LISTED_CLASSES) {
            findings.errorIf(
                    storage.raid().isPresent(),
                    error(
                            STORAGE,
                            "raidConfig is for the class of storage.devices or useAllNodes: put it"
                                    + " into the classes of deviceClasses"));
            for (var node : storage.deviceClasses().orElseThrow()) {
                ClassRules.check(node, storage.useLoop(), findings);
            }
        }
        return findings.verdict();
    }

    private static List<ListedDevice> devices(ClusterStorage storage) {
        return storage.useAllDevices() ? List.of() : storage.devices().orElse(List.of());
    }

    /** What NativeStor refused. */
    private static void known(ClusterStorage storage, Findings findings) {
        findings.errorIf(
                storage.useAllNodes() && storage.deviceClasses().isPresent(),
                CHECK
                        + "should not both config use all node and deviceclasses: remove"
                        + " deviceClasses, or set useAllNodes to false");
        findings.errorIf(
                !storage.useAllNodes() && storage.useAllDevices(),
                CHECK
                        + "should not config useAllNodes false but useAllDevice true: set"
                        + " useAllNodes to true, or list the devices of each node in"
                        + " deviceClasses");
        findings.errorIf(
                storage.useAllDevices() && storage.devices().isPresent(),
                CHECK
                        + "should not config useAllNodes true but config storage.devices: remove"
                        + " devices, or set useAllDevices to false");
        findings.errorIf(
                storage.useAllNodes()
                        && (storage.volumeGroupName().isEmpty() || storage.className().isEmpty()),
                CHECK
                        + "if use all nodes ,volumeGroupName and className must be define: set"
                        + " both");
    }

    /** What NativeStor accepted and could not do. */
    private static void shape(ClusterStorage storage, Findings findings) {
        findings.errorIf(
                storage.useAllNodes() && !storage.useAllDevices() && storage.devices().isEmpty(),
                CHECK + "no devices: set useAllDevices to true, or list storage.devices");
        boolean listed = !storage.useAllNodes() && !storage.useAllDevices();
        boolean nodes = storage.deviceClasses().isPresent();
        boolean devices = storage.devices().isPresent();
        findings.errorIf(
                listed && devices && !nodes,
                CHECK
                        + "storage.devices are for no node: set useAllNodes to true, or list the"
                        + " devices of each node in deviceClasses");
        findings.errorIf(
                listed && !devices && !nodes,
                CHECK
                        + "neither nodes nor devices: set useAllNodes to true, or list nodes in"
                        + " deviceClasses");
        if (listed && devices && nodes) {
            findings.errorIf(
                    storage.volumeGroupName().isEmpty() || storage.className().isEmpty(),
                    CHECK
                            + "with storage.devices, volumeGroupName and className must be set: set"
                            + " both, or remove storage.devices, and the classes in deviceClasses"
                            + " count");
            findings.warning(
                    "storage.devices are used on the nodes that deviceClasses lists, and the"
                            + " classes there are not, as NativeStor did it: remove"
                            + " storage.devices to use those classes");
        }
    }

    private static void nodes(List<NodeClasses> nodes, Findings findings) {
        var seen = new HashSet<String>();
        for (var node : nodes) {
            findings.errorIf(
                    node.nodeName().isEmpty(),
                    CHECK + "an entry of deviceClasses has no nodeName: set it");
            findings.errorIf(
                    !node.nodeName().isEmpty() && !seen.add(node.nodeName()),
                    CHECK
                            + "node "
                            + node.nodeName()
                            + " is listed twice in deviceClasses: put its classes into one entry");
        }
    }

    /** Returns an error as it stands in conditions and logs. */
    static String error(String where, String what) {
        return CHECK + where + ": " + what;
    }
}
