package lvms.operator.nativestor;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.LvmCluster;
import lvms.api.LvmClusterStatus;
import lvms.api.Names;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.tree.ObjectTree;
import lvms.operator.agent.AgentSettings;
import lvms.operator.informer.OperatorInformers;

import java.util.List;
import java.util.Optional;

/**
 * What users of NativeStor brought along, as the rest of the operator sees it: their settings, and
 * the TopolvmCluster that is in charge. Any thread may use it.
 *
 * @param settings follows the settings
 * @param clusters TopolvmClusters of all namespaces, to tell people when one is in a wrong one
 * @param informers what else is followed
 * @param namespace namespace of the operator
 */
public record NativeStor(
        SettingWatch settings, Informer clusters, OperatorInformers informers, String namespace) {
    private static final ObjectKey OLD_DRIVER = ObjectKey.cluster(Driver.CONVERTED.name());

    /**
     * Returns how the node agents are run. NativeStor looked for devices wherever it was installed:
     * here its ConfigMap or a TopolvmCluster tells.
     */
    public AgentSettings agents(AgentSettings usual) {
        var now = settings.now();
        var agents = now.agents(usual);
        boolean installed = !now.source().isEmpty() || inCharge().isPresent();
        return agents.features(
                agents.features()
                        .and(
                                installed,
                                now.rawDevice(),
                                oldDriver().flatMap(Drivers::marked).isPresent()));
    }

    /** Returns the CSIDriver of the old driver, if there is one. */
    public Optional<KubeObject> oldDriver() {
        return informers.csiDrivers().get(OLD_DRIVER);
    }

    /** Returns the cluster with what the settings ask for besides. */
    public LvmCluster asServed(LvmCluster cluster) {
        return settings.now().cluster(cluster);
    }

    /** Returns the TopolvmCluster that was accepted, as a unit that all clusters share sees it. */
    public Optional<LvmCluster> inCharge() {
        return clusters.list().stream()
                .filter(c -> holds(c, TopolvmCluster.FINALIZER))
                .findFirst()
                .map(this::view);
    }

    /**
     * Returns a TopolvmCluster as a unit sees it that serves an LVMCluster, too: an owner without
     * device classes. NativeStor looks for devices on every node, so its agents are on every node.
     */
    public LvmCluster view(KubeObject cluster) {
        return asServed(
                new LvmCluster(
                        cluster, List.of(), List.of(), LvmClusterStatus.of(ObjectTree.EMPTY)));
    }

    /** Returns the LVMCluster that owns what both need, if there is one. */
    public Optional<KubeObject> lvmCluster() {
        return informers.clusters().list().stream()
                .filter(c -> holds(c, Names.CLUSTER_FINALIZER))
                .findFirst();
    }

    private boolean holds(KubeObject cluster, String finalizer) {
        return cluster.namespace().equals(namespace) && cluster.finalizers().contains(finalizer);
    }

    public void start() {
        settings.start();
        clusters.start();
    }

    /** Returns whether it is known what there is. */
    public boolean ready() {
        return settings.ready() && clusters.following();
    }

    public void close() {
        settings.close();
        clusters.close();
    }
}
