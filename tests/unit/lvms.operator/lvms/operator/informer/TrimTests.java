package lvms.operator.informer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;

import org.junit.jupiter.api.Test;

import java.util.Map;

/** A cache keeps of a volume what somebody will read, and nothing else. */
class TrimTests {
    private static final String AFFINITY =
            "'nodeAffinity':{'required':{'nodeSelectorTerms':[{'matchExpressions':["
                    + "{'key':'topology.topolvm.io/node','operator':'In','values':['n1']}]}]}}";

    private static KubeObject volume(String label, String driver) {
        return object(
                "{'metadata':{'name':'v','labels':{'kubernetes.io/hostname':'"
                        + label
                        + "'}},'spec':{'csi':{'driver':'"
                        + driver
                        + "','volumeHandle':'h'},"
                        + AFFINITY
                        + "}}");
    }

    private static KubeObject object(String json) {
        return KubeObject.of(Json.parse(json.replace('\'', '"')).asObject());
    }

    private static KubeObject trim(KubeObject volume) {
        return Trim.persistentVolume(Drivers.DEFAULT, volume);
    }

    @Test
    void forgetsTheAffinityOfAVolumeThatHasItsNodesLabel() {
        assertEquals(
                object(
                        "{'metadata':{'name':'v'},"
                                + "'spec':{'csi':{'driver':'topolvm.io','volumeHandle':'h'}}}"),
                trim(volume("n1", "topolvm.io")));
    }

    @Test
    void keepsWhatTellsThatALabelIsWrong() {
        var mislabelled = volume("n2", "topolvm.io");
        assertEquals(mislabelled, trim(mislabelled));
    }

    @Test
    void keepsTheNameAloneOfAVolumeOfOthers() {
        assertEquals(object("{'metadata':{'name':'v'}}"), trim(volume("n1", "others.io")));
    }

    @Test
    void keepsTheVolumesOfEachDriverThatIsServed() {
        var legacy =
                object(
                        "{'metadata':{'name':'v'},'spec':{'csi':{'driver':'topolvm.cybozu.com',"
                                + "'volumeHandle':'h'},'claimRef':{'name':'c'}}}");
        var both = Drivers.of(Driver.TOPOLVM, Driver.LEGACY);
        assertEquals(legacy, Trim.persistentVolume(both, legacy));
        assertEquals(object("{'metadata':{'name':'v'}}"), trim(legacy));
    }

    @Test
    void keepsOfANodeWhatIsReadAndNothingElse() {
        var node =
                object(
                        "{'metadata':{'name':'n1','labels':{'a':'b'},"
                                + "'annotations':{'capacity.topolvm.io/vg1':'1','x':'y',"
                                + "'capacity.topolvm.cybozu.com/vg1':'2'}},"
                                + "'spec':{'taints':[{'key':'k'}]},"
                                + "'status':{'images':[]}}");
        assertEquals(
                object(
                        "{'metadata':{'name':'n1','labels':{'a':'b'},"
                                + "'annotations':{'capacity.topolvm.io/vg1':'1'}},"
                                + "'spec':{'taints':[{'key':'k'}]}}"),
                Trim.node(Drivers.DEFAULT, node));
        assertEquals(
                Map.of("capacity.topolvm.io/vg1", "1", "capacity.topolvm.cybozu.com/vg1", "2"),
                Trim.node(Drivers.of(Driver.TOPOLVM, Driver.LEGACY), node).annotations());
    }

    @Test
    void keepsOfACsiNodeTheEntriesOfOurDrivers() {
        var node =
                object(
                        "{'metadata':{'name':'n1','annotations':{'x':'y'}},'spec':{'drivers':["
                                + "{'name':'topolvm.io'},{'name':'others.io'}]}}");
        assertEquals(
                object("{'metadata':{'name':'n1'},'spec':{'drivers':[{'name':'topolvm.io'}]}}"),
                Trim.csiNode(Drivers.DEFAULT, node));
    }

    @Test
    void keepsOfAVolumeWhatTellsItsClaimAndClass() {
        var volume =
                object(
                        "{'metadata':{'name':'v'},'spec':{'csi':{'driver':'topolvm.io',"
                                + "'volumeHandle':'h','volumeAttributes':{'a':'b'}},"
                                + "'storageClassName':'c','accessModes':['ReadWriteOnce'],"
                                + "'claimRef':{'name':'c'}}}");
        assertEquals(
                object(
                        "{'metadata':{'name':'v'},'spec':{'csi':{'driver':'topolvm.io',"
                                + "'volumeHandle':'h'},'storageClassName':'c',"
                                + "'claimRef':{'name':'c'}}}"),
                trim(volume));
    }

    @Test
    void ofANodesStatusOnlyItsReadinessIsKeptWithoutTheHeartbeat() {
        var node =
                object(
                        "{'metadata':{'name':'n1'},'status':{'images':[{'names':['a']}],"
                                + "'conditions':[{'type':'DiskPressure','status':'False'},"
                                + "{'type':'Ready','status':'True','reason':'KubeletReady',"
                                + "'lastHeartbeatTime':'2026-01-01T00:05:00Z',"
                                + "'lastTransitionTime':'2026-01-01T00:00:00Z'}]}}");
        assertEquals(
                object(
                        "{'metadata':{'name':'n1'},'status':{'conditions':[{'type':'Ready',"
                                + "'status':'True',"
                                + "'lastTransitionTime':'2026-01-01T00:00:00Z'}]}}"),
                Trim.node(Drivers.DEFAULT, node));
    }
}
