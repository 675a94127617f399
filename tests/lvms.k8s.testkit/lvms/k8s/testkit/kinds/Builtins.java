package lvms.k8s.testkit.kinds;

import lvms.k8s.testkit.kinds.Resource.Column;
import lvms.k8s.testkit.schema.BuiltinTypes;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The built-in resources: one row per resource. */
public final class Builtins {
    private static final String TABLE =
            """
            core v1 Namespace namespaces ns - C s
            core v1 Node nodes no - C s
            core v1 Pod pods po all N sg
            core v1 PersistentVolumeClaim persistentvolumeclaims pvc - N s
            core v1 PersistentVolume persistentvolumes pv - C s
            core v1 ConfigMap configmaps cm - N -
            core v1 Secret secrets - - N -
            core v1 ServiceAccount serviceaccounts sa - N -
            core v1 Binding bindings - - N c
            core v1 Service services svc all N s
            core v1 Event events ev - N -
            events.k8s.io v1 Event events ev - N -
            coordination.k8s.io v1 Lease leases - - N -
            storage.k8s.io v1 StorageClass storageclasses sc - C -
            storage.k8s.io v1 CSIDriver csidrivers - - C -
            storage.k8s.io v1 CSINode csinodes - - C -
            storage.k8s.io v1 CSIStorageCapacity csistoragecapacities - - N -
            storage.k8s.io v1 VolumeAttributesClass volumeattributesclasses vac - C -
            storage.k8s.io v1 VolumeAttachment volumeattachments - - C s
            apps v1 DaemonSet daemonsets ds all N sg
            apps v1 Deployment deployments deploy all N sgx
            apps v1 StatefulSet statefulsets sts all N sgx
            apps v1 ReplicaSet replicasets rs all N sgx
            batch v1 Job jobs - all N s
            networking.k8s.io v1 NetworkPolicy networkpolicies netpol - N -
            policy v1 PodDisruptionBudget poddisruptionbudgets pdb - N s
            rbac.authorization.k8s.io v1 Role roles - - N -
            rbac.authorization.k8s.io v1 RoleBinding rolebindings - - N -
            rbac.authorization.k8s.io v1 ClusterRole clusterroles - - C -
            rbac.authorization.k8s.io v1 ClusterRoleBinding clusterrolebindings - - C -
            admissionregistration.k8s.io v1 ValidatingAdmissionPolicy \
            validatingadmissionpolicies - api-extensions C sg
            admissionregistration.k8s.io v1 ValidatingAdmissionPolicyBinding \
            validatingadmissionpolicybindings - - C g
            admissionregistration.k8s.io v1 ValidatingWebhookConfiguration \
            validatingwebhookconfigurations - api-extensions C g
            admissionregistration.k8s.io v1 MutatingWebhookConfiguration \
            mutatingwebhookconfigurations - api-extensions C g
            apiextensions.k8s.io v1 CustomResourceDefinition \
            customresourcedefinitions crd,crds api-extensions C sg
            authentication.k8s.io v1 TokenReview tokenreviews - - C c
            authentication.k8s.io v1 SelfSubjectReview selfsubjectreviews - - C c
            authorization.k8s.io v1 SelfSubjectAccessReview selfsubjectaccessreviews - - C c
            authorization.k8s.io v1 SubjectAccessReview subjectaccessreviews - - C c
            """;

    /** Resources that need a resource version in a PUT. */
    private static final Set<String> WITH_VERSION =
            Set.of(
                    "customresourcedefinitions",
                    "csidrivers",
                    "csinodes",
                    "csistoragecapacities",
                    "leases");

    private static final Map<String, Set<String>> SELECTABLE =
            Map.of(
                    "pods",
                            Set.of(
                                    "spec.nodeName",
                                    "spec.restartPolicy",
                                    "spec.schedulerName",
                                    "spec.serviceAccountName",
                                    "spec.hostNetwork",
                                    "status.phase",
                                    "status.podIP",
                                    "status.nominatedNodeName"),
                    "nodes", Set.of("spec.unschedulable"),
                    "namespaces", Set.of("status.phase"),
                    "secrets", Set.of("type"),
                    "services", Set.of("spec.clusterIP", "spec.type"));

    private Builtins() {}

    /** All built-in resources, in the order of the table. */
    public static List<Resource> all() {
        var result = new ArrayList<Resource>();
        for (var row : TABLE.split("\n")) {
            result.add(resource(row.split(" ")));
        }
        return result;
    }

    private static Resource resource(String[] row) {
        var group = row[0].equals("core") ? "" : row[0];
        var kind = row[2];
        var plural = row[3];
        var traits = row[7];
        var rules = BuiltinRules.of(plural);
        return new Resource(
                group,
                row[1],
                kind,
                kind + "List",
                plural,
                kind.toLowerCase(Locale.ROOT),
                row[6].equals("N"),
                words(row[4]),
                words(row[5]),
                verbs(plural, traits),
                plural.equals("events") ? "events" : storage(group, plural),
                BuiltinTypes.instance().type(row[0].split("\\.")[0] + ".v1." + kind),
                true,
                traits.contains("s"),
                traits.contains("g"),
                !WITH_VERSION.contains(plural),
                traits.contains("x") ? Optional.of(scale()) : Optional.empty(),
                columns(plural),
                selectable(group, plural),
                rules);
    }

    /** Namespaces are deleted one by one. */
    private static List<String> verbs(String plural, String traits) {
        if (traits.contains("c")) {
            return List.of("create");
        }
        return plural.equals("namespaces")
                ? Resource.ALL_VERBS.stream().filter(v -> !v.equals("deletecollection")).toList()
                : Resource.ALL_VERBS;
    }

    /** The name under which a resource is stored. */
    public static String storage(String group, String plural) {
        return group + "/" + plural;
    }

    private static Resource.Scale scale() {
        return new Resource.Scale("spec.replicas", "status.replicas", "");
    }

    private static List<String> words(String text) {
        return text.equals("-") ? List.of() : List.of(text.split(","));
    }

    private static Map<String, String> selectable(String group, String plural) {
        if (plural.equals("events")) {
            return EventForms.selectable(group);
        }
        var result = new TreeMap<String, String>();
        SELECTABLE.getOrDefault(plural, Set.of()).forEach(name -> result.put(name, name));
        return result;
    }

    private static List<Column> columns(String plural) {
        return BuiltinColumns.of(plural);
    }
}
