package lvms.operator.cluster;

import lvms.api.LvmCluster;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.operator.agent.AgentSettings;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.nativestor.NativeStor;
import lvms.operator.nativestor.RawDeviceUse;
import lvms.operator.openshift.TlsProfile;
import lvms.operator.unit.Applier;
import lvms.operator.unit.ReconcileUnit;
import lvms.operator.unit.SharedUnit;

import java.util.List;
import java.util.Optional;

/**
 * The node agents of all clusters, and how they are run. There is one of it for each operator,
 * since it remembers what was applied last.
 */
public final class AgentFleet {
    private final KubeClient kube;
    private final OperatorInformers informers;
    private final ClusterSettings settings;
    private final Optional<NativeStor> nativeStor;
    private final Applier applier;
    private final Premises premises;
    private final Optional<RawDeviceUse> rawDevices;

    /**
     * Makes it; nothing is sent.
     *
     * @param nativeStor what users of NativeStor brought along, if that counts
     */
    public AgentFleet(
            KubeClient kube,
            OperatorInformers informers,
            ClusterSettings settings,
            Optional<NativeStor> nativeStor) {
        this.kube = kube;
        this.informers = informers;
        this.settings = settings;
        this.nativeStor = nativeStor;
        this.applier = new Applier(kube);
        this.premises = new Premises(kube, settings);
        this.rawDevices = nativeStor.map(stor -> new RawDeviceUse(kube, stor));
    }

    /** Returns what writes the objects of clusters. */
    public Applier applier() {
        return applier;
    }

    public ClusterSettings settings() {
        return settings;
    }

    /** Returns how an agent is run now. */
    public AgentSettings agents() {
        return nativeStor.map(stor -> stor.agents(settings.agents())).orElse(settings.agents());
    }

    /** Returns the cluster with what others ask for besides. */
    LvmCluster asServed(LvmCluster cluster) {
        return nativeStor.map(stor -> stor.asServed(cluster)).orElse(cluster);
    }

    /** Returns the units of what every cluster needs; asks for the premises the first time. */
    public SharedUnits units() throws ApiException, InterruptedException {
        var flags = informers.tls().profile().map(TlsProfile::flags).orElse(List.of());
        var wanted = agents().tls(flags);
        var agents = rawDevices.isEmpty() ? wanted : rawDevices.get().kept(wanted);
        return SharedUnits.of(kube, applier, informers, premises, agents);
    }

    /** Returns the units of an LVMCluster, which shares some of them with a TopolvmCluster. */
    ClusterUnits unitsOfLvmCluster() throws ApiException, InterruptedException {
        var units = units();
        var shared = nativeStor.map(stor -> units.each(unit -> shared(unit, stor))).orElse(units);
        return ClusterUnits.of(kube, applier, informers, shared);
    }

    private SharedUnit shared(ReconcileUnit unit, NativeStor stor) {
        return new SharedUnit(
                unit,
                stor::inCharge,
                heir ->
                        LiveCluster.find(
                                        kube,
                                        TopolvmCluster.TYPE,
                                        Optional.of(heir.object()),
                                        TopolvmCluster.FINALIZER)
                                .isPresent());
    }
}
