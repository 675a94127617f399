package lvms.operator.unit;

import lvms.api.Driver;
import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.Deletion;
import lvms.k8s.client.KubeClient;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.agent.AgentSettings;
import lvms.operator.agent.OperatorImage;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Owns the DaemonSet of the node agent.
 *
 * @param applier writes
 * @param kube reads the ServiceAccount and pods
 * @param daemonSets DaemonSets of the namespace
 * @param image what the agents run from
 * @param settings how they are run
 * @param type what kind of cluster this is
 */
public record AgentUnit(
        Applier applier,
        KubeClient kube,
        Informer daemonSets,
        OperatorImage image,
        AgentSettings settings,
        ClusterType type)
        implements ReconcileUnit {
    private static final Duration POLL = Duration.ofSeconds(10);
    private static final int PERCENT = 100;
    private static final String[] ACCOUNT = {
        "spec",
        "template",
        "metadata",
        "annotations",
        Driver.TOPOLVM.name() + "/service-account-uid"
    };

    @Override
    public String name() {
        return "vgManager";
    }

    @Override
    public Outcome apply(LvmCluster cluster) throws ApiException, InterruptedException {
        var key = ObjectKey.of(cluster.namespace(), Names.VG_MANAGER);
        var desired = AgentDaemonSet.desired(cluster, image, settings, configFolder(key));
        applier.takeOver(withAccount(desired), daemonSets, FieldTakeover.WHOLE);
        var present = daemonSets.get(key);
        var reasons = new ArrayList<>(present.flatMap(AgentUnit::missing).stream().toList());
        if (present.isPresent()) {
            reasons.addAll(troubles(present.get()));
        }
        return reasons.isEmpty()
                ? new Outcome.Converged()
                : new Outcome.Pending(String.join("; ", reasons), POLL);
    }

    /** Nothing moves lvmd.yaml: where a DaemonSet has it, it stays, unless somebody says so. */
    private String configFolder(ObjectKey daemonSet) {
        return settings.paths()
                .config()
                .or(() -> daemonSets.get(daemonSet).flatMap(HostMount::config))
                .orElseGet(type::configFolder);
    }

    private List<String> troubles(KubeObject daemonSet) throws ApiException, InterruptedException {
        long desired = daemonSet.number("status", "desiredNumberScheduled").orElse(0);
        return daemonSet.number("status", "numberReady").orElse(0) >= desired
                ? List.of()
                : new AgentPods(kube).troubles(daemonSet.namespace(), desired);
    }

    /**
     * A pod's token ends with the ServiceAccount that it was for. A ServiceAccount that was deleted
     * and made again needs new pods, so its UID is a part of their template.
     */
    private KubeObject withAccount(KubeObject wanted) throws ApiException, InterruptedException {
        var account =
                kube.find(
                        Types.SERVICE_ACCOUNT, ObjectKey.of(wanted.namespace(), Names.VG_MANAGER));
        return account.map(KubeObject::uid)
                .or(() -> daemonSets.get(wanted.key()).flatMap(d -> d.text(ACCOUNT)))
                .map(uid -> wanted.with(uid, ACCOUNT))
                .orElse(wanted);
    }

    /** Returns what a rolling update still waits for, empty if nothing. */
    static Optional<String> missing(KubeObject daemonSet) {
        var strategy = daemonSet.text("spec", "updateStrategy", "type").orElse("RollingUpdate");
        if (!strategy.equals("RollingUpdate")) {
            return Optional.empty();
        }
        if (daemonSet.number("status", "observedGeneration").orElse(0) < daemonSet.generation()) {
            return Optional.of(
                    "DaemonSet vg-manager: the DaemonSet controller has not seen the last change"
                            + " yet");
        }
        long desired = daemonSet.number("status", "desiredNumberScheduled").orElse(0);
        long updated = daemonSet.number("status", "updatedNumberScheduled").orElse(0);
        long ready = daemonSet.number("status", "numberReady").orElse(0);
        if (updated != desired) {
            return Optional.of(
                    "DaemonSet vg-manager: " + updated + " of " + desired + " pods are updated");
        }
        return ready >= desired - maxUnavailable(daemonSet, desired)
                ? Optional.empty()
                : Optional.of(
                        "DaemonSet vg-manager: " + ready + " of " + desired + " pods are ready");
    }

    // Number, or percent rounded up as the DaemonSet controller does.
    private static long maxUnavailable(KubeObject daemonSet, long desired) {
        String[] path = {"spec", "updateStrategy", "rollingUpdate", "maxUnavailable"};
        var text = daemonSet.text(path).filter(t -> t.endsWith("%"));
        if (text.isEmpty()) {
            return daemonSet.number(path).orElse(1);
        }
        long percent = Long.parseLong(text.get().substring(0, text.get().length() - 1));
        return (desired * percent + PERCENT - 1) / PERCENT;
    }

    @Override
    public Outcome remove(LvmCluster cluster) throws ApiException, InterruptedException {
        var key = ObjectKey.of(cluster.namespace(), Names.VG_MANAGER);
        var present = daemonSets.get(key).filter(d -> VolumeGroupUnit.controls(cluster, d));
        if (present.isPresent()
                && applier.delete(Types.DAEMON_SET, present.get()) == Deletion.IN_PROGRESS) {
            return new Outcome.Pending("DaemonSet vg-manager is terminating", POLL);
        }
        int count = new AgentPods(kube).list(cluster.namespace()).size();
        return count == 0
                ? new Outcome.Converged()
                : new Outcome.Pending(count + " pods of vg-manager are terminating", POLL);
    }
}
