package lvms.api;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.OwnerReference;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Names, keys and words that the cluster sees and that do not contain a driver's name; those that
 * do are in {@link Driver}. They are the same as in the predecessors.
 */
public final class Names {
    /** API group of our other kinds. */
    public static final String LVM_GROUP = "lvm.topolvm.io";

    /** API version of our other kinds. */
    public static final String LVM_VERSION = "v1alpha1";

    /** Namespace that our manifests install to. */
    public static final String DEFAULT_NAMESPACE = "lvms-system";

    /** Name of the operator's Deployment, ServiceAccount, and field manager. */
    public static final String OPERATOR = "lvms-operator";

    /** Name of the node agent's DaemonSet, ServiceAccount, and field manager. */
    public static final String VG_MANAGER = "vg-manager";

    /** Prefix of the names of StorageClasses and VolumeSnapshotClasses. */
    public static final String CLASS_PREFIX = "lvms-";

    /** Tag of our volume groups in LVM. */
    public static final String VOLUME_GROUP_TAG = "lvms";

    /** Tag of a volume group whose disk has grown, in LVM, until its thin pool has its share. */
    public static final String GROWN_TAG = "lvms-disk-grown";

    /**
     * Tag of a volume group that people made and whose physical volumes do not take all of their
     * disks, in LVM: they stay as they are.
     */
    public static final String KEPT_SIZES_TAG = "lvms-kept-sizes";

    /** Tag of the thin pools that the node agent made, in LVM: it may grow those unasked. */
    public static final String POOL_TAG = "lvms-pool";

    /** Prefix of the tag that names the LogicalVolume object of a logical volume, for people. */
    public static final String VOLUME_NAME_TAG = "lvms.volume=";

    /** Lease of the operator's leader election. */
    public static final String OPERATOR_LEASE = "1136b8a6.topolvm.io";

    /** Finalizer of an LVMCluster. */
    public static final String CLUSTER_FINALIZER = "lvmcluster.topolvm.io";

    /** Finalizer of an LVMVolumeGroupNodeStatus. */
    public static final String NODE_STATUS_FINALIZER = "delete-protection.lvm.openshift.io";

    /** Prefix of the finalizer that each node sets on an LVMVolumeGroup. */
    public static final String NODE_CLEANUP_FINALIZER_PREFIX = "cleanup.vgmanager.node.topolvm.io/";

    /** Finalizer of an LVMVolumeGroup before 4.15; it is removed on sight. */
    public static final String LEGACY_VOLUME_GROUP_FINALIZER = "lvm.openshift.io/lvmvolumegroup";

    /** Prefix of the annotation that says that devices were wiped on a node. */
    public static final String WIPED_ANNOTATION_PREFIX = "wiped.devices.lvms.openshift.io/";

    /** Well-known label with the host name of a node. */
    public static final String HOSTNAME_LABEL = "kubernetes.io/hostname";

    /** Kubernetes' annotation of a PersistentVolume with the driver that made its volume. */
    public static final String PROVISIONED_BY_ANNOTATION = "pv.kubernetes.io/provisioned-by";

    /** Label that the node sets on a LogicalVolume, with value {@link #CREATED_BY}. */
    public static final String CREATED_BY_LABEL = "app.kubernetes.io/created-by";

    /** Value of {@link #CREATED_BY_LABEL}. */
    public static final String CREATED_BY = "topolvm-controller";

    /** Annotation of a claim with the node that the scheduler chose. */
    public static final String SELECTED_NODE_ANNOTATION = "volume.kubernetes.io/selected-node";

    /** Annotation of the StorageClass that is the default of the cluster. */
    public static final String DEFAULT_CLASS_ANNOTATION =
            "storageclass.kubernetes.io/is-default-class";

    /** StorageClass parameter: filesystem. */
    public static final String PARAMETER_FSTYPE = "csi.storage.k8s.io/fstype";

    /** The filesystems that a node makes and grows; the first one if a request names none. */
    public static final List<String> FILESYSTEMS = List.of("ext4", "xfs", "btrfs");

    /** Prefix of the labels that name the LVMCluster that a cluster-scoped object belongs to. */
    public static final String OWNED_BY_PREFIX = "owned-by.topolvm.io/";

