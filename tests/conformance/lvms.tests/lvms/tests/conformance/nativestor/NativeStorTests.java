package lvms.tests.conformance.nativestor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.nativestor.RawDevice;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.tests.cluster.ClusterNode;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.conformance.InACluster;
import lvms.tests.conformance.fault.Writer;
import lvms.tests.lab.machine.Disk;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A TopolvmCluster beside an LVMCluster, as its users edit it while pods have volumes of it. */
@Lasts(seconds = 150)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@FullOnly("the integration tests of a TopolvmCluster have the same edits")
class NativeStorTests extends InACluster {
    private static final long GIB = 1L << 30;
    private static final String FILE = "/data/file";
    private static final int MIB = 8;
    private static final String DEVICE = "/dev/data"; // of a pod
    private static final String WITH_UDEV = "node2"; // where a disk without a serial number counts
    private static final double NANOS = 1e9;
    private static final String GROUPS =
            "vgs --noheadings --separator : -o vg_uuid,pv_count,vg_name hddvg 2>/dev/null || true";

    @TempDir private static Path folder;
    private static NativeStorSite site;
    private static final List<Disk> FIRST = new ArrayList<>();
    private static final List<Disk> SECOND = new ArrayList<>();

    @BeforeAll
    static void addWhatNativeStorsUsersHave() throws Exception {
        for (var node : nodes()) {
            FIRST.add(node.addDisk(13 * GIB)); // lvmd keeps 10 GiB if nobody says otherwise
            SECOND.add(node.addDisk(3 * GIB));
        }
        site = new NativeStorSite(product(), folder);
        site.install();
    }

    @AfterAll
    static void takeItAway() throws Exception {
        site.remove();
        for (int node = 0; node < nodes().size(); node++) {
            nodes().get(node).removeDisk(FIRST.get(node));
            nodes().get(node).removeDisk(SECOND.get(node));
        }
        product().awaitReady();
        requireAgreement();
    }

    private static List<ClusterNode> nodes() throws Exception {
        return product().cluster().nodes();
    }

    /** One entry for each node, as in NativeStor's manual. */
    private static String listed() throws Exception {
        var entries = new ArrayList<String>();
        for (int node = 0; node < nodes().size(); node++) {
            entries.add(
                    """
                    {nodeName: %s, classes: [{className: hdd, volumeGroup: hddvg, default: true,
                      spareGb: 1, devices: [{name: %s, type: disk}]}]}
                    """
                            .formatted(nodes().get(node).name(), FIRST.get(node).device())
                            .strip());
        }
        return "{useAllNodes: false, useAllDevices: false, useLoop: false, deviceClasses: "
                + entries
                + "}";
    }

    /** The same devices have the same names on all nodes. */
    private static String everywhere(List<List<Disk>> disks) {
        var devices =
                disks.stream()
                        .map(all -> "{name: " + all.getFirst().device() + ", type: disk}")
                        .toList();
        return "{useAllNodes: true, useAllDevices: false, useLoop: false, volumeGroupName: hddvg,"
                + " className: hdd, devices: "
                + devices
                + "}";
    }

    private static String groups() throws Exception {
        var found = new ArrayList<String>();
        for (var node : nodes()) {
            found.add(node.shell(GROUPS).strip());
        }
        return found.toString();
    }

    /** The old classes' volumes stay as they are while the spec gets another shape, and grows. */
    @Test
    @Order(1)
    void aPodGoesOnWhileItsClusterIsEdited() throws Exception {
        site.apply(false, listed());
        site.awaitServed();
        System.out.println(product().kubectl("get", "topolvmclusters", "-A", "--output=wide"));
        var writer = Writer.start(product(), box(), claim("old"), nodes().getFirst().name());
        var written = box().write("old", FILE, MIB);
        var before = groups();

        site.apply(false, everywhere(List.of(FIRST)));
        site.awaitServed();
        assertEquals(before, groups());
        site.apply(false, everywhere(List.of(FIRST, SECOND)));
        site.awaitServed();
        product()
                .patience()
                .untilNothingMissing(
                        "the groups have grown",
                        () -> groups().equals(before.replace(":1:", ":2:")) ? "" : groups());
        box().start(claim("new"));
        box().start(Claim.of("beside", Product.THIN_CLASS, "320Mi"));

        writer.assertHolds(writer.awaitMore(writer.told()));
        assertEquals(0, writer.restarts());
        assertEquals(written, box().checksum("old", FILE, MIB));
        requireAgreement();
    }

    private static Claim claim(String name) {
        return Claim.of(name, NativeStorSite.HDD_CLASS, "32Mi");
    }

    /** A cluster waits for its volumes; its groups go only if it says so. */
    @Test
    @Order(2)
    void aClusterThatIsDeletedLeavesWhatItIsToldToLeave() throws Exception {
        var before = groups();
        box().start(claim("last"));
        var written = box().write("last", FILE, MIB);
        site.deleteCluster();
        var volume = box().logicalVolumeOf("last").name();
        product()
                .patience()
                .untilNothingMissing("the volume is named", () -> missingFromEvents(volume));
        assertEquals(written, box().checksum("last", FILE, MIB));
        box().clear();
        site.awaitGone();
        assertEquals(before, groups());

        site.apply(true, everywhere(List.of(FIRST, SECOND)));
        site.awaitServed();
        assertEquals(before, groups());
        site.deleteCluster();
        site.awaitGone();
        for (var node : nodes()) {
            assertEquals("", node.shell(GROUPS).strip(), node.name());
        }
    }

