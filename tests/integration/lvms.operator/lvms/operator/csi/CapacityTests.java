package lvms.operator.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Names;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.ProvisionerSettings;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

/** The scheduler sees what each node has free for each class that waits for it. */
class CapacityTests {
    private static final long GIB = 1L << 30;
    static final String WAIT = ",'volumeBindingMode':'WaitForFirstConsumer'";

    private static List<KubeObject> published(DriverCluster cluster) throws Exception {
        return cluster.list(Types.CSI_STORAGE_CAPACITY);
    }

    static String capacity(DriverCluster cluster, String node) throws Exception {
        return published(cluster).stream()
                .filter(object -> object.textMap("nodeTopology", "matchLabels").containsValue(node))
                .findFirst()
                .flatMap(CapacityTests::volume)
                .orElse("");
    }

    /** A volume is on one node, so the largest one is what the object says of both. */
    private static Optional<String> volume(KubeObject object) {
        return object.text("maximumVolumeSize").filter(object.text("capacity").orElse("")::equals);
    }

    private static String topolvms(String name, String capacity) {
        return ("{'metadata':{'namespace':'lvms-system','name':'%s','labels':{"
                        + "'csi.storage.k8s.io/drivername':'topolvm.io',"
                        + "'csi.storage.k8s.io/managed-by':'external-provisioner'}},"
                        + "'storageClassName':'waits','capacity':'%s','nodeTopology':"
                        + "{'matchLabels':{'topology.topolvm.io/node':'n1'}}}")
                .formatted(name, capacity);
    }

    private static String elsewhere(String name, String fields) {
        return ("{'metadata':{'name':'%s'},'provisioner':'topolvm.io','parameters':"
                        + "{'topolvm.io/device-class':'elsewhere'}%s}")
                .formatted(name, fields);
    }

