package lvms.node.rawdevice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.VolumeAffinity;
import lvms.api.nativestor.RawDevice;
import lvms.api.nativestor.RawVolume;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.node.disk.TestDevice;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Of all volumes whose RawDevice is missing, one at most has a disk. */
class RawLedgerTests {
    private static final PresentDevice DISK =
            PresentDevice.of(TestDevice.disk("sdb").identified("naa.1").device());

    private static RawVolume volume(String name, String handle, String phase, int day) {
        var object =
                KubeObject.create(Types.PV, ObjectKey.cluster(name))
                        .with("2026-01-0" + day + "T00:00:00Z", "metadata", "creationTimestamp")
                        .with("WWN=naa.1", "metadata", "annotations", RawDevice.IDENTITY)
                        .with(RawDevice.DRIVER.name(), "spec", "csi", "driver")
                        .with(handle, "spec", "csi", "volumeHandle")
                        .with("4Gi", "spec", "capacity", "storage")
                        .with(VolumeAffinity.of(RawDevice.DRIVER, "node1"), "spec", "nodeAffinity")
                        .with(phase, "status", "phase");
        return new RawVolume(object);
    }

    private static RawDevice device(String name, String volumeId) {
        var spec = new RawDevice.Spec("node1", 4L << 30, "disk", "/dev/sdb", 8, 16, "", true, "");
        return RawDevice.of(
                RawDevice.create(name, spec, Map.of("WWN", "naa.1"))
                        .with(volumeId, "status", "name"));
    }

    private static List<String> lost(RawLedger ledger) {
        return ledger.lost(List.of(DISK)).stream()
                .map(device -> device.volume().orElseThrow())
                .toList();
    }

    @Test
    void theOneWithAClaimHasTheDisk() {
        var volumes =
                List.of(
                        volume("former", "raw1", "Released", 2),
                        volume("present", "raw2", "Bound", 1),
                        volume("another", "raw3", "Released", 3));
        var ledger = new RawLedger("node1", List.of(), List.of(), volumes);
        assertEquals(List.of("present"), lost(ledger));
        assertFalse(ledger.complete());
    }

    @Test
    void elseTheNewestHasIt() {
        var volumes =
                List.of(
                        volume("former", "raw1", "Released", 2),
                        volume("latest", "raw1", "Released", 3));
        assertEquals(
                List.of("latest"), lost(new RawLedger("node1", List.of(), List.of(), volumes)));
    }

    /** A volume that is retained may be left over, and its device has been given to the next. */
    @Test
    void whoHasTheDiskKeepsIt() {
        var volumes = List.of(volume("former", "raw1", "Released", 2));
        var ledger = new RawLedger("node1", List.of(device("raw2", "raw2")), List.of(), volumes);
        assertEquals(List.of(), lost(ledger));
        assertEquals(Optional.empty(), ledger.mayHave(DISK, List.of(DISK)));
    }

    @Test
    void anotherNodesVolumeIsNotMissedHere() {
        var volumes = List.of(volume("present", "raw2", "Bound", 1));
        var ledger = new RawLedger("node2", List.of(), List.of(), volumes);
        assertEquals(List.of(), lost(ledger));
        assertTrue(ledger.complete());
    }
}
