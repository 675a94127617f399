package lvms.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Driver;
import lvms.api.ErasureConfig.OnRemoval;
import lvms.api.ErasureConfig.ZeroVolumes;
import lvms.api.Names;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.testkit.ApiServer;
import lvms.lvm2.Lvm;
import lvms.lvm2.command.LvmCommands;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.ErasurePolicy;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning;
import lvms.node.format.Formats;
import lvms.node.volume.GroupLedgers;
import lvms.tests.lab.machine.GuestArchive;
import lvms.tests.lab.machine.LabJvm;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The node's volume service alone, in a process of its own, so that a test can kill it. Arguments:
 * the kubeconfig, kubelet's folder.
 */
final class AgentProcess {
    static final String NODE = "node1";
    static final String GROUP = "csi";

    static final Path KUBELET = Path.of("/var/lib/kubelet");

    /** A copy takes long enough to be cut. */
    private static final ErasurePolicy SLOWLY =
            new ErasurePolicy(ZeroVolumes.NONE, OnRemoval.NONE, 64L << 20);

    private AgentProcess() {}

    private static Process start(ApiServer server) throws Exception {
        var command =
                LabJvm.heap(128)
                        .command(
                                AgentProcess.class,
                                server.kubeconfig().toString(),
                                KUBELET.toString());
        var process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        var out = new BufferedReader(new InputStreamReader(process.getInputStream()));
        assertEquals("started", out.readLine());
        return process;
    }

    /**
     * Kills agents at arbitrary moments until the condition holds; returns how many.
     *
     * @param most after so many the next has a minute, so that it ends
     */
    static int killUntil(ApiServer server, Random random, int most, Callable<Boolean> done)
            throws Exception {
        int kills = 0;
        while (!done.call()) {
            var process = start(server);
            boolean patient = kills >= most;
            long end =
                    System.nanoTime()
                            + TimeUnit.MILLISECONDS.toNanos(
                                    patient ? 60_000 : random.nextInt(200, 2500));
            while (System.nanoTime() < end && !done.call()) {
                LockSupport.parkNanos(5_000_000);
            }
            process.destroyForcibly().waitFor();
            kills++;
        }
        return kills;
    }

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
                        deviceClass("thick", new Provisioning.Thick()).withErasure(SLOWLY)),
                Map.of());
    }

    static CsiNode agent(KubeClient kube, Lvm lvm, LiveDeviceClasses classes, Path kubelet) {
        var settings = CsiNodeSettings.below(kubelet, Driver.TOPOLVM, NODE, "1.0");
        var formats = Formats.notedIn(settings.formatNotes());
        var metrics = new MetricsRegistry();
        return new CsiNode(
                new CsiFront(settings, formats, metrics),
                kube,
                new GroupLedgers(lvm, formats),
                classes,
                _ -> {},
                EventRecorder.open(kube, Names.VG_MANAGER, NODE),
                metrics);
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
