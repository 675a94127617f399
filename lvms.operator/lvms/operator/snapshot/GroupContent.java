package lvms.operator.snapshot;

import lvms.api.Driver;
import lvms.k8s.object.KubeObject;
import lvms.operator.snapshot.Content.Need;

import java.util.List;
import java.util.Optional;

/**
 * A VolumeGroupSnapshotContent.
 *
 * @param object the object
 */
record GroupContent(KubeObject object) {
    private static final String PREFIX = "groupsnapshot.storage.kubernetes.io/";
    static final String FINALIZER = PREFIX + "volumegroupsnapshotcontent-bound-protection";
    static final String BEING_CREATED = PREFIX + "volumegroupsnapshot-being-created";
    static final String BEING_DELETED = PREFIX + "volumegroupsnapshot-being-deleted";

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
            return beingCreated() ? Need.UNMARK : Need.NOTHING;
        }
        if (givenHandle().isPresent()) {
            return Need.FIND;
        }
        return sourceVolumes().isEmpty() || !bound() ? Need.NOTHING : Need.CREATE;
    }

    /** Its group is named after the UID. */
    private boolean bound() {
        return !reference("uid").isEmpty();
    }

    private boolean deletable() {
        boolean unboundStatic = givenHandle().isPresent() && !bound();
        return unboundStatic || object.annotation(BEING_DELETED).isPresent();
    }

    boolean beingCreated() {
        return object.annotation(BEING_CREATED).isPresent();
    }

    boolean deletesSnapshots() {
        return object.text("spec", "deletionPolicy").orElse("").equals("Delete");
    }

    List<String> sourceVolumes() {
        return object.list("spec", "source", "volumeHandles").texts();
    }

    Optional<String> givenHandle() {
        return object.text("spec", "source", "groupSnapshotHandles", "volumeGroupSnapshotHandle");
    }

    /** Returns the snapshots that a person says are in the given group. */
    List<String> givenSnapshots() {
        return object.list("spec", "source", "groupSnapshotHandles", "volumeSnapshotHandles")
                .texts();
    }

    String className() {
        return object.text("spec", "volumeGroupSnapshotClassName").orElse("");
    }

    Optional<String> handle() {
        return object.text("status", "volumeGroupSnapshotHandle");
    }

    /** Returns the CSI name of its group. */
    String groupName() {
        return "groupsnapshot-" + reference("uid");
    }

    private String reference(String field) {
        return object.text("spec", "volumeGroupSnapshotRef", field).orElse("");
    }
}
