package lvms.operator.event;

import lvms.api.Names;
import lvms.k8s.event.EventRecorder.Type;
import lvms.k8s.event.Reason;

/** Reasons of the operator's Events; the texts are what alerts and people look for. */
public enum EventReason implements Reason {
    /** The spec of an LVMCluster breaks a rule. */
    SPEC_REJECTED(
            Topic.CLUSTER,
            Type.WARNING,
            "SpecRejected",
            "The spec breaks a rule. What was accepted before stays in force; the note names each"
                    + " rule."),
    /** Somebody else serves our CSI driver. */
    DRIVER_CONFLICT(
            Topic.CLUSTER,
            Type.WARNING,
            "DriverConflict",
            "Another installation serves this CSI driver. The operator changes nothing until it is"
                    + " gone."),
    /** An accepted spec has something that a person should know. */
    SPEC_WARNING(
            Topic.CLUSTER,
            Type.WARNING,
            "SpecWarning",
            "The spec was accepted, but something in it may not be what you want."),
    /** Objects of a cluster are missing. */
    INCOMPLETE(
            Topic.CLUSTER,
            Type.WARNING,
            "ResourceReconciliationIncomplete",
            "Something that the spec asks for is missing: written at once if it failed, after one"
                    + " minute if it is only slow."),
    /** A cluster became ready. */
    READY(
            Topic.CLUSTER,
            Type.NORMAL,
            "ResourceReconciliationSuccess",
            "The LVMCluster became ready: everything exists and every volume group is ready."),
    /** A cluster cannot be deleted yet. */
    DELETION_PENDING(
            Topic.CLUSTER,
            Type.WARNING,
            "DeletionPending",
            "The LVMCluster is being deleted and waits; the note names what still uses it."),

    /** The storage of a TopolvmCluster breaks a rule. */
    STORAGE_REJECTED(
            Topic.TOPOLVM_CLUSTER,
            Type.WARNING,
            "SpecRejected",
            "The storage of a TopolvmCluster breaks a rule. What was accepted before stays in"
                    + " force; the note names each rule and what to do."),
    /** Somebody else serves a CSI driver that a TopolvmCluster needs. */
    STORAGE_CONFLICT(
            Topic.TOPOLVM_CLUSTER,
            Type.WARNING,
            "DriverConflict",
            "Another installation serves the CSI driver. Nothing is changed until it is gone."),
    /** An accepted TopolvmCluster has something that a person should know. */
    STORAGE_WARNING(
            Topic.TOPOLVM_CLUSTER,
            Type.WARNING,
            "SpecWarning",
            "The spec was accepted, but something in it may not be what you want."),
    /** A part of an edit cannot be carried out. */
    EDIT_REFUSED(
            Topic.TOPOLVM_CLUSTER,
            Type.WARNING,
            "EditRefused",
            "A part of an edit cannot be carried out; the note says what to do instead. What it is"
                    + " about stays as it was."),
    /** A device class of a node has its volume group. */
    CLASS_CREATED(
            Topic.TOPOLVM_CLUSTER,
            Type.NORMAL,
            "DeviceClassCreated",
            "A device class of a node has its volume group; the note names the devices."),
    /** A volume group has further devices. */
    CLASS_EXPANDED(
            Topic.TOPOLVM_CLUSTER,
            Type.NORMAL,
            "DeviceClassExpanded",
            "A volume group has further devices; the note names them."),
    /** A volume group has given devices back. */
    CLASS_SHRUNK(
            Topic.TOPOLVM_CLUSTER,
            Type.NORMAL,
            "DeviceClassShrunk",
            "A volume group no longer has some devices; the note names them."),
    /** A device class is gone from a node. */
    CLASS_DELETED(
            Topic.TOPOLVM_CLUSTER,
            Type.NORMAL,
            "DeviceClassDeleted",
            "A device class that nothing asks for is gone from a node, with its volume group."),
    /** What a device class asks for could not be done. */
    CLASS_FAILED(
            Topic.TOPOLVM_CLUSTER,
            Type.WARNING,
            "DeviceClassFailed",
            "A volume group could not be made, changed or removed on a node; the note has the words"
                    + " of status.nodeStorageState and the reason."),
    /** A TopolvmCluster cannot be deleted yet. */
    REMOVAL_PENDING(
            Topic.TOPOLVM_CLUSTER,
            Type.WARNING,
            "DeletionPending",
            "The TopolvmCluster is being deleted and waits; the note names what still uses it."),

