package lvms.operator.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Driver;
import lvms.api.Names;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Taint;
import lvms.k8s.object.Types;
import lvms.operator.NodeSettings;
import lvms.tests.support.Nodes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.Optional;

/** A Node that was registered with the start-up taint loses it when pods with volumes may come. */
@Timeout(120)
class TaintedNodeTests {
    private static final Taint OTHER = new Taint("dedicated", "db", "NoSchedule");
    private static final Taint STARTUP = new Taint(Names.STARTUP_TAINT, "", "NoSchedule");
    private static final NodeSettings ON = new NodeSettings(Names.STARTUP_TAINT, Optional.empty());

    private DriverCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new DriverCluster();
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    /** As kubelet makes it with {@code --register-with-taints}. */
    private void kubeletStarts(String name) throws Exception {
        Nodes.create(
                cluster.kube,
                KubeObject.of(
                        DriverCluster.object(
                                "{'apiVersion':'v1','kind':'Node','metadata':{'name':'"
                                        + name
                                        + "'},'spec':{'taints':[{'key':'dedicated',"
                                        + "'value':'db','effect':'NoSchedule'},"
                                        + "{'key':'lvms.topolvm.io/agent-not-ready',"
                                        + "'effect':'NoSchedule'}]}}")));
    }

    private void driverIsRegistered(String node) throws Exception {
        var uid = cluster.kube.get(Types.NODE, ObjectKey.cluster(node)).uid();
        cluster.create(
                Types.CSI_NODE,
                ("{'metadata':{'name':'NODE','ownerReferences':[{'apiVersion':'v1','kind':'Node',"
                                + "'name':'NODE','uid':'UID'}]},'spec':{'drivers':[{"
                                + "'name':'topolvm.io','nodeID':'NODE',"
                                + "'topologyKeys':['topology.topolvm.io/node']}]}}")
                        .replace("NODE", node)
                        .replace("UID", uid));
    }

    private void capacityIsReported(String node) throws Exception {
        var found = cluster.kube.get(Types.NODE, ObjectKey.cluster(node));
        cluster.kube.mergePatch(
                Types.NODE,
                MergePatch.of(found).annotation(Driver.TOPOLVM.capacityAnnotation("ssd"), "1024"));
    }

    private List<Taint> taints(String node) throws Exception {
        return Taint.of(cluster.kube.get(Types.NODE, ObjectKey.cluster(node)));
    }

    private void awaitUntainted(String node) throws Exception {
        cluster.await(
                node + " has lost the start-up taint alone",
                () -> taints(node).equals(List.of(OTHER)));
    }

    @Test
    void pullsTheTaintOnceKubeletKnowsTheDriverAndTheAgentToldItsCapacity() throws Exception {
        cluster.choose(ON);
        cluster.startOperator();
        kubeletStarts("early");
        capacityIsReported("early"); // the agent is there, and kubelet has not asked it yet
        kubeletStarts("empty");
        driverIsRegistered("empty");
        kubeletStarts("served");
        driverIsRegistered("served");
        capacityIsReported("served");
        awaitUntainted("served");
        assertEquals(List.of(OTHER, STARTUP), taints("early"));
        assertEquals(List.of(OTHER, STARTUP), taints("empty"));
        driverIsRegistered("early");
        awaitUntainted("early");
        capacityIsReported("empty");
        awaitUntainted("empty");
    }

    /** As after a rolling update of the agents: pods that came wait for kubelet's next try. */
    @Test
    void aDriverThatGoesBringsNoTaintBack() throws Exception {
        cluster.choose(ON);
        cluster.startOperator();
        kubeletStarts("n1");
        driverIsRegistered("n1");
        capacityIsReported("n1");
        awaitUntainted("n1");
        cluster.delete(Types.CSI_NODE, ObjectKey.cluster("n1"));
        kubeletStarts("n2");
        driverIsRegistered("n2");
        capacityIsReported("n2");
        awaitUntainted("n2"); // a later change was worked on
        assertEquals(List.of(OTHER), taints("n1"));
    }

    @Test
    void nobodyTouchesATaintUnlessToldTo() throws Exception {
        cluster.startOperator();
        cluster.agent.addNode("ready", 1 << 30);
        kubeletStarts("n1");
        driverIsRegistered("n1");
        capacityIsReported("n1");
        cluster.createClass("fast", "");
        cluster.createClaim("data", "fast", "1Mi", "");
        cluster.awaitBound("data"); // the operator works
        assertEquals(List.of(OTHER, STARTUP), taints("n1"));
    }
}
