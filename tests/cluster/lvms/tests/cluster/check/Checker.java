package lvms.tests.cluster.check;

import lvms.api.LogicalVolume;
import lvms.api.LvmCluster;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.tests.cluster.Cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Reads a cluster and its nodes and compares them. Nodes without power are passed over. */
public final class Checker {
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final Cluster cluster;
    private final KubeClient kube;

    /** Makes a checker with an administrator's client. */
    public Checker(Cluster cluster, KubeClient kube) {
        this.cluster = cluster;
        this.kube = kube;
    }

    /** Returns what disagrees now; while volumes come and go, that is much. */
    public List<Disagreement> check() throws IOException, ApiException, InterruptedException {
        var nodes = new ArrayList<NodeView>();
        for (var node : cluster.nodes()) {
            if (node.running()) {
                nodes.add(NodeReader.read(node));
            }
        }
        return Agreement.check(objects(), nodes);
    }

    /** Waits until nothing disagrees; fails with all that does at the end. */
    public void awaitAgreement(Duration deadline) throws InterruptedException {
        long end = System.nanoTime() + deadline.toNanos();
        var found = attempt();
        while (!found.isEmpty()) {
            if (System.nanoTime() > end) {
                throw new AssertionError(
                        "disk, objects and mounts do not agree after %d s:%n%s"
                                .formatted(deadline.toSeconds(), String.join("\n", found)));
            }
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
            found = attempt();
        }
    }

    private List<String> attempt() throws InterruptedException {
        try {
            return check().stream().map(Disagreement::toString).toList();
        } catch (IOException | ApiException | IllegalStateException e) {
            return List.of("cannot be read: " + e); // a node or a server may be away for a moment
        }
    }

    private ClusterView objects() throws ApiException, InterruptedException {
        return new ClusterView(
                list(Types.NODE),
                list(Types.POD),
                list(Types.PVC),
                list(Types.PV),
                list(Types.VOLUME_SNAPSHOT_CONTENT),
                list(Types.STORAGE_CLASS),
                list(Types.CSI_STORAGE_CAPACITY),
                list(LogicalVolume.TYPE).stream().map(LogicalVolume::of).toList(),
                list(LvmCluster.TYPE).stream().map(LvmCluster::of).toList());
    }

    private List<KubeObject> list(ResourceType type) throws ApiException, InterruptedException {
        return kube.serves(type) ? kube.list(type, ListOptions.all()).items() : List.of();
    }
}
