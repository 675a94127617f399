package lvms.node;

import lvms.api.Driver;
import lvms.api.Names;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.lvm2.Lvm;
import lvms.lvm2.command.LvmCommands;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning;
import lvms.node.volume.GroupLedgers;
import lvms.tests.lab.machine.GuestArchive;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * The node's volume service alone, in a process of its own, so that a test can kill it. Arguments:
 * the kubeconfig, kubelet's folder.
 */
final class AgentProcess {
    static final String NODE = "node1";
    static final String GROUP = "csi";

    private AgentProcess() {}

    static NodeDeviceClass deviceClass(String name, Provisioning how) {
        return new NodeDeviceClass(
                name,
                GROUP,
                name.equals("thin"),
                how,
                0,
                Optional.empty(),
                List.of(),
                Optional.empty());
    }

    static DeviceClasses classes() {
        return new DeviceClasses(
                List.of(
                        deviceClass("thin", new Provisioning.Thin("pool", 10)),
                        deviceClass("thick", new Provisioning.Thick())),
                Map.of());
    }

    static CsiNode agent(KubeClient kube, Lvm lvm, LiveDeviceClasses classes, Path kubelet) {
        return new CsiNode(
                CsiNodeSettings.below(kubelet, Driver.TOPOLVM, NODE, "1.0"),
                kube,
                new GroupLedgers(lvm),
                classes,
                _ -> {},
                EventRecorder.open(kube, Names.VG_MANAGER, NODE),
                new MetricsRegistry());
    }

    public static void main(String[] args) throws Exception {
        var config = KubeConfig.load(Optional.of(Path.of(args[0])));
        var classes = new LiveDeviceClasses();
        classes.publish(classes());
        try (var kube = KubeClient.open(config, "lvms-node").withFieldManager(Names.VG_MANAGER);
                var lvm = LvmCommands.open(GuestArchive.lvmOptions());
                var agent = agent(kube, lvm, classes, Path.of(args[1]))) {
            agent.start();
            System.out.println("started");
            new CountDownLatch(1).await();
        }
    }
}
