package lvms.api.listing;

import lvms.api.field.Fields;
import lvms.k8s.tree.ObjectTree;

import java.util.Objects;

/**
 * What a node made of a {@link LoopDevice}, in NativeStor's words.
 *
 * @param name its name in the class
 * @param file the file behind it, as a path of the host; empty if none is known
 * @param deviceName the device, such as {@code /dev/loop3}; empty if there is none
 * @param status {@link #SUCCESSFUL} or {@link #FAILED}
 * @param message why it failed, or what is worth knowing
 */
public record LoopState(
        String name, String file, String deviceName, String status, String message) {
    /** Status of a loop device that is there. */
    public static final String SUCCESSFUL = "successful";

    /** Status of a loop device that could not be made. */
    public static final String FAILED = "failed";

    public LoopState {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(file, "file");
        Objects.requireNonNull(deviceName, "deviceName");
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(message, "message");
    }

    /** The state of a loop device that is there. */
    public static LoopState successful(String name, String file, String device, String message) {
        return new LoopState(name, file, device, SUCCESSFUL, message);
    }

    /** The state of one that is not; a file that was known stays known. */
    public static LoopState failed(String name, String file, String message) {
        return new LoopState(name, file, "", FAILED, message);
    }

    /** Reads the JSON form. */
    public static LoopState of(ObjectTree tree) {
        return new LoopState(
                Fields.text(tree, "name"),
                Fields.text(tree, "file"),
                Fields.text(tree, "deviceName"),
                Fields.text(tree, "status"),
                Fields.text(tree, "message"));
    }

    /** Returns the JSON form; as in NativeStor, nothing is left out. */
    public ObjectTree json() {
        var tree = ObjectTree.builder();
        tree.put("name", name);
        tree.put("file", file);
        tree.put("deviceName", deviceName);
        tree.put("status", status);
        tree.put("message", message);
        return tree.build();
    }

    public boolean isSuccessful() {
        return status.equals(SUCCESSFUL);
    }

    /**
     * Whether a file was made for it once. NativeStor noted one that it could not make as a
     * success, too, with a file that was never there and without a device.
     */
    public boolean hadFile() {
        return file.startsWith("/") && !(isSuccessful() && deviceName.isEmpty());
    }
}
