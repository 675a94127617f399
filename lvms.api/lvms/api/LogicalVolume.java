package lvms.api;

import lvms.api.field.Fields;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Times;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

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
    /** LogicalVolumes of {@link Driver#TOPOLVM}. */
    public static final ResourceType TYPE = Driver.TOPOLVM.logicalVolumes();

    /** Access type of a snapshot. */
    public static final String READ_ONLY = "ro";

    /** Access type of a restored or cloned volume. */
    public static final String WRITABLE = "rw";

    /** How far the node is with a new volume. */
    public enum State {
        /** The node has not answered yet. */
        PENDING,
        /** It can be used. */
        READY,
        /** The node could not make it. */
        FAILED,
        /** It is being deleted. */
        TERMINATING
    }

    public LogicalVolume {
        Objects.requireNonNull(object, "object");
        Objects.requireNonNull(spec, "spec");
        Objects.requireNonNull(status, "status");
    }

    /**
     * What is asked for.
     *
     * @param name name of the volume, equal to the name of the object
     * @param nodeName node that must hold it
     * @param size requested bytes
     * @param deviceClass device class, empty for the default class
     * @param lvcreateOptionClass option class, empty for none
     * @param source for a snapshot, restore or clone, {@code spec.name} of its source; empty for a
     *     new volume
     * @param accessType {@code ro} for a snapshot, {@code rw} for a restore or clone, empty for a
     *     new volume; other writers may have put anything here
     */
    public record Spec(
            String name,
            String nodeName,
            Quantity size,
            String deviceClass,
            String lvcreateOptionClass,
            String source,
            String accessType) {
        public Spec {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(nodeName, "nodeName");
            Objects.requireNonNull(size, "size");
            Objects.requireNonNull(deviceClass, "deviceClass");
            Objects.requireNonNull(lvcreateOptionClass, "lvcreateOptionClass");
            Objects.requireNonNull(source, "source");
            Objects.requireNonNull(accessType, "accessType");
        }

        private static Spec of(ObjectTree tree) {
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
        public ObjectTree json() {
            var tree = ObjectTree.builder();
            tree.put("name", name);
            tree.put("nodeName", nodeName);
            tree.put("size", size.toString());
            Fields.addText(tree, "deviceClass", deviceClass);
            Fields.addText(tree, "lvcreateOptionClass", lvcreateOptionClass);
            Fields.addText(tree, "source", source);
            Fields.addText(tree, "accessType", accessType);
            return tree.build();
        }
    }

    /**
     * Where a volume is, by identities that no other group or node ever gets: names are given again
     * when a node is rebuilt.
     *
     * @param groupUuid LVM's UUID of its volume group
     * @param nodeUid UID of the Node object, empty while it is not known
     */
    public record Home(String groupUuid, String nodeUid) {
        /** Attribute of a PersistentVolume, which is its {@code volume_context} in CSI. */
        public static final String GROUP_ATTRIBUTE = "lvms.topolvm.io/volume-group-uuid";

        /** Attribute of a PersistentVolume: UID of the Node that the volume was made on. */
        public static final String NODE_ATTRIBUTE = "lvms.topolvm.io/node-uid";

        /**
         * Annotation of a LogicalVolume with the UUID of a volume group, by which a person says
         * that this group is the right one for the volume, whatever was recorded before.
         */
        public static final String ACCEPTED_ANNOTATION = "lvms.topolvm.io/accept-volume-group";

        public Home {
            Objects.requireNonNull(groupUuid, "groupUuid");
            Objects.requireNonNull(nodeUid, "nodeUid");
        }

        /** Reads it from a status; empty where no node has recorded it. */
        static Optional<Home> of(ObjectTree status) {
            var group = Fields.text(status, "volumeGroupUUID");
            return group.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Home(group, Fields.text(status, "nodeUID")));
        }

        /** Adds its two fields to a status that is to be written. */
        public void addTo(ObjectTree.Builder status) {
            status.put("volumeGroupUUID", groupUuid);
            Fields.addText(status, "nodeUID", nodeUid);
        }

        /** Returns the attributes of the PersistentVolume. */
        public Map<String, String> attributes() {
            return nodeUid.isEmpty()
                    ? Map.of(GROUP_ATTRIBUTE, groupUuid)
                    : Map.of(GROUP_ATTRIBUTE, groupUuid, NODE_ATTRIBUTE, nodeUid);
        }

        @Override
        public String toString() {
            return groupUuid + (nodeUid.isEmpty() ? "" : " of the node with UID " + nodeUid);
        }
    }

    /**
     * What the node answered.
     *
     * @param volumeId name of the volume in LVM and CSI volume id, empty while there is none
     * @param code why the last operation failed, {@code OK} if it did not
     * @param message text of the last failure
     * @param currentSize bytes as LVM reports them, absent while unknown
     * @param home where the volume is; absent in objects of TopoLVM until the node has seen them
     */
    public record Status(
            String volumeId,
            StatusCode code,
            String message,
            Optional<Quantity> currentSize,
            Optional<Home> home) {
        public Status {
            Objects.requireNonNull(volumeId, "volumeId");
            Objects.requireNonNull(code, "code");
            Objects.requireNonNull(message, "message");
            Objects.requireNonNull(currentSize, "currentSize");
            Objects.requireNonNull(home, "home");
        }

        /** A status as TopoLVM writes it. */
        public Status(
                String volumeId, StatusCode code, String message, Optional<Quantity> currentSize) {
            this(volumeId, code, message, currentSize, Optional.empty());
        }

        private static Status of(ObjectTree tree) {
            return new Status(
                    Fields.text(tree, "volumeID"),
                    code(tree),
                    Fields.text(tree, "message"),
                    Fields.quantity(tree, "currentSize"),
                    Home.of(tree));
        }

        // Other writers may have written the name of the code.
        private static StatusCode code(ObjectTree tree) {
            return tree.text("code")
                    .map(StatusCode::named)
                    .orElseGet(() -> StatusCode.of(Fields.integer(tree, "code").orElse(0)));
        }

        /** Returns the JSON form; OK and empty texts are left out. */
        public ObjectTree json() {
            var tree = ObjectTree.builder();
            Fields.addText(tree, "volumeID", volumeId);
            if (code != StatusCode.OK) {
                tree.put("code", code.number());
            }
            Fields.addText(tree, "message", message);
            currentSize.ifPresent(size -> tree.put("currentSize", size.toString()));
            home.ifPresent(where -> where.addTo(tree));
            return tree.build();
        }
    }

    /**
     * Reads an object of any driver.
     *
     * @throws IllegalArgumentException if a size is not a quantity
     */
    public static LogicalVolume of(KubeObject object) {
        return new LogicalVolume(
                object,
                Spec.of(object.object("spec").orElse(ObjectTree.EMPTY)),
                Status.of(object.object("status").orElse(ObjectTree.EMPTY)));
    }

    /**
     * Reads an object that anybody may have written: a size that is not a quantity counts as
     * absent, since one bad object must not stop a cache.
     */
    public static LogicalVolume tolerant(KubeObject object) {
        try {
            return of(object);
        } catch (IllegalArgumentException _) {
            return of(object.without("spec", "size").without("status", "currentSize"));
        }
    }

    /**
     * Returns a new object to be created, named like the volume. It has the node agent's finalizer
     * and label from the start, so it cannot vanish while the node is at work, and the node saves
     * two requests.
     */
    public static KubeObject create(Driver driver, Spec spec, Map<String, String> annotations) {
        var finalizers = ListTree.builder();
        finalizers.add(driver.volumeFinalizer());
        var object =
                KubeObject.create(driver.logicalVolumes(), ObjectKey.cluster(spec.name()))
                        .with(finalizers.build(), "metadata", "finalizers")
                        .with(Names.CREATED_BY, "metadata", "labels", Names.CREATED_BY_LABEL)
                        .with(spec.json(), "spec");
        for (var entry : annotations.entrySet()) {
            object = object.with(entry.getValue(), "metadata", "annotations", entry.getKey());
        }
        return object;
    }

    /**
     * Returns the objects that have a volume. Of several that say so, it is the one whose UID is
     * the volume's name: another one was copied from it.
     */
    public static List<LogicalVolume> withId(Collection<LogicalVolume> all, String id) {
        var found = all.stream().filter(volume -> volume.volumeName().equals(id)).toList();
        var owner = found.stream().filter(volume -> volume.uid().equals(id)).toList();
        return owner.isEmpty() ? found : owner;
    }

    /** Returns the driver, whose name is the API group of the object. */
    public Driver driver() {
        return new Driver(object.apiVersion().replaceFirst("/.*", ""));
    }

    public String name() {
        return object.name();
    }

    /** Returns the UID of the object, which is also the name of the logical volume in LVM. */
    public String uid() {
        return object.uid();
    }

    /** Returns the name of the logical volume in LVM; before it is known, the one it will get. */
    public String volumeName() {
        return status.volumeId().isEmpty() ? uid() : status.volumeId();
    }

    /** Returns whether the volume is older than the object, which was made again for it. */
    public boolean restored() {
        return !volumeName().equals(uid())
                || formerId().filter(id -> !id.equals(uid())).isPresent();
    }

    /** Returns the id of the volume that was handed out, which also a backup keeps. */
    public Optional<String> formerId() {
        return object.annotation(driver().volumeIdAnnotation()).filter(id -> !id.isEmpty());
    }

    /**
     * Returns whether it is a snapshot, which nobody writes to. NativeStor's TopoLVM made some
     * whose spec does not say so; of these its node says what they were taken from, which it sees
     * in LVM.
     */
    public boolean isSnapshot() {
        return spec.accessType().equals(READ_ONLY)
                || spec.accessType().isEmpty()
                        && object.annotation(driver().sourceVolumeAnnotation()).isPresent();
    }

    /** Returns whether it is a snapshot whose content is lost, as its node says. */
    public boolean lost() {
        return isSnapshot()
                && !status.volumeId().isEmpty()
                && status.code() == StatusCode.DATA_LOSS;
    }

    /** Returns how far its node has got. */
    public State state() {
        if (object.terminating()) {
            return State.TERMINATING;
        }
        if (!status.volumeId().isEmpty()) {
            return status.currentSize().isPresent() ? State.READY : State.PENDING;
        }
        return status.code() == StatusCode.OK ? State.PENDING : State.FAILED;
    }

    /** Returns the real size if it is known, else the requested one, in bytes. */
    public long bytes() {
        return status.currentSize().orElse(spec.size()).bytes();
    }

    /**
     * Returns the largest size that whoever asked for it accepts, in bytes; empty if any. A limit
     * below the size that is asked for now was that of an earlier request.
     */
    public OptionalLong sizeLimit() {
        return object.annotation(driver().sizeLimitAnnotation()).stream()
                .filter(text -> text.matches("[0-9]{1,18}"))
                .mapToLong(Long::parseLong)
                .filter(limit -> limit >= spec.size().bytes())
                .findFirst();
    }

    /**
     * Returns the room for the store of a snapshot of a thick volume, or of the snapshot that a
     * clone is copied from; empty for other volumes.
     */
    public OptionalLong storeBytes() {
        return object.annotation(driver().snapshotStoreAnnotation()).stream()
                .filter(text -> text.matches("[1-9][0-9]{0,17}"))
                .mapToLong(Long::parseLong)
                .findFirst();
    }

    /** Returns how much of its class a new volume takes, in bytes. */
    public long roomBytes() {
        return isSnapshot()
                ? storeBytes().orElse(spec.size().bytes())
                : spec.size().bytes() + storeBytes().orElse(0);
    }

    /** Returns whether its node has yet to grow it, and has not failed to. */
    public boolean growing() {
        return state() == State.READY
                && status.code() == StatusCode.OK
                && spec.size().bytes() > bytes();
    }

    /**
     * Returns a time at which a snapshot had been taken, as its node said. An agent of an earlier
     * release, or TopoLVM's, says nothing: then it is when the snapshot was requested, in whole
     * seconds.
     */
    public Instant taken() {
        return object.annotation(driver().takenAtAnnotation())
                .flatMap(Times::read)
                .orElseGet(this::created);
    }

    /** Returns when it was requested, in whole seconds. */
    public Instant created() {
        return object.creationTimestamp().orElse(Instant.EPOCH);
    }

    /** Returns whether its node is gone and LVM must not be touched for it any more. */
    public boolean pendingDeletion() {
        return object.annotation(driver().pendingDeletionAnnotation()).isPresent();
    }
}
