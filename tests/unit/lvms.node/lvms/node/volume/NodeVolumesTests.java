package lvms.node.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import lvms.api.LogicalVolume;

import org.junit.jupiter.api.Test;

/** Where the server cannot select by node, objects of other nodes cost next to nothing. */
class NodeVolumesTests {
    @Test
    void ownObjectsAreKeptWhole() {
        var own = Volumes.object("pvc-1", "1Gi");
        assertSame(own, NodeVolumes.ownOrStub(LogicalVolume.TYPE, own, Volumes.NODE));
    }

    @Test
    void ofOthersOnlyTheIdentityIsKept() {
        var other = Volumes.made("1Gi").object().with("7", "metadata", "resourceVersion");
        var stub = NodeVolumes.ownOrStub(LogicalVolume.TYPE, other, "n2");
        assertEquals(other.key(), stub.key());
        assertEquals("7", stub.resourceVersion());
        assertEquals(true, stub.text("status", "volumeID").isEmpty());
        assertEquals(true, stub.text("spec", "nodeName").isEmpty());
    }
}
