package lvms.node;

import lvms.api.LogicalVolume;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.config.KubeConfigException;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.node.disk.NoDisks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The node agent as it is shipped, with a client and connections of its own, over an LVM in memory
 * on a machine without disks, and without a kubelet.
 */
final class FleetAgent {
    private static final List<ResourceType> FOLLOWED =
            List.of(
                    LogicalVolume.TYPE,
                    LvmVolumeGroup.TYPE,
                    LvmVolumeGroupNodeStatus.TYPE,
                    Types.NODE);

    private final MetricsRegistry metrics = new MetricsRegistry();
    private final NodeAgent agent;
    private final MemoryLvm lvm;

    /**
     * @param folder where it keeps its files and sockets
     * @param classes file with the device classes of this and every other node
     */
    FleetAgent(int number, Path kubeconfig, Path folder, Path classes, EngineTimes times)
            throws KubeConfigException {
        var node = nodeName(number);
        lvm = new MemoryLvm(times, number);
        var kube =
                KubeClient.open(
                                KubeConfig.load(Optional.of(kubeconfig)),
                                "vgmanager/bench (" + node + ")",
                                metrics)
                        .withFieldManager(Names.VG_MANAGER);
        var own = folder.resolve(node);
        var settings =
                new NodeAgentSettings(
                        node,
                        FleetAgents.NAMESPACE,
                        "bench",
                        own.resolve("lvmd.yaml"),
                        own.resolve("k"),
                        Optional.of(classes),
                        Optional.empty(),
                        NativestorSettings.NONE);
        var events = EventRecorder.open(kube, Names.VG_MANAGER, node);
        agent = new NodeAgent(settings, kube, events, metrics);
    }

    static String nodeName(int number) {
        return "n" + number;
    }

    void start() throws IOException {
        agent.start(lvm, new NoDisks());
    }

    /** Returns whether it has read what it follows, and can follow all of it at the moment. */
    boolean inSync() {
        return agent.groupsReady()
                && agent.volumesReady()
                && FOLLOWED.stream().mapToDouble(this::notFollowing).sum() == 0;
    }

    private double notFollowing(ResourceType type) {
        return metrics.gauge("informer_not_following", "", "name").with(type.toString()).value();
    }
}
