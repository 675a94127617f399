package lvms.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;

import org.junit.jupiter.api.Test;

/** Snapshots, restores and clones hold what their source held at that moment. */
class CopyTests extends InACluster {
    private static final int MIB = 8;
    private static final String FILE = "/data/file";
    private static final String SIZE = "320Mi";

    private static Claim thin(String name, String size) {
        return Claim.of(name, Product.THIN_CLASS, size);
    }

    private long filesystemMib(String pod) throws Exception {
        return Long.parseLong(box().run(pod, "df -Pm /data | tail -n 1 | awk '{print $2}'"));
    }

    @Test
    void aSnapshotIsRestoredBesideItsSource() throws Exception {
        box().start(thin("source", SIZE));
        var before = box().write("source", FILE, MIB);
        box().snapshot("snap", "source");
        var after = box().write("source", FILE, MIB);
        box().start(thin("restored", SIZE).ofSnapshot("snap"));
        assertEquals(box().nodeOf("source"), box().nodeOf("restored"));
        assertEquals(before, box().checksum("restored", FILE, MIB));
        assertEquals(after, box().checksum("source", FILE, MIB));
        box().write("restored", FILE, MIB);
        assertEquals(after, box().checksum("source", FILE, MIB));
        requireAgreement();
    }

    @Test
    void aSnapshotIsRestoredToALargerVolume() throws Exception {
        box().start(thin("source", SIZE));
        var before = box().write("source", FILE, MIB);
        box().snapshot("snap", "source");
        box().start(thin("larger", "640Mi").ofSnapshot("snap"));
        assertEquals(before, box().checksum("larger", FILE, MIB));
        assertTrue(filesystemMib("larger") > 560, "has " + filesystemMib("larger") + " MiB");
        box().awaitCapacity("larger", "640Mi");
        requireAgreement();
    }

    @Test
    void aSnapshotTellsItsSizeAndDriver() throws Exception {
        box().start(thin("source", SIZE));
        box().snapshot("snap", "source");
        var snapshot = box().find(Types.VOLUME_SNAPSHOT, "snap").orElseThrow();
        assertEquals(SIZE, snapshot.text("status", "restoreSize").orElse(""));
        assertTrue(snapshot.text("status", "creationTime").isPresent());
    }

    @Test
    void aCloneIsAVolumeOfItsOwn() throws Exception {
        box().start(thin("source", SIZE));
        var before = box().write("source", FILE, MIB);
        box().start(thin("clone", "400Mi").ofClaim("source"));
        assertEquals(before, box().checksum("clone", FILE, MIB));
        var changed = box().write("clone", FILE, MIB);
        assertEquals(before, box().checksum("source", FILE, MIB));
        assertEquals(changed, box().checksum("clone", FILE, MIB));
        requireAgreement();
    }

    @Test
    void aDeviceIsCopiedAsOne() throws Exception {
        box().start(thin("source", "32Mi").block());
        var before = box().write("source", "/dev/data", MIB);
        box().snapshot("snap", "source");
        box().write("source", "/dev/data", MIB);
        box().start(thin("restored", "64Mi").block().ofSnapshot("snap"));
        assertEquals(before, box().checksum("restored", "/dev/data", MIB));
        assertEquals("67108864", box().run("restored", "blockdev --getsize64 /dev/data"));
        requireAgreement();
    }

    @Test
    void aRestoreOfAnotherSizeClassOrSourceSaysWhyItCannotBe() throws Exception {
        box().start(thin("source", SIZE));
        box().snapshot("snap", "source");
        box().create(thin("smaller", "32Mi").ofSnapshot("snap"));
        box().create(Pod.with("smaller", "smaller"));
        box().awaitEvent("smaller", "ProvisioningFailed");
        box().create(Claim.of("thick", Product.THICK_CLASS, SIZE).ofSnapshot("snap"));
        box().create(Pod.with("thick", "thick"));
        box().awaitEvent("thick", "ProvisioningFailed");
    }
}
