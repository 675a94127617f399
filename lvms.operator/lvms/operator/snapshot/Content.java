package lvms.operator.snapshot;

import lvms.api.Driver;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;

import java.util.Optional;

/**
 * A VolumeSnapshotContent.
 *
 * @param object the object
 */
record Content(KubeObject object) {
    static final String FINALIZER =
            "snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection";
    static final String BEING_CREATED =
            "snapshot.storage.kubernetes.io/volumesnapshot-being-created";
    static final String BEING_DELETED =
            "snapshot.storage.kubernetes.io/volumesnapshot-being-deleted";

    /** The snapshot-controller makes a content of a group with it, and fills the rest in later. */
    static final String MEMBER_OF = "groupsnapshot.storage.k8s.io/volumeGroupSnapshotHandle";

    /** What there is to do. */
    enum Need {
        NOTHING,
        CREATE,
        UNMARK,
        FIND,
        /** Its snapshot is lost: say so. */
        LOSE,
        DELETE
    }

    /** Returns the name of the driver that it is for. */
    String driver() {
        return object.text("spec", "driver").orElse("");
    }

    /**
     * Decides.
     *
     * @param lost whether its node says that the content of its snapshot is lost
     */
    Need need(Driver driver, boolean lost) {
        if (!driver().equals(driver.name())) {
            return Need.NOTHING;
        }
        if (object.terminating()) {
            return object.finalizers().contains(FINALIZER) && deletable()
                    ? Need.DELETE
                    : Need.NOTHING;
        }
        if (lost) {
            return Need.LOSE;
        }
        if (object.flag("status", "readyToUse").orElse(false)) {
            return beingCreated() ? Need.UNMARK : Need.NOTHING;
        }
        if (knownHandle().isPresent()) {
            return Need.FIND;
        }
        return sourceVolume().isPresent() && !inGroup() && bound() ? Need.CREATE : Need.NOTHING;
    }

    /**
     * A member of a group was taken with the others, and is removed with them. Once the
     * snapshot-controller has written its handle, it is found by that.
     */
    private boolean inGroup() {
        return object.annotation(MEMBER_OF).isPresent()
                || object.text("status", "volumeGroupSnapshotHandle").isPresent();
    }

    /**
     * The name of a snapshot is the UID of its VolumeSnapshot; without one it would be anyone's.
     */
    private boolean bound() {
        return !reference("uid").isEmpty();
    }

    private String reference(String field) {
        return object.text("spec", "volumeSnapshotRef", field).orElse("");
    }

    private boolean deletable() {
        boolean unboundStatic = givenHandle().isPresent() && !bound();
        return unboundStatic || object.annotation(BEING_DELETED).isPresent();
    }

    boolean beingCreated() {
        return object.annotation(BEING_CREATED).isPresent();
    }

    boolean deletesSnapshot() {
        return object.text("spec", "deletionPolicy").orElse("").equals("Delete") && !inGroup();
    }

    Optional<String> sourceVolume() {
        return object.text("spec", "source", "volumeHandle");
    }

    Optional<String> givenHandle() {
        return object.text("spec", "source", "snapshotHandle");
    }

    /** Returns the handle of a snapshot that is not to be made, if there is one already. */
    Optional<String> knownHandle() {
        return givenHandle().or(() -> inGroup() ? handle() : Optional.empty());
    }

    Optional<String> handle() {
        return object.text("status", "snapshotHandle");
    }

    String className() {
        return object.text("spec", "volumeSnapshotClassName").orElse("");
    }

    /** Returns the CSI name of its snapshot. */
    String snapshotName() {
        return "snapshot-" + reference("uid");
    }

    ObjectKey snapshot() {
        return ObjectKey.of(reference("namespace"), reference("name"));
    }
}
