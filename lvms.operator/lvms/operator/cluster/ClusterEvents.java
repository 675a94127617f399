package lvms.operator.cluster;

import lvms.api.LvmCluster;
import lvms.k8s.event.EventRecorder;
import lvms.operator.event.EventReason;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Tells people what happens to an LVMCluster; each thing once. */
public final class ClusterEvents {
    private final EventRecorder recorder;
    // By UID, and cleared when a cluster is gone: there are hardly ever two.
    private final Map<String, List<String>> warned = new ConcurrentHashMap<>();
    private final Map<String, String> incomplete = new ConcurrentHashMap<>();

    public ClusterEvents(EventRecorder recorder) {
        this.recorder = recorder;
    }

    void deletionPending(LvmCluster cluster, String why) {
        recorder.record(cluster.object(), EventReason.DELETION_PENDING, why);
    }

    /** Reports what keeps the resources from being complete, unless it is the same as last time. */
    void incomplete(LvmCluster cluster, String why) {
        if (!why.equals(incomplete.put(cluster.object().uid(), why))) {
            recorder.record(cluster.object(), EventReason.INCOMPLETE, why);
        }
    }

    /** Whatever goes missing next is reported again. */
    void complete(LvmCluster cluster) {
        incomplete.remove(cluster.object().uid());
    }

    void rejected(LvmCluster cluster, String why) {
        recorder.record(cluster.object(), EventReason.SPEC_REJECTED, why);
    }

    void conflict(LvmCluster cluster, String why) {
        recorder.record(cluster.object(), EventReason.DRIVER_CONFLICT, why);
    }

    void ready(LvmCluster cluster) {
        recorder.record(
                cluster.object(),
                EventReason.READY,
                "all resources are in place and all volume groups are ready");
    }

    /** Reports the warnings of an accepted spec, unless they are the same as last time. */
    void warnings(LvmCluster cluster, List<String> warnings) {
        var former = warned.put(cluster.object().uid(), warnings);
        if (!warnings.equals(former)) {
            warnings.forEach(
                    text -> recorder.record(cluster.object(), EventReason.SPEC_WARNING, text));
        }
    }

    void forget(LvmCluster cluster) {
        warned.remove(cluster.object().uid());
        complete(cluster);
    }
}
