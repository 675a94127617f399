package lvms.node.vgmanager;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import lvms.api.LvmVolumeGroup;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.event.EventRecorder;
import lvms.node.vgmanager.plan.EventReason;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;

/**
 * Says in the log, in the node status and in Events why the agent cannot start. The first pass over
 * a volume group replaces what this wrote. For one thread only.
 */
public final class ObstacleReport implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ObstacleReport.class.getName());
    private static final Duration SYNC = Duration.ofSeconds(10);

    private final NodeCaches caches;
    private final NodeStatus status;
    private final GroupObjects objects;
    private final VolumeGroupEvents events;
    private String told = "";

    /** Reads nothing before the first {@link #tell}. */
    public ObstacleReport(KubeClient kube, VolumeGroupSettings settings, EventRecorder recorder) {
        caches = NodeCaches.of(kube, settings);
        status = caches.status(kube, settings, _ -> List.of());
        objects = caches.objects(settings);
        events = new VolumeGroupEvents(recorder, status);
    }

    /**
     * Writes the obstacle to each volume group of this node that does not have it yet. Call it
     * again while the obstacle lasts: groups and the status object may come later.
     */
    public void tell(String obstacle) throws InterruptedException {
        if (!obstacle.equals(told)) {
            LOG.log(
                    ERROR,
                    () -> "node agent cannot start, will retry obstacle=\"" + obstacle + '"');
            told = obstacle;
        }
        try {
            sync();
            for (var group : objects.contenders()) {
                tell(group, obstacle);
            }
        } catch (ApiException | TimeoutException e) {
            LOG.log(
                    WARNING,
                    () -> "cannot report the obstacle, will retry error=" + e.getMessage());
        }
    }

    private void sync() throws TimeoutException, InterruptedException {
        for (var cache : List.of(caches.groups(), caches.statuses(), caches.nodes())) {
            cache.start();
            cache.awaitSync(SYNC);
        }
    }

    private void tell(LvmVolumeGroup group, String obstacle)
            throws ApiException, InterruptedException {
        var before = status.entry(group.name());
        if (status.read().isEmpty()
                || before.filter(e -> e.reason().equals(obstacle)).isPresent()) {
            return;
        }
        status.put(StatusEntry.obstructed(group, before, obstacle), group.object());
        events.record(group, EventReason.AGENT_BLOCKED, obstacle);
    }

    @Override
    public void close() {
        caches.close();
    }
}
