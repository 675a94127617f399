package lvms.operator.uninstall;

import static lvms.api.Names.DEFAULT_NAMESPACE;
import static lvms.api.Names.OPERATOR;
import static lvms.api.Names.VG_MANAGER;

import lvms.api.Driver;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.k8s.admission.WebhookConfiguration;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The objects that {@code deploy} and the folders in it name, in the order in which they go. */
public final class Manifests {
    public static final ResourceType ROLE = rbac("Role", "roles", true);
    public static final ResourceType ROLE_BINDING = rbac("RoleBinding", "rolebindings", true);
    public static final ResourceType CLUSTER_ROLE = rbac("ClusterRole", "clusterroles", false);
    public static final ResourceType CLUSTER_ROLE_BINDING =
            rbac("ClusterRoleBinding", "clusterrolebindings", false);
    static final ResourceType POLICY =
            admission("ValidatingAdmissionPolicy", "validatingadmissionpolicies");
    public static final ResourceType POLICY_BINDING =
            admission("ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings");
    public static final ResourceType DISRUPTION_BUDGET =
            new ResourceType("policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets", true);

    /** What an uninstallation ends with: while one has objects, there is something to finish. */
    static final List<ResourceType> KINDS =
            List.of(
                    LvmCluster.TYPE,
                    LvmVolumeGroup.TYPE,
                    LvmVolumeGroupNodeStatus.TYPE,
                    Driver.TOPOLVM.logicalVolumes());

    private static final List<String> FOR_PEOPLE = List.of("lvms-viewer", "lvms-editor");
    private static final List<String> POLICIES =
            List.of(
                    "lvms-in-use",
                    "lvms-volumes-in-use",
                    "lvms-groups-in-use",
                    "lvms-nodes-in-use",
                    "lvms-operator-own-objects",
                    "lvms-operator-own-agents",
                    "vg-manager-own-node");

    /**
     * One of them.
     *
     * @param type its kind
     * @param key its name
     */
    public record Entry(ResourceType type, ObjectKey key) {
        /** Returns whether the operator cannot work without it. */
        boolean needed() {
            return type != DISRUPTION_BUDGET && !FOR_PEOPLE.contains(key.name());
        }
    }

    private Manifests() {}

    private static ResourceType rbac(String kind, String plural, boolean namespaced) {
        return new ResourceType("rbac.authorization.k8s.io", "v1", kind, plural, namespaced);
    }

    private static ResourceType admission(String kind, String plural) {
        return new ResourceType("admissionregistration.k8s.io", "v1", kind, plural, false);
    }

    /**
     * What {@code deploy} names, or a folder that installs it in another namespace; the namespace
     * is the last.
     */
    public static List<Entry> installed(String namespace) {
        var entries = new ArrayList<Entry>();
        entries.add(new Entry(Types.DEPLOYMENT, ObjectKey.of(namespace, OPERATOR)));
        entries.add(new Entry(DISRUPTION_BUDGET, ObjectKey.of(namespace, OPERATOR)));
        entries.add(new Entry(Types.NETWORK_POLICY, ObjectKey.of(namespace, "lvms-no-ingress")));
        for (var account : List.of(OPERATOR, VG_MANAGER)) {
            var inNamespace = ObjectKey.of(namespace, account);
            entries.add(new Entry(ROLE_BINDING, inNamespace));
            entries.add(new Entry(ROLE, inNamespace));
            entries.add(new Entry(CLUSTER_ROLE_BINDING, ObjectKey.cluster(account)));
            entries.add(new Entry(CLUSTER_ROLE, ObjectKey.cluster(account)));
            entries.add(new Entry(Types.SERVICE_ACCOUNT, inNamespace));
        }
        for (var role : FOR_PEOPLE) {
            entries.add(new Entry(CLUSTER_ROLE, ObjectKey.cluster(role)));
        }
        for (var kind : KINDS) {
            entries.add(new Entry(Types.CRD, ObjectKey.cluster(kind.qualifiedPlural())));
        }
        entries.add(new Entry(Types.NAMESPACE, ObjectKey.cluster(namespace)));
        return entries;
    }

    /** The folder whose manifests install into a namespace; its guard is in a folder in it. */
    public static String folder(String namespace) {
        return namespace.equals(DEFAULT_NAMESPACE) ? "deploy" : "deploy/" + namespace;
    }

    /** What {@code deploy/guard} names. */
    public static List<Entry> guard() {
        return POLICIES.stream()
                .map(ObjectKey::cluster)
                .flatMap(key -> Stream.of(new Entry(POLICY_BINDING, key), new Entry(POLICY, key)))
                .toList();
    }

    /** What {@code deploy/admission} names, but for what goes with the namespace. */
    public static List<Entry> webhooks() {
        var mutating = WebhookConfiguration.mutating("lvms-mutating-webhook-configuration");
        var validating = WebhookConfiguration.validating("lvms-validating-webhook-configuration");
        var right = ObjectKey.cluster("lvms-webhook-certificate");
        return List.of(
                new Entry(mutating.type(), mutating.key()),
                new Entry(validating.type(), validating.key()),
                new Entry(CLUSTER_ROLE_BINDING, right),
                new Entry(CLUSTER_ROLE, right));
    }
}
