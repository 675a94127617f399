package lvms.tests.lab.standin;

import static lvms.tests.lab.standin.Trees.list;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.OwnerReference;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;

/**
 * The pods that a workload asks for. A pod carries the hash of the template that it was made from.
 *
 * @param owner the workload, with {@code spec.template}
 */
record PodTemplate(KubeObject owner) {
    private static final String HASH = "controller-revision-hash";

    /** Hash of the template as it is now. */
    String hash() {
        return Integer.toHexString(owner.object("spec", "template").orElseThrow().hashCode());
    }

    /** Whether the pod was made from the template as it is now. */
    boolean made(KubeObject pod) {
        return pod.label(HASH).orElse("").equals(hash());
    }

    /** A pod that is not created yet. */
    KubeObject pod() {
        var template = owner.object("spec", "template").orElseThrow();
        var metadata = template.object("metadata").orElse(ObjectTree.EMPTY).toBuilder();
        metadata.remove("creationTimestamp");
        metadata.put("namespace", owner.namespace());
        metadata.put("generateName", owner.name() + "-");
        metadata.put("ownerReferences", list(OwnerReference.controllerOf(owner).json()));
        return KubeObject.create(Types.POD, ObjectKey.of(owner.namespace(), ""))
                .with(metadata.build(), "metadata")
                .with(hash(), "metadata", "labels", HASH)
                .with(template.at("spec"), "spec");
    }
}
