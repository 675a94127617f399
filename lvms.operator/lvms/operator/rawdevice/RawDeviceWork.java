package lvms.operator.rawdevice;

import lvms.api.Drivers;
import lvms.api.nativestor.RawDevice;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.Controller;
import lvms.k8s.controller.SideBySide;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.ObjectKey;
import lvms.operator.backend.Backends;
import lvms.operator.capacity.CapacityPublisher;
import lvms.operator.claim.VolumeNaming;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.node.NodeFinalizers;
import lvms.operator.node.NodeOutageReconciler;
import lvms.operator.provision.Provisioner;
import lvms.operator.resize.GrowthRefusal;
import lvms.operator.volume.SidecarCalls;

import java.time.InstantSource;
import java.util.List;

/**
 * The controllers that serve claims of raw devices. It must run in one process of the cluster only.
 */
public final class RawDeviceWork implements AutoCloseable {
    private static final String PREFIX = "raw-device-";

    private final RawDeviceStore store;
    private final RawDeviceMetrics counts;
    private final Provisioner provisioner;
    private final CapacityPublisher publisher;
    private final Controller<ObjectKey> losses;
    private final Controller<ObjectKey> outages;
    private final Controller<ObjectKey> removal;
    private final Controller<ObjectKey> identities;
    private final Controller<ObjectKey> growth;

    /**
     * Builds the controllers; nothing runs and no request is sent yet.
     *
     * @param shared caches that have what concerns raw devices, too
     * @param pod pod of this process, whose Deployment owns the capacity objects
     * @param naming how new volumes are called
     * @param immediate whether capacity is published also of classes whose volumes do not wait for
     *     a pod
     */
    public RawDeviceWork(
            KubeClient kube,
            OperatorInformers shared,
            ObjectKey pod,
            VolumeNaming naming,
            boolean immediate,
            EventRecorder events,
            MetricsRegistry metrics) {
        var clock = InstantSource.system();
        var informers = shared.serving(Drivers.of(RawDevice.DRIVER));
        store = RawDeviceStore.of(kube);
        counts =
                new RawDeviceMetrics(
                        metrics,
                        store,
                        node -> informers.nodes().get(ObjectKey.cluster(node)).isPresent());
        var backends =
                new Backends(
                        List.of(
                                new RawDeviceBackend(
                                        store,
                                        RawDeviceSpace.of(store, informers),
                                        SidecarCalls.of(RawDevice.DRIVER, metrics))));
        provisioner =
                new Provisioner(
                        kube,
                        informers,
                        backends,
                        events,
                        metrics,
                        clock,
                        new Provisioner.Choices(PREFIX, naming, "", false));
        publisher =
                new CapacityPublisher(
                        kube,
                        informers,
                        backends,
                        pod,
                        MetricsRegistry.unread(), // the page counts those of logical volumes
                        clock,
                        immediate);
        losses =
                informers
                        .awaited(
                                Controller.named(
                                        PREFIX + "losses",
                                        new LostDevices(store, informers, events)))
                        .watch(store.informer())
                        .metrics(metrics)
                        .build();
        outages =
                NodeOutageReconciler.controller(
                        PREFIX,
                        informers,
                        node ->
                                store.all().stream()
                                        .filter(RawDevice::allocated)
                                        .filter(device -> device.spec().nodeName().equals(node))
                                        .flatMap(d -> LostDevices.volumesOf(informers, d)),
                        events,
                        metrics,
                        clock);
        growth =
                GrowthRefusal.controller(
                        PREFIX + "growth",
                        informers,
                        RawDevice.DRIVER,
                        "a raw device cannot grow; make a larger claim, copy the data, and delete"
                                + " this one",
                        events,
                        metrics,
                        clock);
        var ofGoneNodes = new GoneNodeDevices(store, new NodeFinalizers(kube, informers));
        removal =
                informers
                        .awaited(Controller.named(PREFIX + "removal", ofGoneNodes))
                        .watch(store.informer())
                        .watch(informers.nodes(), ofGoneNodes::of)
                        .filter((_, after) -> after.isEmpty())
                        .metrics(metrics)
                        .build();
        var notes = new VolumeIdentities(store, informers);
        identities =
                informers
                        .awaited(Controller.named(PREFIX + "identities", notes))
                        .watch(store.informer())
                        .watch(informers.persistentVolumes(), notes::of)
                        .metrics(metrics)
                        .build();
    }

    public void start() {
        provisioner.start();
        publisher.start();
        losses.start();
        outages.start();
        removal.start();
        identities.start();
        growth.start();
    }

    @Override
    public void close() {
        SideBySide.close(
                List.of(
                        counts,
                        provisioner,
                        publisher,
                        losses,
                        outages,
                        removal,
                        identities,
                        growth));
        store.informer().close();
    }
}
