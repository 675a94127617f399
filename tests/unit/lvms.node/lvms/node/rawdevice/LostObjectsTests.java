package lvms.node.rawdevice;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.nativestor.RawDevice;
import lvms.k8s.object.KubeObject;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An agent that sees the RawDevice of a volume go knows what it has to make again. */
class LostObjectsTests {
    private final LostObjects lost = new LostObjects(null, "node1", null); // nothing is asked

    private static KubeObject object(String uid) {
        var spec = new RawDevice.Spec("node1", 4L << 30, "disk", "/dev/sdb", 8, 16, "", true, "");
        return RawDevice.create("raw1", spec, Map.of("WWN", "naa.1")).with(uid, "metadata", "uid");
    }

    private static KubeObject left(String uid) {
        return object(uid).with(RawDevice.USED, "metadata", "annotations", RawDevice.CONTENT);
    }

    private static KubeObject had(String uid) {
        return left(uid).with("raw1", "status", "name");
    }

    private void change(KubeObject before, KubeObject after) {
        lost.changed(Optional.ofNullable(before), Optional.ofNullable(after));
    }

    private List<String> lost(KubeObject... objects) {
        var known = List.of(objects).stream().map(RawDevice::of).toList();
        return lost.known(known).lost(List.of()).stream().map(RawDevice::volumeId).toList();
    }

    @Test
    void whatAVolumeHadIsMissedUntilItIsThereAgain() {
        change(had("1"), null);
        assertEquals(List.of("raw1"), lost());
        assertEquals(List.of("raw1"), lost(object("2")));
        change(null, had("2"));
        assertEquals(List.of(), lost(had("2")));
        change(left("2"), null);
        assertEquals(List.of(""), lost());
    }

    @Test
    void aFreeOneIsNotMissed() {
        change(object("1"), null);
        assertEquals(List.of(), lost());
    }

    @Test
    void oneOfAnotherNodeIsNotMissed() {
        change(had("1").with("node2", "spec", "nodeName"), null);
        assertEquals(List.of(), lost());
    }

    /** A backup was brought back, or the object was made anew while nobody watched. */
    @Test
    void oneThatIsFreeAtOnceHasLostItsVolume() {
        change(had("1"), object("1"));
        assertEquals(List.of("raw1"), lost(object("1")));
        change(object("1"), had("1"));
        change(left("1"), object("2"));
        assertEquals(List.of(""), lost(object("2")));
    }

    @Test
    void oneThatIsGivenBackAndErasedIsFree() {
        change(had("1"), left("1"));
        change(left("1"), object("1"));
        assertEquals(List.of(), lost(object("1")));
    }
}
