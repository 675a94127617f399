package lvms.operator.rawdevice;

import static lvms.operator.rawdevice.RawCluster.GIB;
import static lvms.operator.rawdevice.RawCluster.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import lvms.api.nativestor.RawDevice;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The operator's page says how the raw devices of each node are, while they are served. */
class RawDeviceMetricsTests {
    private static final List<String> STATES =
            List.of("allocated", "available", "erasing", "lost", "unavailable", "unerased");

    private RawCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = RawCluster.withNode();
        cluster.createClass("now", "");
    }

    @AfterEach
    void end() throws Exception {
        cluster.close();
    }

    /** Returns the values by state; of a node without series it is empty. */
    private Map<String, String> counts(String node) {
        var beginning = "lvms_raw_devices{node=\"" + node + "\",state=\"";
        return cluster.measures(beginning).stream()
                .map(line -> line.substring(beginning.length()).split("\"} "))
                .collect(Collectors.toMap(words -> words[0], words -> words[1]));
    }

    /** Waits until a node has one device in each of these states, and none in any other. */
    private void awaitOneOfEach(String node, String... states) throws Exception {
        var wanted = new TreeMap<String, String>();
        STATES.forEach(state -> wanted.put(state, "0"));
        Arrays.stream(states).forEach(state -> wanted.put(state, "1"));
        cluster.await("the counts are " + wanted, () -> counts(node).equals(wanted));
    }

    private void assertAvailable(String node, long bytes) {
        assertEquals(
                List.of("lvms_raw_device_available_bytes{node=\"%s\"} %d".formatted(node, bytes)),
                cluster.measures("lvms_raw_device_available_bytes{node=\"" + node + "\"}"));
    }

    private void note(String device, String annotation, String value) throws Exception {
        cluster.patch(
                RawDevice.TYPE,
                ObjectKey.cluster(device),
                "{'metadata':{'annotations':{'%s':%s}}}".formatted(annotation, value));
    }

    @Test
    void theLifeOfADeviceIsSeen() throws Exception {
        var device = cluster.device("n1", "/dev/sdb", 5 * GIB);
        cluster.say(cluster.device("n1", "/dev/sdc", 9 * GIB), false, "it has a filesystem");
        awaitOneOfEach("n1", "available", "unavailable");
        assertAvailable("n1", 5 * GIB);

        cluster.agent.hold();
        cluster.createClaim("data", "now", "5Gi");
        awaitOneOfEach("n1", "allocated", "unavailable");
        cluster.agent.resume();
        cluster.awaitVolumeOf("data");
        cluster.awaitUnmarked(device);
        awaitOneOfEach("n1", "allocated", "unavailable");
        assertAvailable("n1", 0);

        cluster.say(device, false, "the device is gone");
        awaitOneOfEach("n1", "lost", "unavailable");
        cluster.say(device, false, "");
        awaitOneOfEach("n1", "allocated", "unavailable");

        cluster.delete(Types.PVC, claim("data"));
        awaitOneOfEach("n1", "erasing", "unavailable");
        note(device, RawDevice.ERASURE_FAILURE, "'a program has it open'");
        awaitOneOfEach("n1", "unerased", "unavailable");
        note(device, RawDevice.ERASURE_FAILURE, "null");
        cluster.say(device, false, "the device is gone"); // with what the volume left on it
        awaitOneOfEach("n1", "unerased", "unavailable");
        cluster.say(device, true, "");
        cluster.agent.erase();
        awaitOneOfEach("n1", "available", "unavailable");
        assertAvailable("n1", 5 * GIB);
    }

    /** The devices of volumes stay for the day on which their node comes back, unlike others. */
    @Test
    void aNodeThatIsGoneHasNoSeries() throws Exception {
        cluster.node("n2");
        cluster.device("n1", "/dev/sdb", 5 * GIB);
        cluster.device("n2", "/dev/sdb", 9 * GIB);
        cluster.createClaim("data", "now", "9Gi");
        cluster.awaitVolumeOf("data");
        awaitOneOfEach("n2", "allocated");
        cluster.delete(Types.NODE, ObjectKey.cluster("n2"));
        cluster.await("its series are gone", () -> counts("n2").isEmpty());
        assertEquals(List.of(), cluster.measures("lvms_raw_device_available_bytes{node=\"n2\"}"));
        awaitOneOfEach("n1", "available");
        cluster.delete(Types.CSI_NODE, ObjectKey.cluster("n2"));
        cluster.node("n2");
        awaitOneOfEach("n2", "allocated");
    }

    @Test
    void whoServesNoRawDevicesHasNoSeries() throws Exception {
        cluster.device("n1", "/dev/sdb", 5 * GIB);
        awaitOneOfEach("n1", "available");
        cluster.delete(Types.CSI_DRIVER, RawCluster.DRIVER);
        cluster.await("it is no longer served", () -> cluster.measures("lvms_raw_").isEmpty());
        cluster.createDriver("LVMCluster");
        awaitOneOfEach("n1", "available");
        assertAvailable("n1", 5 * GIB);
    }

    /** As a sidecar would count them: the erasure after a deletion is nobody's call. */
    @Test
    void whatASidecarWouldCallIsMeasured() throws Exception {
        cluster.device("n1", "/dev/sdb", 5 * GIB);
        cluster.createClaim("large", "now", "9Gi");
        cluster.awaitEvent("large", "ProvisioningFailed", "the largest free raw device");
        cluster.createClaim("data", "now", "5Gi");
        cluster.awaitVolumeOf("data");
        assertEquals(List.of(" 1"), calls("CreateVolume", "OK"));
        assertFalse(calls("CreateVolume", "ResourceExhausted").isEmpty());
        cluster.delete(Types.PVC, claim("data"));
        cluster.await("it is deleted", () -> !calls("DeleteVolume", "OK").isEmpty());
    }

    private List<String> calls(String method, String code) {
        var series =
                ("csi_sidecar_operations_seconds_count{driver_name=\"nativestor.alauda.io\","
                                + "method_name=\"/csi.v1.Controller/%s\",grpc_status_code=\"%s\"}")
                        .formatted(method, code);
        return cluster.measures(series).stream()
                .map(line -> line.substring(series.length()))
                .toList();
    }
}
