package lvms.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.ApiException;
import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A claim that asks for more gets it, in use or not, and what is in it stays. */
class ExpansionTests extends InACluster {
    private static final int MIB = 8;
    private static final String FILE = "/data/file";
    private static final String KILOBYTES = "df -Pk /data | tail -n 1 | awk '{print $2}'";

    private long filesystemBytes(String pod) throws Exception {
        return Long.parseLong(box().run(pod, KILOBYTES)) << 10;
    }

    /**
     * A thin volume may outgrow its pool of 3.6 GiB as far as overprovisioning goes. A small btrfs
     * keeps two copies of everything, and counts half of its device.
     */
    @ParameterizedTest(name = "{1} on a {0} volume")
    @CsvSource({
        "thin, xfs, 320, 6144, 5600",
        "thick, ext4, 64, 192, 112",
        "thick, btrfs, 128, 256, 48"
    })
    void aMountedFilesystemGrows(
            String deviceClass, String fsType, int fromMib, int toMib, int gainedMib)
            throws Exception {
        var storageClass = box().storageClass(fsType, deviceClass, fsType, "WaitForFirstConsumer");
        box().start(Claim.of("app", storageClass, fromMib + "Mi"));
        var written = box().write("app", FILE, MIB);
        long before = filesystemBytes("app");
        box().grow("app", toMib + "Mi");
        box().awaitCapacity("app", toMib + "Mi");
        long gained = filesystemBytes("app") - before;
        assertTrue(gained >= (long) gainedMib << 20, "gained only " + gained);
        assertEquals(written, box().checksum("app", FILE, MIB));
        requireAgreement();
    }

    @Test
    void aDeviceInUseGrows() throws Exception {
        box().start(Claim.of("app", Product.THIN_CLASS, "32Mi").block());
        var written = box().write("app", "/dev/data", MIB);
        box().grow("app", "6Gi"); // more than its pool has
        box().awaitCapacity("app", "6Gi");
        assertEquals("6442450944", box().run("app", "blockdev --getsize64 /dev/data"));
        assertEquals(written, box().checksum("app", "/dev/data", MIB));
        requireAgreement();
    }

    @Test
    void aFilesystemThatNobodyUsesGrowsWhenItIsMountedNext() throws Exception {
        box().start(Claim.of("app", Product.THICK_CLASS, "64Mi"));
        var written = box().write("app", FILE, MIB);
        long before = filesystemBytes("app");
        box().remove(Types.POD, "app");
        box().grow("app", "192Mi");
        box().patience()
                .until(
                        "the volume has grown",
                        () ->
                                box().volumeOf("app")
                                        .text("spec", "capacity", "storage")
                                        .filter("192Mi"::equals)
                                        .isPresent());
        box().create(Pod.with("again", "app"));
        box().awaitReady("again");
        box().awaitCapacity("app", "192Mi");
        long gained = filesystemBytes("again") - before;
        assertTrue(gained > 112L << 20, "gained only " + gained);
        assertEquals(written, box().checksum("again", FILE, MIB));
        requireAgreement();
    }

    @Test
    void aDeviceThatNobodyUsesGrowsAtOnce() throws Exception {
        box().start(Claim.of("app", Product.THICK_CLASS, "32Mi").block());
        var written = box().write("app", "/dev/data", MIB);
        box().remove(Types.POD, "app");
        box().grow("app", "64Mi");
        box().awaitCapacity("app", "64Mi");
        box().create(Pod.of("again").device("data", "app"));
        box().awaitReady("again");
        assertEquals("67108864", box().run("again", "blockdev --getsize64 /dev/data"));
        assertEquals(written, box().checksum("again", "/dev/data", MIB));
    }

    @ParameterizedTest(name = "{1} on a {0} volume")
    @CsvSource({"thick, ext4, 64, 128", "thick, btrfs, 128, 256", "thin, xfs, 320, 384"})
    void growthBeyondWhatTheNodeHasSaysSoAndCanBeTakenBack(
            String deviceClass, String fsType, int fromMib, int toMib) throws Exception {
        var storageClass = box().storageClass(fsType, deviceClass, fsType, "WaitForFirstConsumer");
        box().start(Claim.of("app", storageClass, fromMib + "Mi"));
        var written = box().write("app", FILE, MIB);
        box().grow("app", "1000Gi");
        box().awaitEvent("app", "VolumeResizeFailed");
        assertEquals(written, box().checksum("app", FILE, MIB));
        box().grow("app", toMib + "Mi");
        box().awaitCapacity("app", toMib + "Mi");
        assertEquals(written, box().checksum("app", FILE, MIB));
        requireAgreement();
    }

    @Test
    void aVolumeDoesNotShrink() throws Exception {
        box().start(Claim.of("app", Product.THICK_CLASS, "64Mi"));
        assertThrows(ApiException.class, () -> box().grow("app", "32Mi"));
    }
}