    @Test
    void thereIsOneForEachClassThatWaitsAndEachNode() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.agent.addNode("n2", 20 * GIB);
            cluster.createClass("waits", WAIT);
            cluster.createClass("immediate", "");
            cluster.await("two are published", () -> published(cluster).size() == 2);
            assertEquals("10Gi", capacity(cluster, "n1"));
            assertEquals("20Gi", capacity(cluster, "n2"));
            assertTrue(
                    published(cluster).stream()
                            .allMatch(o -> o.text("storageClassName").orElse("").equals("waits")));
        }
    }

    @Test
    void aChangeOfTheNodeIsPublished() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.createClass("waits", WAIT);
            cluster.await("it is published", () -> capacity(cluster, "n1").equals("10Gi"));
            cluster.agent.enlarge("n1", 5 * GIB);
            cluster.await("it is updated", () -> capacity(cluster, "n1").equals("15Gi"));
            cluster.createClass("immediate", "");
            cluster.createClaim("data", "immediate", "1Gi", "");
            cluster.await("the claim shows", () -> capacity(cluster, "n1").equals("14Gi"));
        }
    }

    /** The scheduler would send the next claims to a node that is full by now. */
    @Test
    void whatIsPromisedIsNotOfferedAgain() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.createClass("waits", WAIT);
            cluster.createClass("immediate", "");
            cluster.await("it is published", () -> capacity(cluster, "n1").equals("10Gi"));
            cluster.agent.hold();
            cluster.createClaim("data", "immediate", "4Gi", "");
            cluster.createClaim("more", "immediate", "3Gi", "");
            cluster.await("both are subtracted", () -> capacity(cluster, "n1").equals("3Gi"));
            cluster.delete(Types.PVC, DriverCluster.claim("data"));
            cluster.await("one is given up", () -> capacity(cluster, "n1").equals("7Gi"));
            cluster.agent.resume();
            cluster.awaitBound("more");
            cluster.await("the report counts once", () -> capacity(cluster, "n1").equals("7Gi"));
            cluster.delete(Types.PVC, DriverCluster.claim("more"));
            var measured = "controller_persistentvolume_delete_duration_seconds_count";
            cluster.await(
                    "the deletion is measured",
                    () -> cluster.measures(measured + "{class=\"immediate\"} 1"));
        }
    }

    @Test
    void classesThatDoNotWaitArePublishedWhereThatWasChosen() throws Exception {
        var chosen = new ProvisionerSettings("", true, false);
        try (var cluster = DriverCluster.withNode(10 * GIB, chosen)) {
            cluster.createClass("immediate", "");
            cluster.await("it is published", () -> capacity(cluster, "n1").equals("10Gi"));
        }
    }

    @Test
    void aClassThatIsClosedOnANodeGetsNothingNewThereUntilItIsOpenAgain() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.createClass("waits", WAIT);
            cluster.createClass("immediate", "");
            cluster.annotateNode(Names.NO_NEW_VOLUMES_ANNOTATION, "'*'");
            cluster.await("it is published", () -> capacity(cluster, "n1").equals("0"));
            cluster.createClaim("data", "immediate", "1Gi", "");
            var text = cluster.awaitEvent("ProvisioningFailed");
            assertTrue(text.contains("node n1 gets no new volumes"), text);
            cluster.annotateNode(Names.NO_NEW_VOLUMES_ANNOTATION, "null");
            cluster.awaitBound("data");
            cluster.await("it is open", () -> capacity(cluster, "n1").equals("9Gi"));
        }
    }

    @Test
    void manyChangesCostFewWrites() throws Exception {
        try (var cluster = DriverCluster.withNode(100 * GIB)) {
            cluster.createClass("waits", WAIT);
            cluster.createClass("immediate", "");
            cluster.await("it is published", () -> capacity(cluster, "n1").equals("100Gi"));
            cluster.server.faults().forgetRequests();
            for (int i = 0; i < 20; i++) {
                cluster.agent.enlarge("n1", GIB);
            }
            cluster.await("the last is shown", () -> capacity(cluster, "n1").equals("120Gi"));
            long writes =
                    cluster.server.faults().requests().stream()
                            .filter(r -> r.method().equals("PATCH"))
                            .filter(r -> r.target().contains("csistoragecapacities"))
                            .count();
            assertTrue(writes < 20, "writes: " + writes);
        }
    }

    /**
     * As external-provisioner wrote it for TopoLVM, which does not say how large a volume can be.
     */
    @Test
    void anObjectOfTopolvmIsKeptAndGetsTheLargestVolume() throws Exception {
        try (var cluster = new DriverCluster()) {
            cluster.agent.addNode("n1", 10 * GIB);
            cluster.createClass("waits", WAIT);
            cluster.create(Types.CSI_STORAGE_CAPACITY, topolvms("csisc-old", "10Gi"));
            cluster.startOperator();
            cluster.await("it says both", () -> capacity(cluster, "n1").equals("10Gi"));
            assertEquals("csisc-old", published(cluster).getFirst().name());
        }
    }

    @Test
    void aNodeWithoutTheClassHasNoRoomAndAClaimSaysWhy() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.create(Types.STORAGE_CLASS, elsewhere("waits", WAIT));
            cluster.create(Types.STORAGE_CLASS, elsewhere("immediate", ""));
            cluster.await("no room is published", () -> capacity(cluster, "n1").equals("0"));
            cluster.createClaim("data", "immediate", "1Gi", "");
            cluster.awaitEvent("ProvisioningFailed", "but no node reports this device class");
            cluster.createClaim("pinned", "waits", "1Gi", "");
            cluster.patch(
                    Types.PVC,
                    DriverCluster.claim("pinned"),
                    "{'metadata':{'annotations':{'volume.kubernetes.io/selected-node':'n1'}}}");
            cluster.awaitEvent(
                    "ProvisioningFailed",
                    "1GiB requested of device class elsewhere, but node n1 does not report this"
                            + " device class");
            assertTrue(cluster.volumes().isEmpty(), "nothing was begun");
        }
    }

    @Test
    void whatNobodyNeedsAnyMoreGoes() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.createClass("waits", WAIT);
            cluster.await("it is published", () -> published(cluster).size() == 1);
            cluster.await(
                    "it is counted",
                    () ->
                            cluster.measures("csistoragecapacities_desired_goal 1")
                                    && cluster.measures("csistoragecapacities_desired_current 1")
                                    && cluster.measures("csistoragecapacities_obsolete 0"));
            cluster.delete(Types.STORAGE_CLASS, ObjectKey.cluster("waits"));
            cluster.await("it is gone", () -> published(cluster).isEmpty());
            cluster.await(
                    "nothing is wanted any more",
                    () ->
                            cluster.measures("csistoragecapacities_desired_goal 0")
                                    && cluster.measures("csistoragecapacities_obsolete 0"));
        }
    }

    @Test
    void whatSomebodyDeletesComesBackAndDuplicatesGo() throws Exception {
        try (var cluster = DriverCluster.withNode(10 * GIB)) {
            cluster.createClass("waits", WAIT);
            cluster.await("it is published", () -> published(cluster).size() == 1);
            cluster.delete(Types.CSI_STORAGE_CAPACITY, published(cluster).getFirst().key());
            cluster.await("it is back", () -> capacity(cluster, "n1").equals("10Gi"));
            cluster.create(Types.CSI_STORAGE_CAPACITY, topolvms("csisc-old", "1Gi"));
            cluster.await(
                    "one is left, and it is right",
                    () -> published(cluster).size() == 1 && capacity(cluster, "n1").equals("10Gi"));
        }
    }
}
