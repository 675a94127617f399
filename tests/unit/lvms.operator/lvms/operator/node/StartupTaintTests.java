package lvms.operator.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.Names;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Taint;
import lvms.k8s.tree.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Optional;

/** When a new Node may lose the taint that keeps pods away, and which taints it keeps. */
class StartupTaintTests {
    private static final String CAPACITY = "'capacity.topolvm.io/ssd':'0'";
    private static final StartupTaint TAINT = new StartupTaint(Names.STARTUP_TAINT);

    private static KubeObject object(String text) {
        return KubeObject.of(Json.parse(text.replace('\'', '"')).asObject());
    }

    private static KubeObject node(String annotations) {
        return object(
                "{'metadata':{'name':'n1','uid':'u-1','annotations':{"
                        + annotations
                        + "}},'spec':{'taints':[{'key':'a','effect':'NoSchedule'},"
                        + "{'key':'lvms.topolvm.io/agent-not-ready','value':'true',"
                        + "'effect':'NoSchedule'}]}}");
    }

    private static KubeObject csiNode(String owner, String drivers) {
        return object(
                "{'metadata':{'name':'n1','ownerReferences':[{'apiVersion':'v1','kind':'Node',"
                        + "'name':'n1','uid':'"
                        + owner
                        + "'}]},'spec':{'drivers':["
                        + drivers
                        + "]}}");
    }

    @ParameterizedTest(name = "owner {0}, driver {1}, capacity {2}: {3}")
    @CsvSource({
        "u-1,topolvm.io,true,true",
        "u-1,topolvm.io,false,false",
        "u-1,other.io,true,false",
        "u-0,topolvm.io,true,false"
    })
    void kubeletAndAgentOfThisVeryNodeHaveToBeThere(
            String owner, String driver, boolean capacity, boolean served) {
        var node = node(capacity ? CAPACITY : "");
        var csiNode = csiNode(owner, "{'name':'" + driver + "'}");
        assertEquals(served, StartupTaint.isServed(node, Optional.of(csiNode), Drivers.DEFAULT));
    }

    @Test
    void withoutACsiNodeNobodyMounts() {
        var node = node(CAPACITY);
        assertEquals(false, StartupTaint.isServed(node, Optional.empty(), Drivers.DEFAULT));
    }

    /** In a cluster whose LogicalVolumes were converted. */
    @Test
    void everyDriverHasToBeServed() {
        var both = Drivers.of(Driver.TOPOLVM, Driver.CONVERTED);
        var legacy = ",'capacity.topolvm.cybozu.com/ssd':'0'";
        var one = Optional.of(csiNode("u-1", "{'name':'topolvm.io'}"));
        var two =
                Optional.of(csiNode("u-1", "{'name':'topolvm.io'},{'name':'topolvm.cybozu.com'}"));
        assertEquals(false, StartupTaint.isServed(node(CAPACITY + legacy), one, both));
        assertEquals(false, StartupTaint.isServed(node(CAPACITY), two, both));
        assertEquals(true, StartupTaint.isServed(node(CAPACITY + legacy), two, both));
    }

    @Test
    void otherTaintsStay() {
        var node = node("");
        var without = node.with(TAINT.without(node), "spec", "taints");
        assertEquals(List.of(new Taint("a", "", "NoSchedule")), Taint.of(without));
        assertEquals(true, TAINT.isOn(node));
        assertEquals(false, TAINT.isOn(without));
    }

    @Test
    void aTaintThatTheClusterAutoscalerKnowsIsTakenToo() {
        var key = "startup-taint.cluster-autoscaler.kubernetes.io/lvms";
        assertEquals(key, new StartupTaint(key).key());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "node.kubernetes.io/unschedulable",
                "lvms.topolvm.io/",
                "startup-taint.cluster-autoscaler.kubernetes.io/other"
            })
    void theTaintOfAnybodyElseIsRefused(String key) {
        assertThrows(IllegalArgumentException.class, () -> new StartupTaint(key));
    }
}
