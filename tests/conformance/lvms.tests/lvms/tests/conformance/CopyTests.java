package lvms.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.k8s.object.Times;
import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.conformance.fault.Writer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;

/** Snapshots, restores and clones hold what their source held at that moment. */
class CopyTests extends InACluster {
    private static final int MIB = 8;
    private static final String FILE = "/data/file";
    private static final String SIZE = "320Mi";
    private static final String MORE_THAN_THE_DISK = "6Gi";

    /** Goes on in the container after the shell that starts it. */
    private static final String CHURN =
            """
            while :; do
                for i in 1 2 3 4; do
                    dd if=/dev/urandom of=/data/churn$i bs=64k count=16 2>/dev/null
                done
                rm /data/churn1 /data/churn3
            done >/dev/null 2>&1 &
            """;

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
        long nanos = box().contentOf("snap").number("status", "creationTime").orElseThrow();
        assertEquals(taken(), Instant.ofEpochSecond(0, nanos));
    }

    /** Returns when a node says that it took the only snapshot there is. */
    private static Instant taken() throws Exception {
        var snapshots =
                product().all(LogicalVolume.TYPE).stream()
                        .map(LogicalVolume::of)
                        .filter(LogicalVolume::isSnapshot)
                        .toList();
        assertEquals(1, snapshots.size());
        var annotation = Driver.TOPOLVM.takenAtAnnotation();
        return Times.parse(snapshots.getFirst().object().annotation(annotation).orElseThrow());
    }

    @Test
    void aCloneIsAVolumeOfItsOwn() throws Exception {
        box().start(thin("source", SIZE));
        var before = box().write("source", FILE, MIB);
        box().start(thin("clone", MORE_THAN_THE_DISK).ofClaim("source"));
        assertEquals(before, box().checksum("clone", FILE, MIB));
        assertTrue(filesystemMib("clone") > 5800, "has " + filesystemMib("clone") + " MiB");
        var changed = box().write("clone", FILE, MIB);
        assertEquals(before, box().checksum("source", FILE, MIB));
        assertEquals(changed, box().checksum("clone", FILE, MIB));
        requireAgreement();
    }

    @ParameterizedTest(name = "by a snapshot {0}")
    @ValueSource(booleans = {true, false})
    void aDeviceIsCopiedAsOne(boolean bySnapshot) throws Exception {
        box().start(thin("source", "32Mi").block());
        var before = box().write("source", "/dev/data", MIB);
        var copy = thin("copy", MORE_THAN_THE_DISK).block();
        if (bySnapshot) {
            box().snapshot("snap", "source");
            box().write("source", "/dev/data", MIB);
        }
        box().start(bySnapshot ? copy.ofSnapshot("snap") : copy.ofClaim("source"));
        assertEquals(before, box().checksum("copy", "/dev/data", MIB));
        assertEquals("6442450944", box().run("copy", "blockdev --getsize64 /dev/data"));
        var source = box().write("source", "/dev/data", MIB);
        assertEquals(before, box().checksum("copy", "/dev/data", MIB));
        assertEquals(source, box().checksum("source", "/dev/data", MIB));
        requireAgreement();
    }

    /**
     * As after a power cut: what was synced before the snapshot is there, in order, and the
     * filesystem is whole. Beside the lines, files come and go without a sync.
     */
    @Test
    void aSnapshotUnderWritesHoldsAllThatWasSynced() throws Exception {
        var source = Writer.start(product(), box(), thin("source", SIZE), "node2");
        box().run("source", CHURN);
        source.awaitMore(source.told());
        long synced = source.told();
        box().snapshot("snap", "source");
        long later = source.awaitMore(source.told());
        box().start(thin("restored", SIZE).ofSnapshot("snap"));
        var lines = box().run("restored", "cut -d' ' -f1,3 /data/log").lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            assertEquals(i + 1 + " ok", lines.get(i));
        }
        assertTrue(lines.size() >= synced, synced + " synced, " + lines.size());
        assertTrue(lines.size() <= later, later + " written, " + lines.size());
        box().run("restored", "cat /data/churn* >/dev/null; rm /data/churn*; sync");
        var node = product().cluster().node("node2");
        assertEquals("0", node.shell("dmesg | grep -ciE 'xfs.*(corrupt|shut)' || true").strip());
        source.assertHolds(source.awaitMore(later));
        assertEquals(0, source.restarts());
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
