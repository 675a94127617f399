package lvms.operator.snapshot;

import static java.lang.System.Logger.Level.INFO;

import lvms.api.LogicalVolume;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.Controller;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.informer.Informer;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.volume.VolumeService;
import lvms.operator.volume.VolumeServices;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Snapshots for VolumeSnapshotContents: csi-snapshotter's work. It begins when the cluster serves
 * that type, which may be at any time.
 */
public final class Snapshotter implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Snapshotter.class.getName());
    private static final int WORKERS = 16;
    private static final String BY_NAME = "snapshot";
    private static final String BY_HANDLE = "handle";

    private final ServedType type;
    private final Informer contents;
    private final Controller<ObjectKey> controller;
    private final Runnable onServed;
    private boolean started;
    private boolean closed;

    /**
     * Builds the controller; nothing runs yet.
     *
     * @param onReady told of each VolumeSnapshot whose content became ready
     * @param onServed run once, on a thread of its own, when snapshots are served
     */
    public Snapshotter(
            KubeClient kube,
            VolumeServices services,
            EventRecorder events,
            MetricsRegistry metrics,
            InstantSource clock,
            Consumer<ObjectKey> onReady,
            Runnable onServed) {
        this.onServed = onServed;
        this.contents =
                Informer.of(kube, Types.VOLUME_SNAPSHOT_CONTENT)
                        .index(BY_NAME, Snapshotter::objectName)
                        .index(BY_HANDLE, Snapshotter::handle)
                        .build();
        this.type = new ServedType(kube, Types.VOLUME_SNAPSHOT_CONTENT, this::begin);
        var reconciler = new ContentReconciler(kube, contents, services, events, clock, onReady);
        var builder = Controller.named("snapshot-contents", reconciler).watch(contents);
        for (var service : services.all()) {
            builder.watch(service.store().informer(), this::contentsOf)
                    .filter(Snapshotter::isSnapshot);
        }
        this.controller = builder.workers(WORKERS).metrics(metrics).build();
    }

    private static List<String> objectName(KubeObject content) {
        return List.of(VolumeService.objectName(new Content(content).snapshotName()));
    }

    private static List<String> handle(KubeObject content) {
        var view = new Content(content);
        return view.handle().or(view::givenHandle).stream().toList();
    }

    private static boolean isSnapshot(Optional<KubeObject> before, Optional<KubeObject> after) {
        var object = after.or(() -> before).orElseThrow();
        return LogicalVolume.tolerant(object).isSnapshot();
    }

    private List<ObjectKey> contentsOf(KubeObject logicalVolume) {
        var named = contents.byIndex(BY_NAME, logicalVolume.name()).stream();
        var given =
                logicalVolume.text("status", "volumeID").stream()
                        .flatMap(id -> contents.byIndex(BY_HANDLE, id).stream());
        return Stream.concat(named, given).map(KubeObject::key).distinct().toList();
    }

    private synchronized void begin() {
        if (!started && !closed) {
            started = true;
            LOG.log(INFO, () -> "snapshots are served, their controller starts");
            controller.start();
            onServed.run();
        }
    }

    /** Starts waiting for the type to be served. */
    public void start() {
        type.start();
    }

    @Override
    public synchronized void close() {
        closed = true;
        type.close();
        if (started) {
            controller.close();
            contents.close();
        }
    }
}
