package lvms.k8s.object;

/**
 * The built-in types of Kubernetes in the version that all supported servers have, or the first
 * stable one, and those of external-snapshotter. {@code KubeClient.types()} finds others on the
 * server.
 */
public final class Types {
    private static final String NETWORKING = "networking.k8s.io";
    private static final String RBAC = "rbac.authorization.k8s.io";
    private static final String FLOW_CONTROL = "flowcontrol.apiserver.k8s.io";
    private static final String RESOURCE = "resource.k8s.io";
    private static final String ADMISSION = "admissionregistration.k8s.io";

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

    /** Addresses behind a service, which nobody should write any more; see ENDPOINT_SLICE. */
    public static final ResourceType ENDPOINTS = core("Endpoints", "endpoints", true);

    public static final ResourceType LIMIT_RANGE = core("LimitRange", "limitranges", true);

    public static final ResourceType RESOURCE_QUOTA = core("ResourceQuota", "resourcequotas", true);

    public static final ResourceType POD_TEMPLATE = core("PodTemplate", "podtemplates", true);

    public static final ResourceType REPLICATION_CONTROLLER =
            core("ReplicationController", "replicationcontrollers", true);

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

    public static final ResourceType DAEMON_SET = apps("DaemonSet", "daemonsets");

    public static final ResourceType DEPLOYMENT = apps("Deployment", "deployments");

    public static final ResourceType REPLICA_SET = apps("ReplicaSet", "replicasets");

    public static final ResourceType STATEFUL_SET = apps("StatefulSet", "statefulsets");

    public static final ResourceType CONTROLLER_REVISION =
            apps("ControllerRevision", "controllerrevisions");

    public static final ResourceType JOB = namespaced("batch", "v1", "Job", "jobs");

    public static final ResourceType CRON_JOB = namespaced("batch", "v1", "CronJob", "cronjobs");

    public static final ResourceType HORIZONTAL_POD_AUTOSCALER =
            namespaced("autoscaling", "v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers");

    public static final ResourceType POD_DISRUPTION_BUDGET =
            namespaced("policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets");

    public static final ResourceType NETWORK_POLICY =
            namespaced(NETWORKING, "v1", "NetworkPolicy", "networkpolicies");

    public static final ResourceType INGRESS = namespaced(NETWORKING, "v1", "Ingress", "ingresses");

    public static final ResourceType INGRESS_CLASS =
            cluster(NETWORKING, "v1", "IngressClass", "ingressclasses");

    /** A range of addresses of services; since Kubernetes 1.33. */
    public static final ResourceType SERVICE_CIDR =
            cluster(NETWORKING, "v1", "ServiceCIDR", "servicecidrs");

    /** An address that a service has; since Kubernetes 1.33. */
    public static final ResourceType IP_ADDRESS =
            cluster(NETWORKING, "v1", "IPAddress", "ipaddresses");

    /** Some of the addresses behind a service. */
    public static final ResourceType ENDPOINT_SLICE =
            namespaced("discovery.k8s.io", "v1", "EndpointSlice", "endpointslices");

    public static final ResourceType ROLE = namespaced(RBAC, "v1", "Role", "roles");

    public static final ResourceType ROLE_BINDING =
            namespaced(RBAC, "v1", "RoleBinding", "rolebindings");

    public static final ResourceType CLUSTER_ROLE =
            cluster(RBAC, "v1", "ClusterRole", "clusterroles");

    public static final ResourceType CLUSTER_ROLE_BINDING =
            cluster(RBAC, "v1", "ClusterRoleBinding", "clusterrolebindings");

    public static final ResourceType PRIORITY_CLASS =
            cluster("scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses");

    public static final ResourceType RUNTIME_CLASS =
            cluster("node.k8s.io", "v1", "RuntimeClass", "runtimeclasses");

    /** Devices that pods ask for; since Kubernetes 1.34, as the three that follow. */
    public static final ResourceType RESOURCE_CLAIM =
            namespaced(RESOURCE, "v1", "ResourceClaim", "resourceclaims");

    public static final ResourceType RESOURCE_CLAIM_TEMPLATE =
            namespaced(RESOURCE, "v1", "ResourceClaimTemplate", "resourceclaimtemplates");

    /** What a claim can ask for. */
    public static final ResourceType DEVICE_CLASS =
            cluster(RESOURCE, "v1", "DeviceClass", "deviceclasses");

    /** Devices that a driver has on a node. */
    public static final ResourceType RESOURCE_SLICE =
            cluster(RESOURCE, "v1", "ResourceSlice", "resourceslices");

    public static final ResourceType FLOW_SCHEMA =
            cluster(FLOW_CONTROL, "v1", "FlowSchema", "flowschemas");

    public static final ResourceType PRIORITY_LEVEL_CONFIGURATION =
            cluster(
                    FLOW_CONTROL,
                    "v1",
                    "PriorityLevelConfiguration",
                    "prioritylevelconfigurations");

    public static final ResourceType VALIDATING_WEBHOOK_CONFIGURATION =
            cluster(
                    ADMISSION,
                    "v1",
                    "ValidatingWebhookConfiguration",
                    "validatingwebhookconfigurations");

    public static final ResourceType MUTATING_WEBHOOK_CONFIGURATION =
            cluster(
                    ADMISSION,
                    "v1",
                    "MutatingWebhookConfiguration",
                    "mutatingwebhookconfigurations");

    public static final ResourceType VALIDATING_ADMISSION_POLICY =
            cluster(ADMISSION, "v1", "ValidatingAdmissionPolicy", "validatingadmissionpolicies");

    public static final ResourceType VALIDATING_ADMISSION_POLICY_BINDING =
            cluster(
                    ADMISSION,
                    "v1",
                    "ValidatingAdmissionPolicyBinding",
                    "validatingadmissionpolicybindings");

    public static final ResourceType CERTIFICATE_SIGNING_REQUEST =
            cluster(
                    "certificates.k8s.io",
                    "v1",
                    "CertificateSigningRequest",
                    "certificatesigningrequests");

    /** How the API server reaches a server that serves a group for it. */
    public static final ResourceType API_SERVICE =
            cluster("apiregistration.k8s.io", "v1", "APIService", "apiservices");

    /** An event of {@code events.k8s.io/v1}. */
    public static final ResourceType EVENT = namespaced("events.k8s.io", "v1", "Event", "events");

    public static final ResourceType LEASE =
            namespaced("coordination.k8s.io", "v1", "Lease", "leases");

    /** A custom resource definition. */
    public static final ResourceType CRD =
            cluster(
                    "apiextensions.k8s.io",
                    "v1",
                    "CustomResourceDefinition",
                    "customresourcedefinitions");

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

    private static ResourceType namespaced(
            String group, String version, String kind, String plural) {
        return new ResourceType(group, version, kind, plural, true);
    }

    private static ResourceType cluster(String group, String version, String kind, String plural) {
        return new ResourceType(group, version, kind, plural, false);
    }

    private static ResourceType apps(String kind, String plural) {
        return namespaced("apps", "v1", kind, plural);
    }

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
