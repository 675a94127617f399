package lvms.api;

import com.google.gson.JsonObject;

import lvms.k8s.object.Json;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.ResourceType;

import java.util.Objects;
import java.util.Optional;

/**
 * A LogicalVolume: one volume or snapshot on one node.
 *
 * <p>The operator writes the spec, the node writes the status. The name of the logical volume in
 * LVM, and the CSI volume id, is the UID of the object.
 *
 * @param object the object with every field
 * @param spec what the operator asks for
 * @param status what the node answered
 */
public record LogicalVolume(KubeObject object, Spec spec, Status status) {
    /** LogicalVolume in {@code topolvm.io/v1}. */
    public static final ResourceType TYPE =
            new ResourceType(Names.DRIVER, "v1", "LogicalVolume", "logicalvolumes", false);

    /** LogicalVolume in {@code topolvm.cybozu.com/v1}, of clusters that never left that group. */
    public static final ResourceType LEGACY_TYPE =
            new ResourceType(Names.LEGACY_DRIVER, "v1", "LogicalVolume", "logicalvolumes", false);

    /** Checks that nothing is null. */
    public LogicalVolume {
        Objects.requireNonNull(object, "object");
        Objects.requireNonNull(spec, "spec");
        Objects.requireNonNull(status, "status");
    }

    /**
     * What is asked for.
     *
     * @param name name of the volume, equal to the name of the object
     * @param nodeName node that has to own it
     * @param size requested bytes
     * @param deviceClass device class, empty for the default class
     * @param lvcreateOptionClass option class, empty for none
     * @param source {@code spec.name} of the volume it is a snapshot, restore or clone of, empty
     *     for a fresh volume
     * @param accessType {@code ro} for a snapshot, {@code rw} for a restore or clone, empty for a
     *     fresh volume; others may have written anything
     */
    public record Spec(
            String name,
            String nodeName,
            Quantity size,
            String deviceClass,
            String lvcreateOptionClass,
            String source,
            String accessType) {
        /** Checks that nothing is null. */
        public Spec {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(nodeName, "nodeName");
            Objects.requireNonNull(size, "size");
            Objects.requireNonNull(deviceClass, "deviceClass");
            Objects.requireNonNull(lvcreateOptionClass, "lvcreateOptionClass");
            Objects.requireNonNull(source, "source");
            Objects.requireNonNull(accessType, "accessType");
        }

        private static Spec of(JsonObject tree) {
            return new Spec(
                    Fields.text(tree, "name"),
                    Fields.text(tree, "nodeName"),
                    Fields.quantity(tree, "size").orElse(Quantity.ZERO),
                    Fields.text(tree, "deviceClass"),
                    Fields.text(tree, "lvcreateOptionClass"),
                    Fields.text(tree, "source"),
                    Fields.text(tree, "accessType"));
        }

        /** Returns the JSON form; empty texts are left out. */
        public JsonObject json() {
            var tree = new JsonObject();
            tree.addProperty("name", name);
            tree.addProperty("nodeName", nodeName);
            tree.addProperty("size", size.toString());
            Fields.addText(tree, "deviceClass", deviceClass);
            Fields.addText(tree, "lvcreateOptionClass", lvcreateOptionClass);
            Fields.addText(tree, "source", source);
            Fields.addText(tree, "accessType", accessType);
            return tree;
        }
    }

    /**
     * What the node answered.
     *
     * @param volumeId name of the volume in LVM and CSI volume id, empty while there is none
     * @param code why the last operation failed, {@code OK} if it did not
     * @param message text of the last failure
     * @param currentSize bytes as LVM reports them, absent while unknown
     */
    public record Status(
            String volumeId, StatusCode code, String message, Optional<Quantity> currentSize) {
        /** Checks that nothing is null. */
        public Status {
            Objects.requireNonNull(volumeId, "volumeId");
            Objects.requireNonNull(code, "code");
            Objects.requireNonNull(message, "message");
            Objects.requireNonNull(currentSize, "currentSize");
        }

        private static Status of(JsonObject tree) {
            return new Status(
                    Fields.text(tree, "volumeID"),
                    code(tree),
                    Fields.text(tree, "message"),
                    Fields.quantity(tree, "currentSize"));
        }

        // Other writers may have used the name of the code.
        private static StatusCode code(JsonObject tree) {
            return Json.text(tree.get("code"))
                    .map(StatusCode::named)
                    .orElseGet(() -> StatusCode.of(Fields.integer(tree, "code").orElse(0)));
        }

        /** Returns the JSON form; OK and empty texts are left out. */
        public JsonObject json() {
            var tree = new JsonObject();
            Fields.addText(tree, "volumeID", volumeId);
            if (code != StatusCode.OK) {
                tree.addProperty("code", code.number());
            }
            Fields.addText(tree, "message", message);
            currentSize.ifPresent(size -> tree.addProperty("currentSize", size.toString()));
            return tree;
        }
    }

    /**
     * Reads an object of either group.
     *
     * @throws IllegalArgumentException if a size is no quantity
     */
    public static LogicalVolume of(KubeObject object) {
        return new LogicalVolume(
                object,
                Spec.of(object.object("spec").orElseGet(JsonObject::new)),
                Status.of(object.object("status").orElseGet(JsonObject::new)));
    }

    /** Returns a new object to be created, named like the volume. */
    public static KubeObject create(Spec spec) {
        return KubeObject.create(TYPE, ObjectKey.cluster(spec.name())).with(spec.json(), "spec");
    }

    /** Returns the name of the object and of the volume. */
    public String name() {
        return object.name();
    }

    /** Returns whether its node is gone and nobody shall touch LVM for it any more. */
    public boolean pendingDeletion() {
        return object.annotations().containsKey(Names.PENDING_DELETION_ANNOTATION);
    }
}
