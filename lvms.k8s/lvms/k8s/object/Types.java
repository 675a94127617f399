package lvms.k8s.object;

/** The built-in and snapshot types that a storage driver uses. */
public final class Types {
    /** A cluster node. */
    public static final ResourceType NODE = core("Node", "nodes", false);

    public static final ResourceType POD = core("Pod", "pods", true);

    /** A persistent volume claim. */
    public static final ResourceType PVC =
            core("PersistentVolumeClaim", "persistentvolumeclaims", true);

    /** A persistent volume. */
    public static final ResourceType PV = core("PersistentVolume", "persistentvolumes", false);

    public static final ResourceType NAMESPACE = core("Namespace", "namespaces", false);

    public static final ResourceType SECRET = core("Secret", "secrets", true);

    public static final ResourceType CONFIG_MAP = core("ConfigMap", "configmaps", true);

    public static final ResourceType SERVICE_ACCOUNT =
            core("ServiceAccount", "serviceaccounts", true);

    public static final ResourceType SERVICE = core("Service", "services", true);

    public static final ResourceType STORAGE_CLASS =
            storage("StorageClass", "storageclasses", false);

    /** Attributes of volumes that can be changed; since Kubernetes 1.34. */
    public static final ResourceType VOLUME_ATTRIBUTES_CLASS =
            storage("VolumeAttributesClass", "volumeattributesclasses", false);

    /** A CSI driver registration. */
    public static final ResourceType CSI_DRIVER = storage("CSIDriver", "csidrivers", false);

    /** The CSI drivers of a node. */
    public static final ResourceType CSI_NODE = storage("CSINode", "csinodes", false);

    /** Free capacity of a storage class in a topology segment. */
    public static final ResourceType CSI_STORAGE_CAPACITY =
            storage("CSIStorageCapacity", "csistoragecapacities", true);

    /** The attachment of a volume to a node. */
    public static final ResourceType VOLUME_ATTACHMENT =
            storage("VolumeAttachment", "volumeattachments", false);

    public static final ResourceType DAEMON_SET =
            new ResourceType("apps", "v1", "DaemonSet", "daemonsets", true);

    public static final ResourceType DEPLOYMENT =
            new ResourceType("apps", "v1", "Deployment", "deployments", true);

    public static final ResourceType NETWORK_POLICY =
            new ResourceType("networking.k8s.io", "v1", "NetworkPolicy", "networkpolicies", true);

    /** An event of {@code events.k8s.io/v1}. */
    public static final ResourceType EVENT =
            new ResourceType("events.k8s.io", "v1", "Event", "events", true);

    public static final ResourceType LEASE =
            new ResourceType("coordination.k8s.io", "v1", "Lease", "leases", true);

    /** A custom resource definition. */
    public static final ResourceType CRD =
            new ResourceType(
                    "apiextensions.k8s.io",
                    "v1",
                    "CustomResourceDefinition",
                    "customresourcedefinitions",
                    false);

    public static final ResourceType VOLUME_SNAPSHOT =
            snapshot("VolumeSnapshot", "volumesnapshots", true);

    public static final ResourceType VOLUME_SNAPSHOT_CONTENT =
            snapshot("VolumeSnapshotContent", "volumesnapshotcontents", false);

    public static final ResourceType VOLUME_SNAPSHOT_CLASS =
            snapshot("VolumeSnapshotClass", "volumesnapshotclasses", false);

    /** Snapshots of several volumes at once, since external-snapshotter 8.6. */
    public static final ResourceType VOLUME_GROUP_SNAPSHOT_CONTENT =
            groupSnapshot("VolumeGroupSnapshotContent", "volumegroupsnapshotcontents");

    public static final ResourceType VOLUME_GROUP_SNAPSHOT_CLASS =
            groupSnapshot("VolumeGroupSnapshotClass", "volumegroupsnapshotclasses");

    private Types() {}

    private static ResourceType groupSnapshot(String kind, String plural) {
        return new ResourceType("groupsnapshot.storage.k8s.io", "v1", kind, plural, false);
    }

    private static ResourceType core(String kind, String plural, boolean namespaced) {
        return new ResourceType("", "v1", kind, plural, namespaced);
    }

    private static ResourceType storage(String kind, String plural, boolean namespaced) {
        return new ResourceType("storage.k8s.io", "v1", kind, plural, namespaced);
    }

    private static ResourceType snapshot(String kind, String plural, boolean namespaced) {
        return new ResourceType("snapshot.storage.k8s.io", "v1", kind, plural, namespaced);
    }
}
