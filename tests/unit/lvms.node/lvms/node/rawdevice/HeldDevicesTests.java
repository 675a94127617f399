package lvms.node.rawdevice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.VolumeAffinity;
import lvms.api.nativestor.RawDevice;
import lvms.api.nativestor.RawVolume;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.ApiStatus;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.lvm2.label.PvLabel;
import lvms.node.disk.Host;
import lvms.node.disk.NodeDevice;
import lvms.node.disk.TestDevice;
import lvms.node.proof.DiskTaking;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** No volume group gets, and nobody wipes, a disk that a raw-device volume has. */
class HeldDevicesTests {
    private static final TestDevice HELD = TestDevice.disk("sdb").identified("naa.1");
    private static final TestDevice FREE = TestDevice.disk("sdc").identified("naa.2");

    private final List<NodeDevice> disks = new ArrayList<>();
    private final List<String> wiped = new ArrayList<>();
    private List<RawDevice> known = List.of();
    private List<RawDevice> onServer = List.of();
    private List<RawDevice> deleted = List.of();
    private List<RawVolume> volumes = List.of();

    /** The machine; only what is asked for here is there. */
    private final class Machine implements Host {
        @Override
        public List<NodeDevice> devices() {
            return List.copyOf(disks);
        }

        @Override
        public Optional<String> kernelName(Path path) {
            return Optional.of(path.toString());
        }

        @Override
        public PvLabel label(NodeDevice device) throws IOException {
            throw new IOException("no label");
        }

        @Override
        public String labelStamp(NodeDevice device) throws IOException {
            throw new IOException("no label");
        }

        @Override
        public boolean hasData(NodeDevice device) {
            return false;
        }

        @Override
        public long sequence(String kernelName) {
            return 0;
        }

        @Override
        public DiskTaking lastLook(NodeDevice device) {
            return new DiskTaking(device.name(), true, false, List.of());
        }

        @Override
        public void wipe(NodeDevice device) {
            wiped.add(device.name());
        }

        @Override
        public String fingerprint() {
            return "";
        }
    }

    private Host host() {
        return new HeldDevices(new Machine(), () -> ledger(known), () -> ledger(onServer));
    }

    private RawLedger ledger(List<RawDevice> objects) {
        return new RawLedger("node1", objects, deleted, volumes);
    }

    private static RawDevice object(String path, Map<String, String> identity, String volumeId) {
        var spec =
                new RawDevice.Spec(
                        "node1", 10 * TestDevice.GIB, "disk", path, 8, 16, "", false, "");
        return RawDevice.of(
                RawDevice.create("raw1", spec, identity).with(volumeId, "status", "name"));
    }

    private List<String> uses(String kernelName) throws Exception {
        return host().devices().stream()
                .filter(device -> device.kernelName().equals(kernelName))
                .findFirst()
                .orElseThrow()
                .uses();
    }

    private List<String> obstacles(TestDevice device) throws Exception {
        return host().lastLook(device.device()).obstacles();
    }

    @Test
    void whateverIsInThePlaceOfADiskThatIsKnownByItIsInUse() throws Exception {
        var place = TestDevice.disk("sdb").pluggedInto("pci-5").sized(20 * TestDevice.GIB);
        disks.addAll(List.of(place.device(), FREE.device()));
        known = List.of(object("/dev/sdq", Map.of("BY_PATH", "pci-5"), "raw1"));
        assertEquals(List.of("raw device raw1"), uses("/dev/sdb"));
        assertEquals(List.of(), uses("/dev/sdc"));
    }

    @Test
    void aDiskThatAVolumeHasIsInUseUnderAnyName() throws Exception {
        disks.addAll(List.of(HELD.device(), FREE.device()));
        known = List.of(object("/dev/sdq", Map.of("WWN", "naa.1"), "raw1"));
        assertEquals(List.of("raw device raw1"), uses("/dev/sdb"));
        assertEquals(List.of(), uses("/dev/sdc"));
    }

    @Test
    void anotherDiskUnderItsPathIsFree() throws Exception {
        disks.add(FREE.device());
        known = List.of(object("/dev/sdc", Map.of("WWN", "naa.1"), "raw1"));
        assertEquals(List.of(), uses("/dev/sdc"));
    }

    @Test
    void whatAVolumeHadIsInUseUntilItIsErased() throws Exception {
        disks.add(HELD.device());
        var left =
                object("/dev/sdb", Map.of("WWN", "naa.1"), "")
                        .object()
                        .with(RawDevice.USED, "metadata", "annotations", RawDevice.CONTENT);
        onServer = List.of(RawDevice.of(left));
        assertEquals(
                List.of("is raw device raw1, which is erased before another volume gets it"),
                obstacles(HELD));
    }

    @Test
    void oneThatNobodyHasIsFree() throws Exception {
        disks.add(HELD.device());
        known = List.of(object("/dev/sdb", Map.of("WWN", "naa.1"), ""));
        assertEquals(List.of(), uses("/dev/sdb"));
    }

    @Test
    void ofTwoThatCannotBeToldApartBothAreInUse() throws Exception {
        disks.addAll(List.of(HELD.device(), TestDevice.disk("sdx").identified("naa.1").device()));
        known = List.of(object("/dev/sdb", Map.of("WWN", "naa.1"), "raw1"));
        assertEquals(1, uses("/dev/sdb").size());
        assertEquals(1, uses("/dev/sdx").size());
    }

    @Test
    void anObjectOfNativestorHoldsWhatIsAtItsPath() throws Exception {
        disks.addAll(List.of(HELD.device(), FREE.device()));
        known = List.of(object("/dev/sdc", Map.of(), "raw1"));
        assertEquals(List.of("raw device raw1"), uses("/dev/sdc"));
    }