    /** A value of NativeStor's settings cannot be read. */
    SETTING_BROKEN(
            Topic.SETTING,
            Type.WARNING,
            "SettingBroken",
            "A value of NativeStor's settings cannot be read; the note says what is in force"
                    + " instead."),
    /** Something cannot be switched off while it is used. */
    SETTING_REFUSED(
            Topic.SETTING,
            Type.WARNING,
            "SettingRefused",
            "NativeStor's settings switch something off that is in use; the note says by what. It"
                    + " stays on until then."),
    /** Keys of NativeStor's settings that mean nothing here. */
    SETTING_UNUSED(
            Topic.SETTING,
            Type.NORMAL,
            "SettingWithoutEffect",
            "Keys of NativeStor's settings have no effect here; the note gives the reason of"
                    + " each."),

    /** The work on a claim begins. */
    PROVISIONING(
            Topic.CLAIM,
            Type.NORMAL,
            "Provisioning",
            "The volume for the claim is being made, or is left to an external populator."),
    /** A claim has its volume. */
    PROVISIONED(
            Topic.CLAIM, Type.NORMAL, "ProvisioningSucceeded", "The PersistentVolume was made."),
    /** A try to serve a claim failed. */
    PROVISIONING_FAILED(
            Topic.CLAIM,
            Type.WARNING,
            "ProvisioningFailed",
            "The volume could not be made; the operator retries with back-off."),
    /** A try to delete a volume failed. */
    DELETE_FAILED(
            Topic.VOLUME,
            Type.WARNING,
            "VolumeFailedDelete",
            "The volume could not be deleted; the operator retries with back-off."),

    /** Growing begins. */
    RESIZING(Topic.RESIZE, Type.NORMAL, "Resizing", "The logical volume is being extended."),
    /** The logical volume is larger; the filesystem is not yet. */
    FILESYSTEM_RESIZE_REQUIRED(
            Topic.RESIZE,
            Type.NORMAL,
            "FileSystemResizeRequired",
            "The logical volume was extended; kubelet extends the filesystem when a pod uses it."),
    /** A raw device was grown. */
    RESIZED(
            Topic.RESIZE,
            Type.NORMAL,
            "VolumeResizeSuccessful",
            "The block volume was extended, and nothing is left to do."),
    /** A try to grow failed. */
    RESIZE_FAILED(
            Topic.RESIZE,
            Type.WARNING,
            "VolumeResizeFailed",
            "The volume could not be extended; the operator retries with back-off, but not for a"
                    + " raw device, which cannot grow."),

    /** Other attributes are asked for. */
    MODIFYING(
            Topic.MODIFY,
            Type.NORMAL,
            "VolumeModify",
            "The volume is given the attributes of the claim's VolumeAttributesClass."),
    /** The volume has other attributes. */
    MODIFIED(
            Topic.MODIFY,
            Type.NORMAL,
            "VolumeModifySuccessful",
            "The volume has the attributes of the claim's VolumeAttributesClass."),
    /** Nobody asks for other attributes any more. */
    MODIFY_CANCELLED(
            Topic.MODIFY,
            Type.NORMAL,
            "VolumeModifyCanceled",
            "The claim no longer names the VolumeAttributesClass that could not be applied."),
    /** A try to change attributes failed. */
    MODIFY_FAILED(
            Topic.MODIFY,
            Type.WARNING,
            "VolumeModifyFailed",
            "The volume could not be given the attributes of the claim's VolumeAttributesClass;"
                    + " the operator retries with back-off."),

    /** A try to make snapshots of several volumes at once failed. */
    GROUP_SNAPSHOT_CREATION_FAILED(
            Topic.GROUP_SNAPSHOT,
            Type.WARNING,
            "GroupSnapshotCreationFailed",
            "The snapshots of the group could not be made, and none is left; the operator retries"
                    + " with back-off."),
    /** A try to find a given group of snapshots failed. */
    GROUP_SNAPSHOT_CHECK_FAILED(
            Topic.GROUP_SNAPSHOT,
            Type.WARNING,
            "GroupSnapshotContentCheckandUpdateFailed",
            "The group snapshot that the content names could not be found or read."),
    /** A try to delete a group of snapshots failed. */
    GROUP_SNAPSHOT_DELETION_FAILED(
            Topic.GROUP_SNAPSHOT,
            Type.WARNING,
            "GroupSnapshotDeleteError",
            "The snapshots of the group could not be deleted; the operator retries with back-off."),
    /** A try to make a snapshot failed. */
    SNAPSHOT_CREATION_FAILED(
            Topic.SNAPSHOT,
            Type.WARNING,
            "SnapshotCreationFailed",
            "The snapshot could not be made; the operator retries with back-off."),
    /** A try to find a given snapshot failed. */
    SNAPSHOT_CHECK_FAILED(
            Topic.SNAPSHOT,
            Type.WARNING,
            "SnapshotContentCheckandUpdateFailed",
            "The snapshot that the content names could not be found or read."),
    /** The store of a snapshot of a thick volume overflowed. */
    SNAPSHOT_LOST(
            Topic.SNAPSHOT,
            Type.WARNING,
            "SnapshotLost",
            "The content of the snapshot is lost, and nothing can be restored from it: its store"
                    + " overflowed while its volume group had no room. Delete the snapshot."),
    /** A try to delete a snapshot failed. */
    SNAPSHOT_DELETION_FAILED(
            Topic.SNAPSHOT,
            Type.WARNING,
            "SnapshotDeleteError",
            "The snapshot could not be deleted; the operator retries with back-off."),

