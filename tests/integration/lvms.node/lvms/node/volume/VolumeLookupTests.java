package lvms.node.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.KubeObject;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.tree.Json;
import lvms.tests.server.Definitions;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A volume that somebody was told of is found, whatever the watch has seen of it. */
@Timeout(60)
class VolumeLookupTests {
    @TempDir Path folder;
    private ApiServer server;
    private KubeClient kube;
    private NodeVolumes volumes;

    @BeforeEach
    void start() throws Exception {
        server = Servers.start();
        kube =
                KubeClient.open(KubeConfig.load(Optional.of(server.kubeconfig(folder))), "test")
                        .withFieldManager("test");
        Definitions.install(kube, List.of("topolvm.io_logicalvolumes"));
    }

    @AfterEach
    void stop() throws Exception {
        volumes.informer().close();
        kube.close();
        server.close();
    }

    private KubeObject known() throws Exception {
        var object = kube.create(LogicalVolume.TYPE, Volumes.object("pvc-1", "1Gi"));
        volumes = NodeVolumes.of(kube, Driver.TOPOLVM, Volumes.NODE);
        volumes.informer().start();
        volumes.informer().awaitSync(Duration.ofSeconds(20));
        return object;
    }

    @Test
    void isFoundBeforeTheWatchTellsItsStatus() throws Exception {
        var object = known();
        server.faults().stallWatches(true);
        var status = "{\"status\": {\"volumeID\": \"%s\", \"currentSize\": \"1Gi\"}}";
        kube.mergePatchStatus(
                LogicalVolume.TYPE,
                object.key(),
                Json.parse(status.formatted(object.uid())).asObject());
        assertTrue(volumes.byVolumeId(object.uid()).isEmpty());
        var found = volumes.find(object.uid()).orElseThrow();
        assertEquals(object.uid(), found.status().volumeId());
    }

    /** The objects of a full node are read once, by the informer. */
    @Test
    void askingWhetherTheServerCanSelectReadsOneObject() throws Exception {
        known();
        var asked =
                server.faults().requests().stream()
                        .filter(request -> request.query().containsKey("fieldSelector"))
                        .filter(request -> !request.query().containsKey("watch"))
                        .map(request -> request.query().get("limit"))
                        .toList();
        assertEquals("1", asked.getFirst());
    }

    @Test
    void isNotFoundWhileItIsBeingMade() throws Exception {
        var object = known();
        assertTrue(volumes.find(object.uid()).isEmpty());
    }

    @Test
    void anIdThatNobodyHasCostsNoRequest() throws Exception {
        known();
        server.faults().forgetRequests();
        assertTrue(volumes.find("fake-vol-id").isEmpty());
        var asked =
                server.faults().requests().stream()
                        .filter(request -> !request.query().containsKey("watch")) // of the informer
                        .toList();
        assertEquals(List.of(), asked);
    }
}