    /** A disk that is plugged in is a pod's, and after that nobody's, with nothing on it. */
    @Test
    @Order(3)
    @FullOnly("a whole disk is erased")
    void aNewDiskIsGivenToAPodAndIsEmptyForTheNext() throws Exception {
        var node = product().cluster().node(WITH_UDEV);
        var disk = node.addDisk(4 * GIB);
        long plugged = System.nanoTime();
        var device = awaitFree(disk.device());
        tell("a new disk is a free RawDevice", plugged);

        box().start(Claim.of("raw", NativeStorSite.RAW_CLASS, "4Gi").block());
        assertEquals(device.name(), handle("raw"));
        var written = box().write("raw", DEVICE, MIB);
        assertEquals(written, checksum(node, disk));
        box().remove(Types.POD, "raw");
        box().remove(Types.PVC, "raw");
        awaitFree(disk.device());
        assertEquals("0", node.shell("tr -d '\\0' <%s | wc -c".formatted(disk.device())).strip());

        box().start(Claim.of("next", NativeStorSite.RAW_CLASS, "4Gi").block());
        assertEquals(device.name(), handle("next"));
        var tooLarge = Claim.of("late", NativeStorSite.RAW_CLASS, "20Gi").block();
        box().create(tooLarge);
        box().create(Pod.of("late").device("data", "late"));
        box().awaitEvent("late", "FailedScheduling", "did not have enough free storage");
        box().clear();
        awaitFree(disk.device());
        node.removeDisk(disk);
        product()
                .patience()
                .until(
                        "its RawDevice is gone",
                        () ->
                                site.rawDevices().stream()
                                        .noneMatch(d -> d.name().equals(device.name())));
    }

    /**
     * With all devices asked for, a disk that is plugged in is room for volumes without an edit.
     */
    @Test
    @Order(4)
    @FullOnly("every free disk becomes a volume group")
    void aNewDiskGrowsTheGroupOfAllDevices() throws Exception {
        site.apply(
                true,
                "{useAllNodes: true, useAllDevices: true, useLoop: false, volumeGroupName: hddvg,"
                        + " className: hdd}");
        site.awaitServed();
        box().start(claim("early"));
        var written = box().write("early", FILE, MIB);
        var node = product().cluster().node(WITH_UDEV);
        int before = devices(node);
        var disk = node.addDisk(4 * GIB);
        long plugged = System.nanoTime();
        product()
                .patience()
                .untilNothingMissing(
                        "the group has grown",
                        () -> devices(node) == before + 1 ? "" : devices(node) + " devices");
        tell("a new disk is in its volume group", plugged);
        assertEquals(written, box().checksum("early", FILE, MIB));
        box().clear();
        site.deleteCluster();
        site.awaitGone();
        node.removeDisk(disk);
    }

    private static void tell(String what, long since) {
        System.out.printf("%s after %.1f s%n", what, (System.nanoTime() - since) / NANOS);
    }

    /** How many the volume group has. */
    private static int devices(ClusterNode node) throws Exception {
        return Integer.parseInt(node.shell(GROUPS).strip().split(":")[1]);
    }

    private static RawDevice awaitFree(String path) throws Exception {
        product()
                .patience()
                .untilNothingMissing(
                        path + " is free",
                        () ->
                                ofPath(path).filter(RawDevice::free).isPresent()
                                        ? ""
                                        : site.rawDevices().toString());
        return ofPath(path).orElseThrow();
    }

    private static Optional<RawDevice> ofPath(String path) throws Exception {
        return site.rawDevices().stream()
                .filter(d -> d.spec().nodeName().equals(WITH_UDEV))
                .filter(d -> d.spec().realPath().equals(path))
                .findFirst();
    }

    private String handle(String claim) throws Exception {
        return box().volumeOf(claim).text("spec", "csi", "volumeHandle").orElseThrow();
    }

    private static String checksum(ClusterNode node, Disk disk) throws Exception {
        return node.shell(
                        "dd if=%s bs=1M count=%d 2>/dev/null | sha256sum | cut -c1-64"
                                .formatted(disk.device(), MIB))
                .strip();
    }

    private static String missingFromEvents(String volume) throws Exception {
        var inSystem = ListOptions.all().namespace(Product.SYSTEM);
        var notes =
                product().kube().list(Types.EVENT, inSystem).items().stream()
                        .filter(NativeStorTests::ofTheCluster)
                        .map(event -> event.text("note").orElse(""))
                        .toList();
        return notes.stream().anyMatch(note -> note.contains(volume)) ? "" : notes.toString();
    }

    private static boolean ofTheCluster(KubeObject event) {
        return event.text("regarding", "kind").filter("TopolvmCluster"::equals).isPresent();
    }
}
