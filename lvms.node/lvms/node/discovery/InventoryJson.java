package lvms.node.discovery;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.node.disk.NodeDevice;

import java.util.List;

/** The devices in NativeStor's JSON, with its fields in its order. */
final class InventoryJson {
    private static final String NAA = "naa.";
    private static final int WWN_DIGITS = 16;

    private InventoryJson() {}

    static String text(List<ListedDevice> devices) {
        return Json.write(ListTree.of(devices.stream().map(InventoryJson::device).toList()));
    }

    private static ObjectTree device(ListedDevice listed) {
        var device = listed.device();
        var hardware = device.hardware();
        var tree = ObjectTree.builder();
        tree.put("name", listed.kernelName());
        tree.put("parent", hardware.parent());
        tree.put("hasChildren", false); // always, see the field has child of the message
        tree.put("devLinks", String.join(" ", hardware.links()));
        tree.put("size", device.sizeBytes());
        tree.put("uuid", "");
        tree.put("serial", hardware.serial());
        tree.put("type", device.type());
        tree.put("rotational", hardware.rotational());
        tree.put("readOnly", device.readOnly());
        tree.put("Partitions", Tree.NULL);
        tree.put("filesystem", device.signature().orElse(""));
        tree.put("vendor", hardware.vendor());
        tree.put("model", hardware.model());
        tree.put("wwn", wwn(hardware.wwn(), WWN_DIGITS));
        tree.put("wwnVendorExtension", wwn(hardware.wwn(), Integer.MAX_VALUE));
        tree.put("empty", false);
        unlessZero(device, listed.kernelName(), tree);
        tree.put("available", listed.available());
        tree.put("message", listed.message());
        return tree.build();
    }

    private static void unlessZero(NodeDevice device, String kernelName, ObjectTree.Builder tree) {
        tree.put("real-path", device.name());
        var mountPoint = Listing.mountPoint(device);
        if (!mountPoint.isEmpty()) {
            tree.put("mount-point", mountPoint);
        }
        tree.put("kernel-name", kernelName);
        var number = device.hardware().number();
        if (number.major() != 0) {
            tree.put("major", number.major());
        }
        if (number.minor() != 0) {
            tree.put("minor", number.minor());
        }
    }

    /**
     * udev writes {@code 0x} for what the kernel calls {@code naa.}, and cuts the extension off.
     */
    private static String wwn(String text, int digits) {
        if (!text.startsWith(NAA)) {
            return text;
        }
        var hex = text.substring(NAA.length());
        return "0x" + hex.substring(0, Math.min(digits, hex.length()));
    }
}
