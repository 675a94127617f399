package lvms.operator.csi;

import static lvms.operator.csi.DriverCluster.claim;

import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.Types;

import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Whoever reads the metrics of the CSI sidecars finds them: each operation is one call, with the
 * code that a driver would have answered, however many passes it takes.
 */
class SidecarCallsTests {
    private static final long GIB = 1L << 30;
    private static final String COUNT = "csi_sidecar_operations_seconds_count{";

    private static DriverCluster withClaim() throws Exception {
        var cluster = DriverCluster.withNode(10 * GIB);
        cluster.createClass("fast", "");
        cluster.createClaim("data", "fast", "1Gi", "");
        cluster.awaitBound("data");
        return cluster;
    }

    /** Returns the counts by method and code; all are of the one driver. */
    private static Map<String, String> calls(DriverCluster cluster) {
        return cluster.page()
                .lines()
                .filter(line -> line.startsWith(COUNT))
                .collect(
                        Collectors.toMap(
                                line ->
                                        line.substring(COUNT.length(), line.indexOf('}'))
                                                .replace("driver_name=\"topolvm.io\",", "")
                                                .replace("method_name=\"/csi.v1.", "")
                                                .replace("\",grpc_status_code=\"", " ")
                                                .replace("\"", ""),
                                line -> line.substring(line.indexOf('}') + 2)));
    }

    private static void awaitCalls(DriverCluster cluster, Map<String, String> wanted)
            throws Exception {
        cluster.await("the calls are " + wanted, () -> calls(cluster).equals(wanted));
    }

    @Test
    void theLifeOfAVolumeIsACallForEachOperation() throws Exception {
        try (var cluster = withClaim()) {
            var wanted = new HashMap<>(Map.of("Controller/CreateVolume OK", "1"));
            awaitCalls(cluster, wanted);
            cluster.patch(
                    Types.PVC,
                    claim("data"),
                    "{'spec':{'resources':{'requests':{'storage':'2Gi'}}}}");
            wanted.put("Controller/ControllerExpandVolume OK", "1");
            awaitCalls(cluster, wanted);
            cluster.delete(Types.PVC, claim("data"));
            cluster.awaitNothingLeft();
            wanted.put("Controller/DeleteVolume OK", "1");
            awaitCalls(cluster, wanted);
        }
    }

    /** A node that takes its time makes the call long, and not many of it. */
    @Test
    void aCallLastsFromTheFirstPassToTheLast() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.createClass("fast", "");
            cluster.agent.hold();
            long asked = System.nanoTime();
            cluster.createClaim("data", "fast", "1Gi", "");
            cluster.await("it was begun", () -> cluster.volumes().size() == 1);
            long begun = System.nanoTime();
            cluster.patch(Types.PVC, claim("data"), "{'metadata':{'labels':{'a':'pass'}}}");
            cluster.await("time has passed", () -> System.nanoTime() - begun > 50_000_000);
            double least = (System.nanoTime() - begun) / 1e9;
            cluster.agent.resume();
            cluster.awaitBound("data");
            awaitCalls(cluster, Map.of("Controller/CreateVolume OK", "1"));
            double most = (System.nanoTime() - asked) / 1e9;
            double seconds = seconds(cluster);
            assertTrue(least <= seconds && seconds <= most, least + " " + seconds + " " + most);
        }
    }

    private static double seconds(DriverCluster cluster) {
        return cluster.page()
                .lines()
                .filter(line -> line.startsWith("csi_sidecar_operations_seconds_sum{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf('}') + 2)))
                .sum();
    }
}
