package lvms.api.nativestor;

import lvms.api.field.Fields;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Objects;

/**
 * How a device class of a node is.
 *
 * @param className name of the class
 * @param vgName name of its volume group
 * @param state {@link #READY} or {@link #UNREADY}
 * @param message what was done last, or what failed
 * @param deviceStates its devices
 */
public record ClassState(
        String className,
        String vgName,
        String state,
        String message,
        List<DeviceState> deviceStates) {
    /** State of a class whose devices are all there. */
    public static final String READY = "Ready";

    /** State of a class that lacks something. */
    public static final String UNREADY = "UnReady";

    public ClassState {
        Objects.requireNonNull(className, "className");
        Objects.requireNonNull(vgName, "vgName");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(message, "message");
        deviceStates = List.copyOf(deviceStates);
    }

    /**
     * How a device of a class is.
     *
     * @param name name of the device
     * @param state {@link #ONLINE}, {@link #OFFLINE} or {@link #ERROR}
     * @param message what is wrong with it; empty if nothing is
     * @param uuid UUID of its physical volume; empty if it has none of the class
     */
    public record DeviceState(String name, String state, String message, String uuid) {
        /** State of a device in the volume group. */
        public static final String ONLINE = "Online";

        /** State of a device that is missing or cannot be used. */
        public static final String OFFLINE = "Offline";

        /** State of a device that could not be added. */
        public static final String ERROR = "error";

        public DeviceState {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(state, "state");
            Objects.requireNonNull(message, "message");
            Objects.requireNonNull(uuid, "uuid");
        }

        /** A device that is no physical volume, or of which no UUID is known. */
        public DeviceState(String name, String state, String message) {
            this(name, state, message, "");
        }

        private static DeviceState of(ObjectTree tree) {
            return new DeviceState(
                    Fields.text(tree, "name"),
                    Fields.text(tree, "state"),
                    Fields.text(tree, "message"),
                    Fields.text(tree, "uuid"));
        }

        private ObjectTree json() {
            var tree = ObjectTree.builder();
            Fields.addText(tree, "name", name);
            Fields.addText(tree, "state", state);
            Fields.addText(tree, "message", message);
            Fields.addText(tree, "uuid", uuid);
            return tree.build();
        }
    }

    /** Reads the JSON form. */
    public static ClassState of(ObjectTree tree) {
        return new ClassState(
                Fields.text(tree, "className"),
                Fields.text(tree, "vgName"),
                Fields.text(tree, "state"),
                Fields.text(tree, "message"),
                Fields.objects(tree, "deviceStates", DeviceState::of));
    }

    /** Returns the JSON form; what is empty is left out. */
    public ObjectTree json() {
        var tree = ObjectTree.builder();
        Fields.addText(tree, "className", className);
        Fields.addText(tree, "vgName", vgName);
        Fields.addText(tree, "state", state);
        Fields.addText(tree, "message", message);
        if (!deviceStates.isEmpty()) {
            tree.put("deviceStates", Fields.array(deviceStates, DeviceState::json));
        }
        return tree.build();
    }
}
