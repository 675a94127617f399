package lvms.operator.admission;

import lvms.api.DiscoveryPolicy;
import lvms.k8s.admission.Admission;
import lvms.k8s.admission.AdmissionAnswer;
import lvms.k8s.admission.AdmissionRequest;
import lvms.k8s.client.JsonPatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.util.Optional;

/**
 * Writes into a new LVMCluster that a class without paths takes the disks that are there now, and
 * none that come later. The API server has not checked the object against its schema yet.
 */
public record ClusterDefaults() implements Admission {
    private static final String POLICY = "deviceDiscoveryPolicy";
    private static final String[] CLASSES = {"spec", "storage", "deviceClasses"};

    @Override
    public AdmissionAnswer judge(AdmissionRequest request) {
        return request.object()
                .filter(_ -> request.operation().equals("CREATE"))
                .flatMap(ClusterDefaults::patch)
                .map(AdmissionAnswer::patched)
                .orElse(AdmissionAnswer.allowed());
    }

    private static Optional<JsonPatch> patch(KubeObject cluster) {
        var classes = ListTree.builder();
        boolean changed = false;
        for (var deviceClass : cluster.list(CLASSES)) {
            boolean silent = deviceClass instanceof ObjectTree fields && saysNothing(fields);
            changed |= silent;
            classes.add(silent ? withPolicy(deviceClass.asObject()) : deviceClass);
        }
        return changed
                ? Optional.of(JsonPatch.create().replace(classes.build(), CLASSES))
                : Optional.empty();
    }

    private static boolean saysNothing(ObjectTree deviceClass) {
        return deviceClass.text(POLICY).isEmpty()
                && deviceClass.list("deviceSelector", "paths").isEmpty()
                && deviceClass.list("deviceSelector", "optionalPaths").isEmpty();
    }

    private static Tree withPolicy(ObjectTree deviceClass) {
        return deviceClass.toBuilder().put(POLICY, DiscoveryPolicy.STATIC.text()).build();
    }
}