    /** Condition: everything that the cluster needs exists. */
    public static final String CONDITION_RESOURCES = "ResourcesAvailable";

    /** Condition: every volume group is ready on every node. */
    public static final String CONDITION_VOLUME_GROUPS = "VolumeGroupsReady";

    /**
     * Annotation of an LVMCluster, and of the LVMVolumeGroupNodeStatus of each node: from which
     * level on operator and node agents log.
     */
    public static final String LOG_LEVEL_ANNOTATION = "lvms.topolvm.io/log-level";

    /** Annotation of the same objects: {@code text} or {@code json}. */
    public static final String LOG_FORMAT_ANNOTATION = "lvms.topolvm.io/log-format";

    /**
     * Annotation of an LVMVolumeGroupNodeStatus: version and commit of the node's agent, as in
     * {@code 1.2.0+4f0c...}.
     */
    public static final String BUILD_ANNOTATION = "lvms.topolvm.io/build";

    /**
     * Annotation of the same object: why devices that are suspended when the node's agent is killed
     * wait for the next agent. Not there if the agent's watchdog resumes them.
     */
    public static final String WATCHDOG_ANNOTATION = "lvms.topolvm.io/watchdog-obstacle";

    /**
     * Annotation of a Node: the device classes that get no new volumes there, separated by commas,
     * or {@code *} for all.
     */
    public static final String NO_NEW_VOLUMES_ANNOTATION = "lvms.topolvm.io/no-new-volumes";

    /**
     * Annotation of a claim or a StorageClass: with {@code true}, a claim may be deleted with its
     * volume when its node is cordoned. That of the claim wins.
     */
    public static final String DISPOSABLE_ANNOTATION = "lvms.topolvm.io/disposable";

    /**
     * Taint of a new Node that keeps pods away until its agent is there. The agents tolerate it;
     * other keys have to be among the tolerations of the LVMCluster.
     */
    public static final String STARTUP_TAINT = "lvms.topolvm.io/agent-not-ready";

    /** Environment variable with the namespace of a pod. */
    public static final String ENV_NAMESPACE = "NAMESPACE";

    /** Environment variable with the name of a pod. */
    public static final String ENV_NAME = "NAME";

    /** Environment variable with the node of a pod. */
    public static final String ENV_NODE_NAME = "NODE_NAME";

    private Names() {}

    /** Returns the name of the StorageClass and VolumeSnapshotClass of a device class. */
    public static String classOf(String deviceClass) {
        return CLASS_PREFIX + deviceClass;
    }

    /** Returns the finalizer of a node on an LVMVolumeGroup. */
    public static String nodeCleanupFinalizer(String node) {
        return NODE_CLEANUP_FINALIZER_PREFIX + node;
    }

    /** Returns the annotation of an LVMVolumeGroup whose devices were wiped on the node. */
    public static String wipedAnnotation(String node) {
        return WIPED_ANNOTATION_PREFIX + node;
    }

    /** Returns those annotations that say how to log. */
    public static Map<String, String> logAnnotations(KubeObject object) {
        var found = new TreeMap<String, String>();
        for (var key : List.of(LOG_LEVEL_ANNOTATION, LOG_FORMAT_ANNOTATION)) {
            object.annotation(key).ifPresent(value -> found.put(key, value));
        }
        return found;
    }

    /** Returns the labels of objects that belong to a cluster but cannot have it as owner. */
    public static Map<String, String> ownedBy(LvmCluster cluster) {
        return ownedBy(cluster.object());
    }

    /** The same for a cluster of any kind. */
    public static Map<String, String> ownedBy(KubeObject cluster) {
        var owner = OwnerReference.controllerOf(cluster);
        var version = owner.apiVersion().substring(owner.group().length() + 1);
        return Map.of(
                OWNED_BY_PREFIX + "name", owner.name(),
                OWNED_BY_PREFIX + "namespace", cluster.namespace(),
                OWNED_BY_PREFIX + "uid", owner.uid(),
                OWNED_BY_PREFIX + "group", owner.group(),
                OWNED_BY_PREFIX + "version", version,
                OWNED_BY_PREFIX + "kind", owner.kind());
    }
}
