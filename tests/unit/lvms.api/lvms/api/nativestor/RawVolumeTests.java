package lvms.api.nativestor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.VolumeAffinity;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.Optional;

/** A PersistentVolume tells whether its RawDevice knows of it. */
class RawVolumeTests {
    private static final String EARLIER = "2026-01-01T00:00:00Z";
    private static final String LATER = "2026-01-02T00:00:00Z";

    private static RawVolume volume(String phase, String created) {
        var object =
                KubeObject.create(Types.PV, ObjectKey.cluster("pvc-1"))
                        .with(created, "metadata", "creationTimestamp")
                        .with("nativestor.alauda.io", "spec", "csi", "driver")
                        .with("raw1", "spec", "csi", "volumeHandle")
                        .with("4Gi", "spec", "capacity", "storage")
                        .with(VolumeAffinity.of(RawDevice.DRIVER, "node1"), "spec", "nodeAffinity")
                        .with(phase, "status", "phase");
        return new RawVolume(object);
    }

    private static KubeObject device(String created) {
        var spec = new RawDevice.Spec("node1", 4L << 30, "disk", "/dev/sdb", 8, 16, "", true, "");
        return RawDevice.create("raw1", spec, Map.of("WWN", "naa.1"))
                .with(created, "metadata", "creationTimestamp");
    }

    private static boolean unknown(RawVolume volume, KubeObject device) {
        return volume.isUnknownTo(Optional.of(RawDevice.of(device)));
    }

    @Test
    void itSaysWhichDeviceOfWhichNodeItIs() {
        var volume = volume("Bound", LATER);
        assertTrue(RawVolume.is(volume.object()));
        assertEquals("raw1", volume.handle());
        assertEquals(Optional.of("node1"), volume.node());
        assertEquals(4L << 30, volume.sizeBytes());
        assertEquals(Map.of(), volume.identity());
        var noted = RawDevice.of(device(EARLIER)).object().annotation(RawDevice.IDENTITY);
        var object =
                volume.object()
                        .with(noted.orElseThrow(), "metadata", "annotations", RawDevice.IDENTITY);
        assertEquals(Map.of("WWN", "naa.1"), new RawVolume(object).identity());
        assertFalse(RawVolume.is(volume.object().with("topolvm.io", "spec", "csi", "driver")));
    }

    @Test
    void anObjectThatIsGoneKnowsOfNoVolume() {
        assertTrue(volume("Bound", LATER).isUnknownTo(Optional.empty()));
        assertTrue(volume("Released", LATER).isUnknownTo(Optional.empty()));
    }

    @Test
    void oneWithAVolumeOrWithWhatAVolumeLeftKnows() {
        var made = device(LATER);
        assertFalse(unknown(volume("Bound", EARLIER), made.with("raw1", "status", "name")));
        var left = made.with(RawDevice.USED, "metadata", "annotations", RawDevice.CONTENT);
        assertFalse(unknown(volume("Bound", EARLIER), left));
    }

    @Test
    void aBoundVolumeHasItsDeviceWhateverIsOlder() {
        assertTrue(unknown(volume("Bound", EARLIER), device(LATER)));
        assertTrue(unknown(volume("Bound", LATER), device(EARLIER)));
    }

    /** The device of a volume that is retained was given back, or its object was made anew. */
    @Test
    void aReleasedVolumeHadADeviceThatIsOlder() {
        assertTrue(unknown(volume("Released", EARLIER), device(LATER)));
        assertFalse(unknown(volume("Released", LATER), device(EARLIER)));
        assertTrue(unknown(volume("Released", EARLIER), device(EARLIER)));
    }
}
