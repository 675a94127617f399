package lvms.api;

import lvms.k8s.object.ResourceType;

/**
 * The CSI driver and the names that are made from its name.
 *
 * @param name driver name: {@code topolvm.io}, or {@code topolvm.cybozu.com} in clusters that were
 *     set up with TopoLVM's old name
 */
public record Driver(String name) {
    /** The driver under its present name. */
    public static final Driver TOPOLVM = new Driver("topolvm.io");

    /** Returns the type of the objects that stand for logical volumes. */
    public ResourceType logicalVolumes() {
        return new ResourceType(name, "v1", "LogicalVolume", "logicalvolumes", false);
    }

    /** Returns the label that names a volume's node. */
    public String topologyKey() {
        return "topology." + name + "/node";
    }

    /** Returns what precedes the device class in a node's capacity annotation. */
    public String capacityPrefix() {
        return "capacity." + name + "/";
    }

    /** Returns the finalizer with which the node agent keeps a LogicalVolume. */
    public String volumeFinalizer() {
        return name + "/logicalvolume";
    }

    /** Returns the class parameter that names a device class. */
    public String deviceClassParameter() {
        return name + "/device-class";
    }

    /** Returns the class parameter that names a class of lvcreate options. */
    public String optionClassParameter() {
        return name + "/lvcreate-option-class";
    }

    /** Returns the annotation whose change wakes the node to grow a volume. */
    public String resizeRequestedAnnotation() {
        return name + "/resize-requested-at";
    }

    /**
     * Returns the annotation that marks a volume made for a claim for which no PersistentVolume was
     * written yet: {@code namespace/name/uid}. It is the written intent from which a later start
     * either finishes or cleans up.
     */
    public String claimAnnotation() {
        return name + "/provisioning-claim";
    }

    /** Returns the annotation of a snapshot that keeps the id of the volume it was cut from. */
    public String sourceVolumeAnnotation() {
        return name + "/source-volume-id";
    }
}
