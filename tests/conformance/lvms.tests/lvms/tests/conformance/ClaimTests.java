package lvms.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A pod gets the volume that its claim asks for, and finds its data again. */
class ClaimTests extends InACluster {
    private static final String FILE = "/data/file";
    private static final int MIB = 8;
    private static final String MARK = "the-mark-of-one-tenant--";
    private static final String NOT_ZERO = "tr -d '\\0' </dev/data | wc -c";

    @ParameterizedTest(name = "{1} on a {0} volume")
    @CsvSource({"thin, xfs, 320Mi", "thick, ext4, 64Mi", "thick, btrfs, 128Mi"})
    void aFilesystemKeepsItsDataWhenThePodIsReplaced(String deviceClass, String fsType, String size)
            throws Exception {
        var storageClass = box().storageClass(fsType, deviceClass, fsType, "WaitForFirstConsumer");
        box().start(Claim.of("app", storageClass, size));
        assertEquals(fsType, box().run("app", "grep ' /data ' /proc/mounts | cut -d' ' -f3"));
        var written = box().write("app", FILE, MIB);
        requireAgreement();
        box().remove(Types.POD, "app");
        box().create(Pod.with("again", "app"));
        box().awaitReady("again");
        assertEquals(written, box().checksum("again", FILE, MIB));
        var node = box().volumeOf("app").value("spec", "nodeAffinity").orElseThrow().toString();
        assertTrue(node.contains(box().nodeOf("again")), node);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"thin, 32Mi", "thick, 32Mi"})
    void aBlockVolumeIsTheDeviceAndKeepsItsData(String deviceClass, String size) throws Exception {
        box().start(Claim.of("app", "lvms-" + deviceClass, size).block());
        assertEquals("33554432", box().run("app", "blockdev --getsize64 /dev/data"));
        var written = box().write("app", "/dev/data", MIB);
        requireAgreement();
        box().remove(Types.POD, "app");
        box().create(Pod.of("again").device("data", "app"));
        box().awaitReady("again");
        assertEquals(written, box().checksum("again", "/dev/data", MIB));
    }

    @Safety(17)
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"thick", "thin"})
    void aBlockVolumeShowsNothingOfTheTenantBefore(String deviceClass) throws Exception {
        var storageClass = "lvms-" + deviceClass;
        box().start(Claim.of("before", storageClass, "64Mi").block());
        box().run("before", "yes " + MARK + " | dd of=/dev/data bs=1M count=64 iflag=fullblock");
        assertEquals("2684354", box().run("before", "sync; grep -ac " + MARK + " /dev/data"));
        var node = box().nodeOf("before");
        var place = place("before");
        box().remove(Types.POD, "before");
        var volume = box().volumeOf("before");
        box().remove(Types.PVC, "before");
        awaitGone(Types.PV, volume);

        box().create(Claim.of("next", storageClass, "32Mi").block());
        box().create(Pod.of("next").device("data", "next").on(node));
        box().awaitReady("next");
        assertEquals(place, place("next"));
        assertEquals("0", box().run("next", NOT_ZERO));
        box().grow("next", "64Mi");
        box().awaitCapacity("next", "64Mi");
        assertEquals("67108864", box().run("next", "blockdev --getsize64 /dev/data"));
        assertEquals("0", box().run("next", NOT_ZERO));
    }

    /** Returns the disk and the extent where the claim's volume begins; of a thin one, its pool. */
    private String place(String claim) throws Exception {
        var id = box().logicalVolumeOf(claim).status().volumeId();
        var node = product().cluster().node(box().nodeOf(claim));
        var rows = "lvm lvs --noheadings -o pool_lv,seg_pe_ranges -S lv_name=" + id;
        return node.shell(rows).strip().replaceFirst("-\\d+$", "");
    }

    @Test
    void aClaimWaitsForItsFirstConsumerOrDoesNotAsItsClassSays() throws Exception {
        var immediate = box().storageClass("immediate", Product.THICK, "ext4", "Immediate");
        box().create(Claim.of("late", Product.THICK_CLASS, "32Mi"));
        box().create(Claim.of("early", immediate, "32Mi"));
        box().awaitBound("early");
        box().awaitEvent("late", "WaitForFirstConsumer");
        assertEquals("Pending", box().phase("late"));
        box().create(Pod.of("app").mount("a", "late").mount("b", "early"));
        box().awaitReady("app");
        requireAgreement();
    }

    @Test
    void aClaimWithoutAClassGetsTheDefaultOne() throws Exception {
        var claim = Claim.of("app", "", "320Mi").object(box().namespace());
        product().kube().create(Types.PVC, claim.without("spec", "storageClassName"));
        box().create(Pod.with("app", "app"));
        box().awaitReady("app");
        assertEquals(
                Product.THIN_CLASS,
                box().find(Types.PVC, "app").orElseThrow().text("spec", "storageClassName").get());
    }

    @Test
    void twoPodsShareAVolumeOnItsNode() throws Exception {
        box().start(Claim.of("first", Product.THICK_CLASS, "64Mi"));
        box().create(Pod.of("second").mountReadOnly("data", "first"));
        box().awaitReady("second");
        assertEquals(box().nodeOf("first"), box().nodeOf("second"));
        var written = box().write("first", FILE, MIB);
        assertEquals(written, box().checksum("second", FILE, MIB));
        assertThrows(IllegalStateException.class, () -> box().run("second", "touch /data/denied"));
        requireAgreement();
        box().remove(Types.POD, "first");
        assertEquals(written, box().checksum("second", FILE, MIB));
    }

    @Test
    void onePodAloneMayHaveAVolumeOfModeReadWriteOncePod() throws Exception {
        box().start(Claim.of("first", Product.THICK_CLASS, "32Mi").access("ReadWriteOncePod"));
        box().create(Pod.with("second", "first"));
        box().awaitEvent("second", "FailedScheduling", "ReadWriteOncePod");
        box().remove(Types.POD, "first");
        box().awaitReady("second");
    }

    @ParameterizedTest(name = "{0}, a device {2}")
    @CsvSource({"thick, 32Mi, false", "thin, 320Mi, false", "thin, 32Mi, true"})
    void anEphemeralVolumeComesAndGoesWithItsPod(String deviceClass, String size, boolean device)
            throws Exception {
        box().create(Pod.of("app").ephemeral("scratch", "lvms-" + deviceClass, size, device));
        box().awaitReady("app");
        box().write("app", device ? "/dev/scratch" : "/scratch/file", MIB);
        requireAgreement();
        var volume = box().volumeOf("app-scratch");
        box().remove(Types.POD, "app");
        box().awaitGone(Types.PVC, "app-scratch");
        awaitGone(Types.PV, volume);
    }

    @Test
    void theGroupOfAPodMayWriteItsVolume() throws Exception {
        box().create(Claim.of("app", Product.THICK_CLASS, "32Mi"));
        var pod = Pod.with("app", "app").object(box().namespace());
        pod = pod.with(1000, "spec", "securityContext", "runAsUser");
        pod = pod.with(2000, "spec", "securityContext", "fsGroup");
        product().kube().create(Types.POD, pod);
        box().awaitReady("app");
        assertEquals("1000 2000", box().run("app", "touch /data/f; stat -c '%u %g' /data/f"));
    }

    @Test
    void tenVolumesOfOnePodAreThere() throws Exception {
        var pod = Pod.of("app");
        for (int i = 0; i < 10; i++) {
            box().create(Claim.of("claim" + i, Product.THICK_CLASS, "16Mi"));
            pod = pod.mount("data" + i, "claim" + i);
        }
        box().create(pod);
        box().awaitReady("app");
        assertEquals("10", box().run("app", "grep -c ' /data[0-9] ext4 ' /proc/mounts"));
        requireAgreement();
        assertFalse(box().nodeOf("app").isEmpty());
    }
}
