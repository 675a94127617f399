package lvms.api;

import lvms.k8s.object.ResourceType;

import java.util.Optional;

/**
 * A CSI driver by its name, and every name in the cluster that is made from it.
 *
 * <p>A PersistentVolume keeps its driver forever, so a cluster that once ran under another name has
 * volumes of two drivers. Code that depends on a driver therefore takes it as a value; {@link
 * Drivers} is the set that a process serves.
 *
 * @param name name of the driver, from which all is made that PersistentVolumes, classes, pods and
 *     Nodes carry
 * @param group API group of its LogicalVolumes, from which all is made that these carry; the
 *     driver's name, but for one whose LogicalVolumes were converted
 */
public record Driver(String name, String group) {
    /** TopoLVM's current name, and ours. */
    public static final Driver TOPOLVM = new Driver("topolvm.io");

    /** The name in clusters that were set up with a very old TopoLVM. */
    public static final Driver LEGACY = new Driver("topolvm.cybozu.com");

    /**
     * The old name once its LogicalVolumes are ours: PersistentVolumes keep it for ever, and the
     * volumes that they name are in our group.
     */
    public static final Driver CONVERTED = new Driver(LEGACY.name, TOPOLVM.group);

    /** Stands for the default device class in a capacity annotation. */
    public static final String DEFAULT_CLASS_KEY = "00default";

    /** Stands among the capacity annotations for no class: its value names the thick ones. */
    private static final String THICK_CLASSES_KEY = "00thick";

    /** Stands among them for no class either: its value counts volumes. */
    private static final String VOLUME_COUNTS_KEY = "00volumes";

    /** Checks that there is a name. */
    public Driver {
        if (name.isEmpty() || group.isEmpty()) {
            throw new IllegalArgumentException("a driver needs a name and a group");
        }
    }

    /** Makes one whose LogicalVolumes are in the group of its name. */
    public Driver(String name) {
        this(name, name);
    }

    public ResourceType logicalVolumes() {
        return new ResourceType(group, "v1", "LogicalVolume", "logicalvolumes", false);
    }

    /** Returns the Node label, set by kubelet, that says where a volume is. */
    public String topologyKey() {
        return "topology." + name + "/node";
    }

    /** Returns the prefix of the Node annotations that report the free bytes of device classes. */
    public String capacityPrefix() {
        return "capacity." + name + "/";
    }

    /** Returns the Node annotation with the free bytes of a class; empty is the default class. */
    public String capacityAnnotation(String deviceClass) {
        return capacityPrefix() + (deviceClass.isEmpty() ? DEFAULT_CLASS_KEY : deviceClass);
    }

    /**
     * Returns the Node annotation that names the thick classes of a node whose agent takes
     * snapshots of their volumes, separated by commas, each as {@link #capacityAnnotation} names
     * it.
     */
    public String thickClassesAnnotation() {
        return capacityPrefix() + THICK_CLASSES_KEY;
    }

    /**
     * Returns the Node annotation with the {@link VolumeCounts} of all volume groups of a node; it
     * is missing while the agent does not know them.
     */
    public String volumeCountsAnnotation() {
        return capacityPrefix() + VOLUME_COUNTS_KEY;
    }

    /**
     * Returns the device class of a Node annotation, which is {@link #DEFAULT_CLASS_KEY} for the
     * default class; empty if it does not say how much room a class has.
     */
    public Optional<String> classOf(String annotation) {
        return Optional.of(annotation)
                .filter(key -> key.startsWith(capacityPrefix()))
                .map(key -> key.substring(capacityPrefix().length()))
                .filter(key -> !key.equals(THICK_CLASSES_KEY) && !key.equals(VOLUME_COUNTS_KEY));
    }

    /** Returns the extended resource of a pod that makes kube-scheduler ask the extender. */
    public String capacityResource() {
        return name + "/capacity";
    }

    /** Returns the finalizer by which a node keeps a LogicalVolume until its disk is freed. */
    public String volumeFinalizer() {
        return group + "/logicalvolume";
    }

    /** Returns the finalizer of a Node that has volumes. */
    public String nodeFinalizer() {
        return name + "/node";
    }

    /** Returns the obsolete finalizer of claims, which is removed on sight. */
    public String obsoleteClaimFinalizer() {
        return name + "/pvc";
    }

    /** Returns the StorageClass parameter that names a device class. */
    public String deviceClassParameter() {
        return name + "/device-class";
    }

