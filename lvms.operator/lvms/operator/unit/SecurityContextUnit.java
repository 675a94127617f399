package lvms.operator.unit;

import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.Deletion;
import lvms.k8s.client.KubeClient;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.Tree;
import lvms.operator.agent.AgentConstraints;

import java.time.Duration;

/**
 * Owns the SecurityContextConstraints without which OpenShift refuses the pods of the node agents.
 * MicroShift may be built without that type.
 *
 * @param applier writes
 * @param kube says whether the type is there
 * @param constraints the one of this name
 */
public record SecurityContextUnit(Applier applier, KubeClient kube, Informer constraints)
        implements ReconcileUnit {
    private static final Duration POLL = Duration.ofSeconds(10);

    // The predecessor allows the host's IPC namespace as well, which no pod of ours asks for. The
    // type requires every field up to volumes, and an apply cannot send a null.
    private static final String RULES =
            """
            {
              "allowPrivilegedContainer": true,
              "allowHostDirVolumePlugin": true,
              "allowHostPID": true,
              "allowHostIPC": false,
              "allowHostNetwork": false,
              "allowHostPorts": false,
              "readOnlyRootFilesystem": false,
              "requiredDropCapabilities": [],
              "defaultAddCapabilities": [],
              "allowedCapabilities": [],
              "priority": 0,
              "runAsUser": {"type": "RunAsAny"},
              "seLinuxContext": {"type": "MustRunAs"},
              "fsGroup": {"type": "MustRunAs"},
              "supplementalGroups": {"type": "RunAsAny"},
              "volumes": ["configMap", "emptyDir", "hostPath", "secret"]
            }
            """;

    @Override
    public String name() {
        return "openshiftSccs";
    }

    /** Returns the object that the cluster asks for. */
    public static KubeObject desired(LvmCluster cluster) {
        var account = "system:serviceaccount:" + cluster.namespace() + ":" + Names.VG_MANAGER;
        var rules = Json.parse(RULES).asObject().toBuilder();
        KubeObject.create(AgentConstraints.TYPE, AgentConstraints.KEY)
                .json()
                .members()
                .forEach(rules::put);
        return KubeObject.of(rules.build())
                .with(Trees.of(Names.ownedBy(cluster)), "metadata", "labels")
                .with(ListTree.of(Tree.of(account)), "users");
    }

    @Override
    public Outcome apply(LvmCluster cluster) throws ApiException, InterruptedException {
        if (!kube.serves(AgentConstraints.TYPE)) {
            return new Outcome.Converged();
        }
        constraints.start();
        applier.apply(desired(cluster), constraints);
        return new Outcome.Converged();
    }

    @Override
    public Outcome remove(LvmCluster cluster) throws ApiException, InterruptedException {
        if (!kube.serves(AgentConstraints.TYPE)) {
            return new Outcome.Converged();
        }
        var present =
                applier.read(AgentConstraints.KEY, constraints)
                        .filter(object -> Trees.isOwned(object, cluster));
        return present.isPresent()
                        && applier.delete(AgentConstraints.TYPE, present.get())
                                == Deletion.IN_PROGRESS
                ? new Outcome.Pending(AgentConstraints.KEY.name() + " is terminating", POLL)
                : new Outcome.Converged();
    }
}
