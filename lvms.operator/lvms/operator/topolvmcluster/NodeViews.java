package lvms.operator.topolvmcluster;

import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.api.nativestor.NodeClasses;
import lvms.api.nativestor.Phase;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Toleration;
import lvms.operator.agent.AgentNodes;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.unit.AgentPods;
import lvms.operator.unit.NodeEligibility;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Looks at the nodes of a TopolvmCluster.
 *
 * @param kube reads the agents' pods
 * @param informers nodes and what their agents report
 */
record NodeViews(KubeClient kube, OperatorInformers informers) {
    /**
     * Where the agents are.
     *
     * @param nodes which nodes an agent can run on
     * @param tolerations taints that the agents tolerate
     */
    record Agents(AgentNodes nodes, List<Toleration> tolerations) {
        boolean on(KubeObject node) {
            return !nodes.among(List.of(node)).isEmpty()
                    && NodeEligibility.of(node, tolerations, Optional.empty()).hasAgent();
        }
    }

    /** Returns the nodes that the cluster is for, and those that have something of it, by name. */
    List<NodeView> of(
            TopolvmCluster cluster,
            List<WantedGroup> wanted,
            List<LeavingGroup> leaving,
            Agents agents)
            throws ApiException, InterruptedException {
        var names = new TreeSet<String>();
        cluster.spec().storage().deviceClasses().stream()
                .flatMap(List::stream)
                .map(NodeClasses::nodeName)
                .forEach(names::add);
        wanted.forEach(group -> group.node().ifPresent(names::add));
        if (wanted.stream().anyMatch(group -> group.node().isEmpty())) {
            informers.nodes().list().stream()
                    .filter(agents::on)
                    .map(KubeObject::name)
                    .forEach(names::add);
        }
        leaving.forEach(group -> names.addAll(nodesWith(group.group().name())));
        var phases = phases(cluster.namespace(), agents);
        return names.stream()
                .map(
                        name ->
                                NodeView.of(
                                        name,
                                        informers.nodes().get(ObjectKey.cluster(name)),
                                        Optional.ofNullable(phases.get(name)),
                                        report(cluster, name)))
                .toList();
    }

    /** Asks for pods only while one of them is not ready. */
    private Map<String, Phase> phases(String namespace, Agents agents)
            throws ApiException, InterruptedException {
        var daemonSet = informers.daemonSets().get(ObjectKey.of(namespace, Names.VG_MANAGER));
        if (daemonSet.filter(NodeViews::allReady).isPresent()) {
            return informers.nodes().list().stream()
                    .filter(agents::on)
                    .collect(Collectors.toMap(KubeObject::name, _ -> Phase.READY));
        }
        var phases = new HashMap<String, Phase>();
        new AgentPods(kube)
                .byNode(namespace)
                .forEach((node, pod) -> phases.put(node, NodeView.phaseOf(pod)));
        return phases;
    }

    private static boolean allReady(KubeObject daemonSet) {
        long desired = daemonSet.number("status", "desiredNumberScheduled").orElse(0);
        return desired > 0
                && daemonSet.number("status", "observedGeneration").orElse(0)
                        == daemonSet.generation()
                && daemonSet.number("status", "numberReady").orElse(0) == desired;
    }

    /** Returns the nodes that have the volume group of an LVMVolumeGroup, as ours. */
    List<String> nodesWith(String name) {
        return informers.nodeStatuses().list().stream()
                .map(LvmVolumeGroupNodeStatus::of)
                .filter(
                        status ->
                                status.volumeGroup(name)
                                        .filter(entry -> !entry.devices().isEmpty())
                                        .isPresent())
                .map(LvmVolumeGroupNodeStatus::node)
                .toList();
    }

    private Optional<LvmVolumeGroupNodeStatus> report(TopolvmCluster cluster, String node) {
        return informers
                .nodeStatuses()
                .get(ObjectKey.of(cluster.namespace(), node))
                .map(LvmVolumeGroupNodeStatus::of);
    }
}
