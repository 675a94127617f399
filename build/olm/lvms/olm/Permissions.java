package lvms.olm;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.k8s.yaml.Yaml;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What our accounts may do, by account. OLM makes accounts, roles and bindings of it, so those of
 * the manifests are used up.
 */
final class Permissions {
    /** Roles that every cluster has, and that the manifests bind our accounts to. */
    private static final Map<String, String> OF_KUBERNETES =
            Map.of(
                    "system:auth-delegator",
                    """
                    - apiGroups: [authentication.k8s.io]
                      resources: [tokenreviews]
                      verbs: [create]
                    - apiGroups: [authorization.k8s.io]
                      resources: [subjectaccessreviews]
                      verbs: [create]
                    """);

    private final Set<String> accounts;
    private final Map<String, KubeObject> roles;
    private final Map<String, List<Tree>> inside = new TreeMap<>();
    private final Map<String, List<Tree>> everywhere = new TreeMap<>();
    private final Set<KubeObject> used = new HashSet<>();

    /** Collects them from all objects of an installation. */
    Permissions(List<KubeObject> objects) {
        accounts =
                objects.stream()
                        .filter(o -> o.kind().equals("ServiceAccount"))
                        .map(KubeObject::name)
                        .collect(Collectors.toSet());
        roles =
                objects.stream()
                        .filter(o -> o.kind().equals("Role") || o.kind().equals("ClusterRole"))
                        .collect(Collectors.toMap(o -> o.kind() + "/" + o.name(), o -> o));
        for (var object : objects) {
            switch (object.kind()) {
                case "ServiceAccount" -> used.add(object);
                case "RoleBinding" -> bind(object, inside);
                case "ClusterRoleBinding" -> bind(object, everywhere);
                default -> {}
            }
        }
    }

    private void bind(KubeObject binding, Map<String, List<Tree>> rules) {
        var ours = new ArrayList<String>();
        var subjects = binding.objects("subjects");
        for (var subject : subjects) {
            if (subject.text("kind").orElseThrow().equals("ServiceAccount")
                    && accounts.contains(subject.text("name").orElseThrow())) {
                ours.add(subject.text("name").orElseThrow());
            }
        }
        if (ours.isEmpty()) {
            return;
        }
        if (ours.size() != subjects.size()) {
            throw new IllegalArgumentException(
                    binding.name() + " binds accounts of ours and others: split it");
        }
        var name = binding.text("roleRef", "name").orElseThrow();
        var role = roles.get(binding.text("roleRef", "kind").orElseThrow() + "/" + name);
        var added =
                role != null
                        ? role.list("rules").elements()
                        : Yaml.read(ofKubernetes(name)).asList().elements();
        ours.forEach(a -> rules.computeIfAbsent(a, _ -> new ArrayList<>()).addAll(added));
        used.add(binding);
        if (role != null) {
            used.add(role);
        }
    }

    private static String ofKubernetes(String role) {
        var rules = OF_KUBERNETES.get(role);
        if (rules == null) {
            throw new IllegalArgumentException("role " + role + " is not among the manifests");
        }
        return rules;
    }

    /** Returns whether OLM makes this object, or what does as well. */
    boolean use(KubeObject object) {
        return used.contains(object);
    }

    /** Returns the rules that hold in the operator's namespace. */
    ListTree inNamespace() {
        return listed(inside);
    }

    /** Returns the rules that hold everywhere. */
    ListTree everywhere() {
        return listed(everywhere);
    }

    private static ListTree listed(Map<String, List<Tree>> rules) {
        var list = ListTree.builder();
        rules.forEach(
                (account, its) ->
                        list.add(
                                ObjectTree.builder()
                                        .put("serviceAccountName", account)
                                        .put("rules", ListTree.of(its))
                                        .build()));
        return list.build();
    }
}
