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

    /** What there is to do. */
    enum Need {
        NOTHING,
        CREATE,
        FIND,
        DELETE
    }

    /** Returns the name of the driver that it is for. */
    String driver() {
        return object.text("spec", "driver").orElse("");
    }

    Need need(Driver driver) {
        if (!driver().equals(driver.name())) {
            return Need.NOTHING;
        }
        if (object.terminating()) {
            return object.finalizers().contains(FINALIZER) && deletable()
                    ? Need.DELETE
                    : Need.NOTHING;
        }
        if (object.flag("status", "readyToUse").orElse(false)) {
            return beingCreated() ? Need.CREATE : Need.NOTHING;
        }
        if (givenHandle().isPresent()) {
            return Need.FIND;
        }
        return sourceVolume().isPresent() && !inGroup() ? Need.CREATE : Need.NOTHING;
    }

    /** A member of a group is found by its handle, and removed with the group. */
    private boolean inGroup() {
        return object.text("status", "volumeGroupSnapshotHandle").isPresent();
    }

    private boolean deletable() {
        boolean unboundStatic =
                givenHandle().isPresent()
                        && object.text("spec", "volumeSnapshotRef", "uid").orElse("").isEmpty();
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

    Optional<String> handle() {
        return object.text("status", "snapshotHandle");
    }

    String className() {
        return object.text("spec", "volumeSnapshotClassName").orElse("");
    }

    /** Returns the CSI name of its snapshot. */
    String snapshotName() {
        return "snapshot-" + object.text("spec", "volumeSnapshotRef", "uid").orElse("");
    }

    ObjectKey snapshot() {
        return ObjectKey.of(
                object.text("spec", "volumeSnapshotRef", "namespace").orElse(""),
                object.text("spec", "volumeSnapshotRef", "name").orElse(""));
    }
}
