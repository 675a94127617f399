package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.fail;

import lvms.api.LogicalVolume;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;
import lvms.tests.server.Definitions;
import lvms.tests.support.Nodes;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** What a node agent finds in the API server when it starts: types, its Node, its node status. */
final class NodeFixture {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private NodeFixture() {}

    static void create(KubeClient kube, String namespace, String nodeName) throws Exception {
        Definitions.install(
                kube,
                List.of(
                        "lvm.topolvm.io_lvmvolumegroups",
                        "lvm.topolvm.io_lvmvolumegroupnodestatuses",
                        "topolvm.io_logicalvolumes"));
        kube.create(
                Types.NAMESPACE, KubeObject.create(Types.NAMESPACE, ObjectKey.cluster(namespace)));
        var node =
                KubeObject.create(Types.NODE, ObjectKey.cluster(nodeName))
                        .with("ssd", "metadata", "labels", "disk")
                        .with("7", "metadata", "annotations", "capacity.topolvm.io/gone");
        Nodes.create(kube, node);
        for (var type :
                List.of(LvmVolumeGroup.TYPE, LvmVolumeGroupNodeStatus.TYPE, LogicalVolume.TYPE)) {
            until(DEADLINE, () -> kube.serves(type));
        }
        var status = ObjectKey.of(namespace, nodeName);
        kube.create(
                LvmVolumeGroupNodeStatus.TYPE,
                KubeObject.create(LvmVolumeGroupNodeStatus.TYPE, status)
                        .with(ObjectTree.EMPTY, "spec"));
    }

    /** Awaits a state; deadlines are long, since the machine may be busy. */
    static void until(Duration deadline, Callable<Boolean> state) throws Exception {
        long end = System.nanoTime() + deadline.toNanos();
        while (!state.call()) {
            if (System.nanoTime() > end) {
                fail("not within " + deadline);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