    /** No node has room for a pending claim. */
    NOT_ENOUGH_CAPACITY(
            Topic.CAPACITY,
            Type.WARNING,
            "NotEnoughCapacity",
            "The claim is pending and no node has room for it; the note lists the free space of"
                    + " each node. Repeated every 15 seconds; while it says the same, as one"
                    + " Event."),
    /** The node of a claim's volume was deleted. */
    NODE_DELETED(
            Topic.NODE,
            Type.WARNING,
            "NodeDeleted",
            "The Node of the claim's volume is being deleted, so the claim is deleted too; the"
                    + " data stays on the disks. --skip-node-finalize turns that off."),
    /** A claim was given up so that its pod can go to another node. */
    DISPOSABLE_CLAIM_DELETED(
            Topic.NODE,
            Type.NORMAL,
            "DisposableClaimDeleted",
            "The claim is marked as disposable and its pod waited for a cordoned node, so the claim"
                    + " was deleted with its volume and data. Only with --disposable-after."),
    /** The node of a volume is down. */
    NODE_FAILED(
            Topic.HEALTH,
            Type.WARNING,
            "NodeFailed",
            "The node of the claim's volume has not been ready for five minutes. The data stays on"
                    + " its disks; no other node can serve it."),
    /** The node of a volume is back. */
    NODE_RECOVERED(
            Topic.HEALTH,
            Type.NORMAL,
            "NodeRecovered",
            "The node of the claim's volume is ready again."),
    /** The node of a volume is gone. */
    VOLUME_ABNORMAL(
            Topic.HEALTH,
            Type.WARNING,
            "VolumeConditionAbnormal",
            "The Node of the claim's volume was deleted, and did not come back within five"
                    + " minutes; or the raw device that is the volume is gone from its node."),
    /** A volume that was gone is back. */
    VOLUME_NORMAL(
            Topic.HEALTH,
            Type.NORMAL,
            "VolumeConditionNormal",
            "The raw device that is the claim's volume is back."),
    /** A volume has lost its claim. */
    CLAIM_REFERENCE_REMOVED(
            Topic.CLAIM_REFERENCE,
            Type.WARNING,
            "ClaimReferenceRemoved",
            "Somebody removed the claim reference of the volume. It keeps its data and its space;"
                    + " delete the volume to free it.");

    /** What the Events of one part of the operator share. */
    private enum Topic {
        CLUSTER("LVMClusterReconciler", "ReconcileLVMCluster", "LVMCluster"),
        TOPOLVM_CLUSTER(Names.OPERATOR, "ReconcileTopolvmCluster", "TopolvmCluster"),
        SETTING(Names.OPERATOR, "ReadSettings", "ConfigMap"),
        CLAIM(Names.OPERATOR, "Provision", "PersistentVolumeClaim"),
        VOLUME(Names.OPERATOR, "Provision", "PersistentVolume"),
        RESIZE(Names.OPERATOR, "Resize", "PersistentVolumeClaim"),
        MODIFY(Names.OPERATOR, "Modify", "PersistentVolumeClaim"),
        GROUP_SNAPSHOT(Names.OPERATOR, "Snapshot", "VolumeGroupSnapshotContent"),
        SNAPSHOT(Names.OPERATOR, "Snapshot", "VolumeSnapshotContent"),
        CAPACITY("lvms-pvc-controller", "CheckCapacity", "PersistentVolumeClaim"),
        NODE("lvms-node-controller", "DeleteClaim", "PersistentVolumeClaim"),
        HEALTH(Names.OPERATOR, "CheckHealth", "PersistentVolumeClaim"),
        CLAIM_REFERENCE("lvms-pv-controller", "CheckClaimReference", "PersistentVolume");

        private final String reporter;
        private final String action;
        private final String regarding;

        Topic(String reporter, String action, String regarding) {
            this.reporter = reporter;
            this.action = action;
            this.regarding = regarding;
        }
    }

    private final Topic topic;
    private final Type type;
    private final String text;
    private final String meaning;

    EventReason(Topic topic, Type type, String text, String meaning) {
        this.topic = topic;
        this.type = type;
        this.text = text;
        this.meaning = meaning;
    }

    @Override
    public String text() {
        return text;
    }

    @Override
    public Type type() {
        return type;
    }

    @Override
    public String action() {
        return topic.action;
    }

    @Override
    public String reporter() {
        return topic.reporter;
    }

    @Override
    public String regarding() {
        return topic.regarding;
    }

    @Override
    public String meaning() {
        return meaning;
    }
}
