package lvms.operator.preflight;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;
import lvms.operator.uninstall.Manifests;

import java.util.List;
import java.util.stream.Stream;

/** Asks the server what the caller may do; each may ask that about themselves. */
record Rights(KubeClient kube, String namespace) {
    private static final String SUBJECT = "rights";
    private static final String CURE = "use a kubeconfig with the role cluster-admin";
    private static final ResourceType REVIEW =
            new ResourceType(
                    "authorization.k8s.io",
                    "v1",
                    "SelfSubjectAccessReview",
                    "selfsubjectaccessreviews",
                    false);

    /** Checks whether everything that the manifests name may be created. */
    Check check() throws ApiException, InterruptedException {
        var missing = Stream.<String>builder();
        for (var type : types()) {
            if (!may("create", type)) {
                missing.add(type.qualifiedPlural());
            }
        }
        var names = missing.build().toList();
        if (!names.isEmpty()) {
            return Check.problem(SUBJECT, "you may not create " + String.join(", ", names), CURE);
        }
        return may("escalate", Types.CLUSTER_ROLE)
                ? Check.ok(SUBJECT, "you may create all that the manifests name")
                : Check.warning(
                        SUBJECT,
                        "you may only create roles with rights that you have yourself (no escalate"
                                + " of clusterroles), and the operator's and the agents' have many",
                        CURE);
    }

    private List<ResourceType> types() {
        return Stream.of(Manifests.installed(namespace), Manifests.guard())
                .flatMap(List::stream)
                .map(Manifests.Entry::type)
                .distinct()
                .toList();
    }

    private boolean may(String verb, ResourceType type) throws ApiException, InterruptedException {
        var attributes = ObjectTree.builder();
        attributes.put("verb", verb);
        attributes.put("group", type.group());
        attributes.put("resource", type.plural());
        if (type.namespaced()) {
            attributes.put("namespace", namespace);
        }
        var review = ObjectTree.builder();
        review.put("apiVersion", REVIEW.apiVersion());
        review.put("kind", REVIEW.kind());
        review.put("metadata", ObjectTree.EMPTY);
        review.put("spec", ObjectTree.EMPTY.with(attributes.build(), "resourceAttributes"));
        return kube.create(REVIEW, KubeObject.of(review.build()))
                .flag("status", "allowed")
                .orElse(false);
    }
}
