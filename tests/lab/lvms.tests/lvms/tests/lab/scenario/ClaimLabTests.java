package lvms.tests.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.ListOptions;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A claim becomes one volume, and keeps it, whatever ends in the middle. */
@Lasts(seconds = 110)
@FullOnly("the demo and chaos kill what serves claims")
class ClaimLabTests {
    private static final Duration OUTAGE = Duration.ofSeconds(30);
    private static Scenario scenario;

    @BeforeAll
    static void start() throws Exception {
        scenario =
                Scenario.start(
                        "ClaimLabTests",
                        """
                        - name: vg1
                          default: true
                          fstype: ext4
                          thinPoolConfig:
                            name: thin-pool-1
                            sizePercent: 90
                            overprovisionRatio: 10
                        """);
    }

    @AfterAll
    static void end() {
        scenario.close();
    }

    @AfterEach
    void nothingIsLeftAndNothingWasRefused() throws Exception {
        scenario.cluster().server().faults().clear();
        scenario.removeAll();
        assertEquals(List.of(), scenario.cluster().violations());
    }

    @Test
    void isMountedGrowsAndGoes() throws Exception {
        scenario.claim("data", "1Gi");
        scenario.pod("data");
        scenario.awaitReady("data");
        assertEquals(1, scenario.volumesOnDisk().size());
        var size = Json.parse("{\"spec\":{\"resources\":{\"requests\":{\"storage\":\"2Gi\"}}}}");
        scenario.kube().mergePatch(Types.PVC, ObjectKey.of("default", "data"), size.asObject());
        scenario.await(
                "the claim has grown",
                () ->
                        scenario.find(Types.PVC, "data")
                                .orElseThrow()
                                .text("status", "capacity", "storage")
                                .orElse("")
                                .equals("2Gi"));
        long kib =
                Long.parseLong(scenario.inPod("data", "df --output=size /data | tail -1").strip());
        assertTrue(kib > 1_900_000, "the file system has " + kib + " KiB");
    }

    @Test
    void aClaimLargerThanAnyNodeStaysPendingAndMakesNothing() throws Exception {
        scenario.claim("huge", "10Ti");
        scenario.pod("huge");
        scenario.await(
                "an event tells why",
                () ->
                        scenario
                                .kube()
                                .list(Types.EVENT, ListOptions.all().namespace("default"))
                                .items()
                                .stream()
                                .anyMatch(
                                        event ->
                                                event.text("reason")
                                                                .orElse("")
                                                                .equals("FailedScheduling")
                                                        && event.text("regarding", "name")
                                                                .orElse("")
                                                                .equals("huge")));
        assertEquals(
                "Pending",
                scenario.find(Types.PVC, "huge").orElseThrow().text("status", "phase").orElse(""));
        assertEquals(List.of(), scenario.volumesOnDisk());
        assertEquals(List.of(), scenario.logicalVolumes());
    }

    @Test
    void survivesThirtySecondsWithoutApiServer() throws Exception {
        scenario.claim("outage", "1Gi");
        scenario.pod("outage");
        scenario.await("the volume is asked for", () -> !scenario.logicalVolumes().isEmpty());
        scenario.cluster().server().stop();
        TimeUnit.MILLISECONDS.sleep(
                OUTAGE.toMillis()); // the outage itself, not a wait for something
        scenario.cluster().server().restart();
        scenario.awaitReady("outage");
        assertEquals(1, scenario.volumesOnDisk().size());
        assertEquals(1, scenario.logicalVolumes().size());
    }

    @Test
    void survivesAnAgentKilledBetweenTheVolumeAndItsStatus() throws Exception {
        scenario.cluster()
                .server()
                .faults()
                .cutBefore(Statuses::ofLogicalVolume, Integer.MAX_VALUE);
        scenario.claim("window", "1Gi");
        scenario.pod("window");
        scenario.await("the volume is on disk", () -> scenario.volumesOnDisk().size() == 1);
        var volume = scenario.volumesOnDisk().getFirst();
        assertTrue(scenario.logicalVolumes().getFirst().text("status", "volumeID").isEmpty());
        scenario.killAgent(
                scenario.logicalVolumes().getFirst().text("spec", "nodeName").orElseThrow());
        scenario.cluster().server().faults().clear();
        scenario.awaitReady("window");
        assertEquals(List.of(volume), scenario.volumesOnDisk());
    }

    @Test
    void survivesAnAgentKilledAfterTheStatus() throws Exception {
        scenario.claim("after", "1Gi");
        scenario.pod("after");
        scenario.await(
                "the status is written",
                () ->
                        scenario.logicalVolumes().stream()
                                .anyMatch(lv -> lv.text("status", "volumeID").isPresent()));
        scenario.killAgent(
                scenario.logicalVolumes().getFirst().text("spec", "nodeName").orElseThrow());
        scenario.awaitReady("after");
        assertEquals(1, scenario.volumesOnDisk().size());
    }

    @Test
    void keepsDataThroughAPowerCutWhileMounted() throws Exception {
        scenario.claim("power", "1Gi");
        scenario.pod("power");
        var node = scenario.awaitReady("power").text("spec", "nodeName").orElseThrow();
        var sum =
                scenario.inPod(
                        "power",
                        "head -c 8388608 /dev/urandom >/data/file; sync; sha256sum /data/file");
        scenario.cluster().powerCut(node);
        scenario.cluster().bootAgain(node);
        scenario.await(
                "the volume is mounted again",
                () -> scenario.cluster().kubelet(node).volumesInUse().size() == 1);
        scenario.await("the pod runs again", () -> scenario.runs("power"));
        assertEquals(sum, scenario.inPod("power", "sha256sum /data/file"));
    }

    /** Requests that write the status of a LogicalVolume. */
    private static final class Statuses {
        static boolean ofLogicalVolume(lvms.k8s.testkit.Faults.Seen request) {
            return request.target().contains("/logicalvolumes/")
                    && request.target().endsWith("/status")
                    && !request.method().equals("GET");
        }
    }
}