    /** Returns the StorageClass parameter that names a class of lvcreate options. */
    public String optionClassParameter() {
        return name + "/lvcreate-option-class";
    }

    /** Returns the LogicalVolume annotation whose change wakes the node to grow the volume. */
    public String resizeRequestedAnnotation() {
        return group + "/resize-requested-at";
    }

    /**
     * Returns the Pod annotation whose change wakes kubelet to grow a filesystem: the same for all
     * drivers, as in TopoLVM.
     */
    public String filesystemResizeRequestedAnnotation() {
        return TOPOLVM.name + "/last-resizefs-requested-at";
    }

    /** Returns the annotation that says: the volume's node is gone, do not touch LVM for it. */
    public String pendingDeletionAnnotation() {
        return group + "/pendingdeletion";
    }

    /**
     * Returns the annotation of a LogicalVolume whose claim has no PersistentVolume yet: {@code
     * namespace/name/uid}. It records the intent, so that a later start can finish or clean up.
     */
    public String claimAnnotation() {
        return group + "/provisioning-claim";
    }

    /**
     * Returns the annotation of a LogicalVolume with the claim that it was made for, {@code
     * namespace/name}. It is for people: nothing is decided by it.
     */
    public String claimNameAnnotation() {
        return group + "/claim";
    }

    /**
     * Returns the annotation of a LogicalVolume with the UID of the claim that it was made for, if
     * its name does not end in that. Nothing is decided by it.
     */
    public String claimUidAnnotation() {
        return group + "/claim-uid";
    }

    /**
     * Returns the annotation of a LogicalVolume that was handed out, with the id of its volume. The
     * status is lost when an object is made again from a backup; this is not.
     */
    public String volumeIdAnnotation() {
        return group + "/volume-id";
    }

    /** Returns the snapshot annotation that holds the id of the volume it was taken from. */
    public String sourceVolumeAnnotation() {
        return group + "/source-volume-id";
    }

    /**
     * Returns the annotation of a snapshot of a thick volume with the bytes that are reserved for
     * its store.
     */
    public String snapshotStoreAnnotation() {
        return group + "/snapshot-store";
    }

    /**
     * Returns the annotation of a LogicalVolume that says how pods see it: {@code Block} or {@code
     * Filesystem}. Without it the volume counts as one that a pod may read as a raw device.
     */
    public String volumeModeAnnotation() {
        return group + "/volume-mode";
    }

    /**
     * Returns the annotation of a LogicalVolume that is a copy: how pods see, or saw, what it is a
     * copy of, if that is known.
     */
    public String sourceModeAnnotation() {
        return group + "/source-volume-mode";
    }

    /**
     * Returns the annotation of a LogicalVolume by which a person allows its node to make a
     * filesystem in place of what is on the volume. Its value is the volume's UUID in LVM; the node
     * takes it away before it begins.
     */
    public String allowFormatAnnotation() {
        return group + "/allow-format";
    }

    /**
     * Returns the annotation of a LogicalVolume with the largest size that its caller accepts, in
     * bytes: the node, which knows the extents, makes or grows it no larger.
     */
    public String sizeLimitAnnotation() {
        return name + "/size-limit";
    }

    /**
     * Returns the annotation of a LogicalVolume with the attributes that it is to have, see {@link
     * lvms.api.attribute.AttributeChange}.
     */
    public String attributesAnnotation() {
        return name + "/attributes";
    }

    /** Returns the annotation of a LogicalVolume with the attributes that its node gave it. */
    public String appliedAttributesAnnotation() {
        return name + "/attributes-applied";
    }

    /** Returns the annotation of a LogicalVolume that says why attributes were refused. */
    public String refusedAttributesAnnotation() {
        return name + "/attributes-refused";
    }

    /**
     * Returns the annotation of a snapshot that is to be of the same instant as others, see {@link
     * lvms.api.snapshot.SnapshotGroup}.
     */
    public String snapshotGroupAnnotation() {
        return group + "/snapshot-group";
    }

    /**
     * Returns the annotation by which a node says that it took a snapshot together with the others
     * of the group that the annotation names. One that does not know of groups says nothing.
     */
    public String takenInGroupAnnotation() {
        return group + "/taken-in-group";
    }

    /** Returns the annotation with the time at which a node had taken a snapshot. */
    public String takenAtAnnotation() {
        return group + "/taken-at";
    }
}
