package lvms.operator.provision;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonParser;

import lvms.api.Driver;
import lvms.k8s.object.KubeObject;
import lvms.operator.informer.Caches;

import org.junit.jupiter.api.Test;

/** A cache keeps of a volume what somebody will read, and nothing else. */
class CachesTests {
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
        return KubeObject.of(JsonParser.parseString(json.replace('\'', '"')).getAsJsonObject());
    }

    private static KubeObject trim(KubeObject volume) {
        return Caches.trimVolume(Driver.TOPOLVM, volume);
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
}
