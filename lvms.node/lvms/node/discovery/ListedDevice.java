package lvms.node.discovery;

import lvms.node.disk.NodeDevice;

import java.util.List;

/**
 * A device that is listed, free or not.
 *
 * @param device the device
 * @param reasons why it is not free; NativeStor's words come first
 */
public record ListedDevice(NodeDevice device, List<String> reasons) {
    public ListedDevice {
        reasons = List.copyOf(reasons);
    }

    public boolean available() {
        return reasons.isEmpty();
    }

    /** Returns all reasons in one line; empty if there are none. */
    public String message() {
        return String.join("; ", reasons);
    }

    /** Returns the path without {@code /dev}, as sysfs and NativeStor name the device. */
    String kernelName() {
        return device.kernelName().substring(device.kernelName().lastIndexOf('/') + 1);
    }
}
