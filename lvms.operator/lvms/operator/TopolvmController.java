package lvms.operator;

import lvms.api.Driver;
import lvms.csi.BuildInfo;
import lvms.csi.SelfCheck;
import lvms.csi.SocketProbe;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.Controller;
import lvms.k8s.controller.SideBySide;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.informer.Informer;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.operator.claim.Claim;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.node.TerminatingNodeReconciler;
import lvms.operator.resize.FilesystemHint;
import lvms.operator.volume.SizeRules;
import lvms.operator.volume.VolumeServices;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What TopoLVM's controller does: the CSI controller service, in every replica, and in the one that
 * leads, the clean-up after deleted Nodes and the hints to kubelet about filesystems that have to
 * grow. Provisioning, growing, snapshots and capacity are the work of the sidecars in its pod, or
 * its own where there are none.
 */
public final class TopolvmController implements AutoCloseable {
    private final Settings settings;
    private final KubeClient client;
    private final OperatorInformers informers;
    private final ControllerSockets sockets;
    private final List<Controller<ObjectKey>> controllers;
    private final Optional<SidecarWork> sidecars;
    private final List<AutoCloseable> started = new ArrayList<>();
    private boolean closed;

    /**
     * How it works.
     *
     * @param driver whose volumes are served
     * @param sizes smallest sizes of volumes
     * @param version version that callers are told
     * @param socket path of the CSI socket
     * @param cleanUpAfterNodes whether claims and volumes of a deleted Node are deleted
     * @param alone how the work of the sidecars is done here; empty if they do it
     */
    public record Settings(
            Driver driver,
            SizeRules sizes,
            String version,
            Path socket,
            boolean cleanUpAfterNodes,
            Optional<Alone> alone) {
        /** The same in a pod without sidecars. */
        public Settings with(Alone wanted) {
            return new Settings(
                    driver, sizes, version, socket, cleanUpAfterNodes, Optional.of(wanted));
        }
    }

    /**
     * How the work of the sidecars is done in a pod without them.
     *
     * @param pod the pod, whose Deployment owns the CSIStorageCapacity objects
     * @param provisioner choices of the provisioner
     * @param capacity whether the scheduler is told of the room that is left
     * @param snapshots whether there are snapshots
     * @param nodes what is done about nodes
     */
    public record Alone(
            ObjectKey pod,
            ProvisionerSettings provisioner,
            boolean capacity,
            boolean snapshots,
            NodeSettings nodes) {
        /** All of their work. */
        public Alone(ObjectKey pod, ProvisionerSettings provisioner) {
            this(pod, provisioner, true, true, NodeSettings.NONE);
        }
    }

    /**
     * Builds everything; nothing runs and no request is sent yet.
     *
     * @param client for what every replica does; the leader's, if nobody calls the socket of others
     * @param leader for what only the leader may write
     * @param informers of the one driver
     */
    public TopolvmController(
            KubeClient client,
            KubeClient leader,
            OperatorInformers informers,
            Settings settings,
            EventRecorder events,
            MetricsRegistry metrics) {
        this.settings = settings;
        this.client = client;
        this.informers = informers;
        BuildInfo.of(settings.version()).show(metrics);
        var clock = InstantSource.system();
        var volumes =
                VolumeServices.of(client, informers, settings.sizes(), Optional::empty, clock);
        sockets = new ControllerSockets(informers, volumes, settings.version(), metrics);
        var nodes =
                new TerminatingNodeReconciler(
                        leader, informers, events, settings.cleanUpAfterNodes());
        sidecars =
                settings.alone()
                        .map(
                                alone ->
                                        new SidecarWork(
                                                leader,
                                                informers,
                                                volumes,
                                                alone.pod(),
                                                alone.provisioner(),
                                                new SidecarWork.Parts(
                                                        alone.capacity(),
                                                        alone.snapshots(),
                                                        alone.nodes()),
                                                events,
                                                metrics));
        controllers = new ArrayList<>(List.of(nodeCleanUp(nodes, metrics)));
        if (sidecars.isEmpty()) { // otherwise a part of their work
            controllers.add(FilesystemHint.controller(leader, informers, metrics, clock));
        }
    }

    private Controller<ObjectKey> nodeCleanUp(
            TerminatingNodeReconciler reconciler, MetricsRegistry metrics) {
        return Controller.named("node-cleanup", reconciler)
                .watch(informers.nodes())
                .after(
                        List.of(
                                informers.claims(),
                                informers.persistentVolumes(),
                                informers.logicalVolumes(settings.driver())))
                .metrics(metrics)
                .build();
    }

    /**
     * Begins what every replica does; returns at once.
     *
     * @throws IOException if the socket cannot be served
     */
    public synchronized void serve() throws IOException {
        var check = SelfCheck.start(SelfCheck.ofDriver(client, settings.driver()));
        started.add(check);
        sockets.startInSharedFolder(settings.driver(), settings.socket(), check::ready);
    }

    /** Begins what one replica does; returns at once. */
    public synchronized void lead() {
        if (!closed) {
            ofLeader().forEach(Informer::start);
            controllers.forEach(Controller::start);
            started.addAll(controllers);
            sidecars.ifPresent(SidecarWork::start);
            sidecars.ifPresent(started::add);
        }
    }

    private List<Informer> ofLeader() {
        return sidecars.isPresent()
                ? informers.ofClaims()
                : List.of(
                        informers.claims(),
                        informers.persistentVolumes(),
                        informers.storageClasses());
    }

    /** Follows claims and StorageClasses from now on, even in a replica that does not lead. */
    public void followClaims() {
        informers.claims().start();
        informers.storageClasses().start();
    }

    /**
     * Finds a claim or a StorageClass: as the informers know it, or at the API server what they do
     * not know, or have only in part.
     */
    public Optional<KubeObject> find(ResourceType type, ObjectKey key)
            throws ApiException, InterruptedException {
        var informer = type.equals(Types.PVC) ? informers.claims() : informers.storageClasses();
        var known = informer.get(key).filter(object -> !new Claim(object).isTooLarge());
        return known.isPresent() ? known : client.find(type, key);
    }

    /** Returns whether CSI calls can be answered. Never blocks. */
    public boolean ready() {
        return sockets.ready();
    }

    /** Returns whether the socket is answered; it may take three seconds. */
    public boolean answers() {
        return SocketProbe.answers(settings.socket());
    }

    @Override
    public synchronized void close() {
        closed = true;
        SideBySide.close(started);
        ofLeader().forEach(Informer::close);
        sockets.close();
        informers.ofCalls().forEach(Informer::close);
    }
}