    @Test
    void aPartitionThatAPodMadeIsInUseToo() throws Exception {
        disks.addAll(List.of(HELD.device(), TestDevice.of("sdb1", "part").on("sdb").device()));
        known = List.of(object("/dev/sdb", Map.of("WWN", "naa.1"), "raw1"));
        assertEquals(List.of("a part of raw device raw1"), uses("/dev/sdb1"));
    }

    @Test
    void theServerIsAskedRightBeforeADiskIsTaken() throws Exception {
        disks.addAll(List.of(HELD.device(), FREE.device()));
        onServer = List.of(object("/dev/sdb", Map.of("WWN", "naa.1"), "raw1"));
        assertEquals(List.of("is raw device raw1"), obstacles(HELD));
        assertEquals(List.of(), obstacles(FREE));
    }

    private static KubeObject created(KubeObject object, String when) {
        return object.with(when, "metadata", "creationTimestamp");
    }

    private static RawVolume volume(String handle, Map<String, String> identity) {
        var object =
                KubeObject.create(Types.PV, ObjectKey.cluster("pvc-1"))
                        .with(RawDevice.DRIVER.name(), "spec", "csi", "driver")
                        .with(handle, "spec", "csi", "volumeHandle")
                        .with("10Gi", "spec", "capacity", "storage")
                        .with(VolumeAffinity.of(RawDevice.DRIVER, "node1"), "spec", "nodeAffinity");
        return new RawVolume(
                created(object, "2026-01-02T00:00:00Z")
                        .with(
                                RawDevice.text(identity),
                                "metadata",
                                "annotations",
                                RawDevice.IDENTITY));
    }

    @Test
    void oneWhoseObjectSomebodyDeletesIsInUse() throws Exception {
        disks.addAll(List.of(HELD.device(), FREE.device()));
        deleted = List.of(object("/dev/sdb", Map.of("WWN", "naa.1"), "raw1"));
        assertEquals(List.of("raw device raw1"), uses("/dev/sdb"));
        assertEquals(List.of(), uses("/dev/sdc"));
    }

    @Test
    void aPersistentVolumeSaysWhoseADiskIs() throws Exception {
        disks.addAll(List.of(HELD.device(), FREE.device()));
        volumes = List.of(volume("raw1", Map.of("WWN", "naa.1")));
        assertEquals(List.of("is raw device raw1 of volume pvc-1"), obstacles(HELD));
        assertEquals(List.of(), obstacles(FREE));
        assertThrows(IOException.class, () -> host().wipe(HELD.device()));
    }

    /** The path of its disk is another disk's by now, and so is the name of its object. */
    @Test
    void anObjectOfItsNameMayBeAnotherDisks() throws Exception {
        disks.addAll(List.of(HELD.device(), FREE.device()));
        volumes = List.of(volume("raw1", Map.of("WWN", "naa.1")));
        onServer = List.of(object("/dev/sdc", Map.of("WWN", "naa.2"), ""));
        assertEquals(List.of("is raw device raw1 of volume pvc-1"), obstacles(HELD));
        assertEquals(List.of(), obstacles(FREE));
    }

    @Test
    void withoutAWordOfTheDiskEachThatIsLargeEnoughMayBeIt() throws Exception {
        var small = TestDevice.disk("sdd").identified("naa.3").sized(9 * TestDevice.GIB);
        disks.addAll(List.of(HELD.device(), FREE.device(), small.device()));
        volumes = List.of(volume("raw1", Map.of()));
        var known = object("/dev/sdc", Map.of("WWN", "naa.2"), "").object();
        onServer =
                List.of(
                        RawDevice.of(
                                created(known, "2026-01-01T00:00:00Z")
                                        .with("raw2", "metadata", "name")));
        assertEquals(
                List.of(
                        "is perhaps that of PersistentVolume pvc-1, whose RawDevice raw1 is gone,"
                                + " and nothing says which disk it was"),
                obstacles(HELD));
        assertEquals(List.of(), obstacles(FREE)); // somebody knew it before
        assertEquals(List.of(), obstacles(small));
    }

    @Test
    void ofNativestorsVolumeTheDiskAtItsPathIsIt() throws Exception {
        disks.addAll(List.of(HELD.device(), FREE.device()));
        var handle = RawDevice.nameOf("node1", "/dev/sdb");
        volumes = List.of(volume(handle, Map.of()));
        assertEquals(List.of("is raw device " + handle + " of volume pvc-1"), obstacles(HELD));
        assertEquals(List.of(), obstacles(FREE));
    }

    @Test
    void nobodyWipesIt() throws Exception {
        disks.addAll(List.of(HELD.device(), FREE.device()));
        onServer = List.of(object("/dev/sdb", Map.of("WWN", "naa.1"), "raw1"));
        assertThrows(IOException.class, () -> host().wipe(HELD.device()));
        host().wipe(FREE.device());
        assertEquals(List.of("/dev/sdc"), wiped);
    }

    @Test
    void withoutAnAnswerNothingIsTaken() {
        disks.add(FREE.device());
        var silent =
                new HeldDevices(
                        new Machine(),
                        () -> ledger(known),
                        () -> {
                            throw ApiException.of(
                                    "list rawdevices",
                                    new ApiStatus(
                                            403,
                                            "Forbidden",
                                            "no role",
                                            List.of(),
                                            Optional.empty()));
                        });
        var failure = assertThrows(IOException.class, () -> silent.lastLook(FREE.device()));
        assertTrue(failure.getMessage().startsWith("/dev/sdc may be a raw device"));
        assertThrows(IOException.class, () -> silent.wipe(FREE.device()));
        assertEquals(List.of(), wiped);
    }
}
