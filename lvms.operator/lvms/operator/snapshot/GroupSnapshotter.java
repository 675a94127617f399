package lvms.operator.snapshot;

import static java.lang.System.Logger.Level.INFO;

import lvms.api.LogicalVolume;
import lvms.api.snapshot.SnapshotGroup;
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

/**
 * Snapshots for VolumeGroupSnapshotContents: the other half of csi-snapshotter's work. It begins
 * when the cluster serves that type, and follows nothing before.
 */
public final class GroupSnapshotter implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(GroupSnapshotter.class.getName());
    private static final int WORKERS = 4;
    private static final String BY_GROUP = "group";

    private final ServedType type;
    private final Informer contents;
    private final Controller<ObjectKey> controller;
    private boolean started;
    private boolean closed;

    /** Builds the controller; nothing runs yet. */
    public GroupSnapshotter(
            KubeClient kube,
            VolumeServices services,
            EventRecorder events,
            MetricsRegistry metrics,
            InstantSource clock) {
        this.contents =
                Informer.of(kube, Types.VOLUME_GROUP_SNAPSHOT_CONTENT)
                        .index(BY_GROUP, GroupSnapshotter::groups)
                        .build();
        this.type = new ServedType(kube, Types.VOLUME_GROUP_SNAPSHOT_CONTENT, this::begin);
        var reconciler = new GroupContentReconciler(kube, contents, services, events, clock);
        var builder = Controller.named("group-snapshot-contents", reconciler).watch(contents);
        for (var service : services.all()) {
            builder.watch(service.store().informer(), this::contentsOf)
                    .filter(GroupSnapshotter::inGroup);
        }
        this.controller = builder.workers(WORKERS).metrics(metrics).build();
    }

    private static List<String> groups(KubeObject content) {
        var view = new GroupContent(content);
        var own = VolumeService.objectName(view.groupName());
        return List.of(view.handle().or(view::givenHandle).orElse(own));
    }

    private static boolean inGroup(Optional<KubeObject> before, Optional<KubeObject> after) {
        var volume = LogicalVolume.tolerant(after.or(() -> before).orElseThrow());
        return volume.object().annotation(volume.driver().snapshotGroupAnnotation()).isPresent();
    }

    private List<ObjectKey> contentsOf(KubeObject logicalVolume) {
        try {
            return SnapshotGroup.of(LogicalVolume.tolerant(logicalVolume)).stream()
                    .flatMap(group -> contents.byIndex(BY_GROUP, group.name()).stream())
                    .map(KubeObject::key)
                    .toList();
        } catch (IllegalArgumentException e) {
            return List.of(); // somebody else wrote it; its node says so
        }
    }

    private synchronized void begin() {
        if (!started && !closed) {
            started = true;
            LOG.log(INFO, () -> "group snapshots are served, their controller starts");
            controller.start();
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
