package lvms.operator;

import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.Controller;
import lvms.k8s.controller.SideBySide;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.ObjectKey;
import lvms.operator.backend.Backends;
import lvms.operator.capacity.CapacityPublisher;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.node.DisposalReconciler;
import lvms.operator.node.NodeOutageReconciler;
import lvms.operator.node.StartupTaintReconciler;
import lvms.operator.provision.Provisioner;
import lvms.operator.resize.Resizer;
import lvms.operator.snapshot.GroupSnapshotter;
import lvms.operator.snapshot.Snapshotter;
import lvms.operator.volume.VolumeServices;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What external-provisioner, external-resizer, external-snapshotter and external-health-monitor do
 * elsewhere: claims get their volumes, grow, are snapshotted and end, the scheduler hears of the
 * room that is left, and people of nodes that are down.
 *
 * <p>It must run in one process of the cluster only. The caller starts {@link
 * OperatorInformers#ofClaims}.
 */
final class SidecarWork implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(SidecarWork.class.getName());

    private final Provisioner provisioner;
    private final Resizer resizer;
    private final Optional<Snapshotter> snapshotter;
    private final Optional<GroupSnapshotter> groupSnapshotter;
    private final Optional<CapacityPublisher> publisher;
    private final List<Controller<ObjectKey>> ofNodes;

    /** What an installation can do without: capacity for the scheduler, snapshots, and more. */
    record Parts(boolean capacity, boolean snapshots, NodeSettings nodes) {}

    /**
     * Builds the controllers; nothing runs and no request is sent yet.
     *
     * @param kube of the process that leads
     * @param pod pod of this process, whose Deployment owns the capacity objects
     */
    SidecarWork(
            KubeClient kube,
            OperatorInformers informers,
            VolumeServices services,
            ObjectKey pod,
            ProvisionerSettings choices,
            Parts parts,
            EventRecorder events,
            MetricsRegistry metrics) {
        var clock = InstantSource.system();
        var volumes = services.measured(metrics);
        var backends = Backends.of(volumes);
        provisioner =
                new Provisioner(
                        kube,
                        informers,
                        backends,
                        events,
                        metrics,
                        clock,
                        new Provisioner.Choices(
                                "",
                                choices.naming(),
                                choices.defaultFsType(),
                                choices.crossNamespaceSources()));
        resizer = new Resizer(kube, informers, volumes, events, metrics, clock);
        snapshotter =
                parts.snapshots()
                        ? Optional.of(
                                new Snapshotter(
                                        kube,
                                        volumes,
                                        events,
                                        metrics,
                                        clock,
                                        provisioner::snapshotReady,
                                        this::sweepSnapshots))
                        : Optional.empty();
        groupSnapshotter =
                parts.snapshots()
                        ? Optional.of(new GroupSnapshotter(kube, volumes, events, metrics, clock))
                        : Optional.empty();
        publisher =
                parts.capacity()
                        ? Optional.of(
                                new CapacityPublisher(
                                        kube,
                                        informers,
                                        backends,
                                        pod,
                                        metrics,
                                        clock,
                                        choices.capacityForImmediateBinding()))
                        : Optional.empty();
        ofNodes = new ArrayList<>();
        ofNodes.add(
                NodeOutageReconciler.controller(
                        "",
                        informers,
                        NodeOutageReconciler.logicalVolumes(informers),
                        events,
                        metrics,
                        clock));
        parts.nodes()
                .taint()
                .map(taint -> StartupTaintReconciler.controller(kube, informers, taint, metrics))
                .ifPresent(ofNodes::add);
        parts.nodes()
                .disposableAfter()
                .map(
                        after ->
                                DisposalReconciler.controller(
                                        kube, informers, volumes, after, events, metrics, clock))
                .ifPresent(ofNodes::add);
    }

    private void sweepSnapshots() {
        try {
            provisioner.sweepSnapshots();
        } catch (ApiException e) {
            LOG.log(WARNING, "protection of snapshots not checked, the next start checks it", e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    void start() {
        provisioner.start();
        resizer.start();
        snapshotter.ifPresent(Snapshotter::start);
        groupSnapshotter.ifPresent(GroupSnapshotter::start);
        publisher.ifPresent(CapacityPublisher::start);
        ofNodes.forEach(Controller::start);
    }

    @Override
    public void close() {
        var all = new ArrayList<AutoCloseable>(ofNodes);
        all.addAll(List.of(resizer, provisioner));
        snapshotter.ifPresent(all::add);
        groupSnapshotter.ifPresent(all::add);
        publisher.ifPresent(all::add);
        SideBySide.close(all);
    }
}
