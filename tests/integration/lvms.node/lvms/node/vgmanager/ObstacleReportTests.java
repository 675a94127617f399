package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.EffectiveDiscovery;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.VolumeGroupState;
import lvms.api.VolumeGroupStatus;
import lvms.api.listing.GroupNames;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.yaml.Yaml;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What keeps the agent from beginning is told where people look, once. */
class ObstacleReportTests {
    private static final String NAMESPACE = "lvms-system";
    private static final String NODE = "node1";
    private static final String OBSTACLE = "this image lacks the device tools lvm";
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    @TempDir private Path folder;
    private ApiServer server;
    private KubeClient kube;
    private EventRecorder events;
    private ObstacleReport report;

    @BeforeEach
    void open() throws Exception {
        server = Servers.start();
        kube =
                KubeClient.open(KubeConfig.load(Optional.of(server.kubeconfig(folder))), "test")
                        .withFieldManager("test");
        NodeFixture.create(kube, NAMESPACE, NODE);
        events = EventRecorder.open(kube, "vg-manager", NODE);
        var settings =
                new VolumeGroupSettings(
                        NODE, NAMESPACE, Path.of("/nowhere"), true, false, Path.of("/"), _ -> true);
        report = new ObstacleReport(kube, settings, events);
    }

    @AfterEach
    void close() throws Exception {
        report.close();
        events.close();
        kube.close();
        server.close();
    }

    private void group(String name, String disk) throws Exception {
        var yaml =
                """
                apiVersion: lvm.topolvm.io/v1alpha1
                kind: LVMVolumeGroup
                metadata: {name: %s, namespace: lvms-system}
                spec:
                  nodeSelector:
                    nodeSelectorTerms:
                      - matchExpressions: [{key: disk, operator: In, values: [%s]}]
                """;
        var object = KubeObject.of(Yaml.read(yaml.formatted(name, disk)).asObject());
        kube.create(LvmVolumeGroup.TYPE, object);
    }

    private List<VolumeGroupStatus> entries() throws Exception {
        var status = kube.get(LvmVolumeGroupNodeStatus.TYPE, ObjectKey.of(NAMESPACE, NODE));
        return LvmVolumeGroupNodeStatus.of(status).volumeGroups();
    }

    private List<KubeObject> told() throws Exception {
        return kube.list(Types.EVENT, ListOptions.all()).items();
    }

    @Test
    void statusAndEventsOfTheGroupsOfThisNodeSayIt() throws Exception {
        group("vg1", "ssd");
        group("vg2", "other");
        report.tell(OBSTACLE);
        var entry = entries().getFirst();
        assertEquals(1, entries().size());
        assertEquals("vg1", entry.name());
        assertEquals(Optional.of(VolumeGroupState.FAILED), entry.state());
        assertEquals(OBSTACLE, entry.reason());
        NodeFixture.until(DEADLINE, () -> told().size() == 2);
        for (var event : told()) {
            assertEquals("NodeAgentBlocked", event.text("reason").orElse(""));
            assertTrue(event.text("note").orElse("").endsWith(OBSTACLE), event.toString());
        }
    }

    @Test
    void theSameIsToldToEachGroupOnce() throws Exception {
        group("vg1", "ssd");
        report.tell(OBSTACLE);
        var version = kube.get(LvmVolumeGroupNodeStatus.TYPE, ObjectKey.of(NAMESPACE, NODE));
        report.tell(OBSTACLE);
        assertEquals(
                version.resourceVersion(),
                kube.get(LvmVolumeGroupNodeStatus.TYPE, ObjectKey.of(NAMESPACE, NODE))
                        .resourceVersion());
    }

    @Test
    void aGroupThatCameLaterIsToldToo() throws Exception {
        report.tell(OBSTACLE);
        group("vg1", "ssd");
        NodeFixture.until(
                DEADLINE,
                () -> {
                    report.tell(OBSTACLE);
                    return entries().size() == 1;
                });
    }

    @Test
    void aGroupThatHasDevicesIsDegradedAndKeepsThem() throws Exception {
        group("vg1", "ssd");
        var object = kube.get(LvmVolumeGroup.TYPE, ObjectKey.of(NAMESPACE, "vg1"));
        var before =
                new VolumeGroupStatus(
                        GroupNames.of("vg1"),
                        Optional.of(VolumeGroupState.READY),
                        "",
                        List.of("/dev/sdb"),
                        List.of(),
                        EffectiveDiscovery.RUNTIME_STATIC,
                        Optional.empty());
        var after =
                StatusEntry.obstructed(LvmVolumeGroup.of(object), Optional.of(before), OBSTACLE);
        assertEquals(Optional.of(VolumeGroupState.DEGRADED), after.state());
        assertEquals(List.of("/dev/sdb"), after.devices());
        assertEquals(OBSTACLE, after.reason());
    }
}
