package lvms.tests.conformance.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Names;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.List;

/**
 * The only disk of a class is pulled out below a volume that a pod uses: the claim is told, and
 * when the disk is back, under another kernel name, the next pod has the data, and the claim is
 * told that too. kubelet asks for the condition of a volume once a minute.
 */
@Lasts(seconds = 150)
@Safety(22)
@FullOnly("waits for two looks of kubelet, a minute each; the lab pulls disks, too")
class LostDiskTests extends FaultSuite {
    private static final String NODE = "node2"; // the one with udev, which finds disks by their ids
    private static final String CLASS = "single";
    private static final int MIB = 8;
    private static final String FILE = "/data/file";
    private static final String PARTIAL = "a physical volume is missing";

    private static ScsiDisks disks;

    @BeforeAll
    static void addClass() throws Exception {
        disks = ScsiDisks.start(product().cluster().node(NODE), product().patience());
        applyClass(CLASS, NODE, List.of(disks.path(0)), "");
        product().awaitReady();
    }

    @AfterAll
    static void takeAway() throws Exception {
        removeClass(CLASS);
        disks.close();
        product().awaitReady();
        requireAgreement();
    }

    @Test
    void theClaimIsToldOfItsLostDiskAndTheNextPodHasTheDataAgain() throws Exception {
        box().start(Claim.of("v", Names.classOf(CLASS), "32Mi"));
        var written = box().write("v", FILE, MIB);
        var device = disks.device(0);
        disks.pull(0);
        box().awaitEvent("v", "VolumeConditionAbnormal", PARTIAL);
        product()
                .patience()
                .until("its LogicalVolume is told", () -> toldOfVolume().contains(PARTIAL));
        product()
                .patience()
                .until("the class is Failed", () -> product().clusterState().equals("Failed"));

        disks.plug(0);
        System.out.println("the disk was " + device + " and is " + disks.device(0));
        product().awaitReady();
        box().remove(Types.POD, "v");
        box().create(Pod.with("v", "v"));
        box().awaitReady("v");
        assertEquals(written, box().checksum("v", FILE, MIB));
        box().write("v", FILE, MIB);
        box().awaitEvent("v", "VolumeConditionNormal", "healthy again");
        requireAgreement();
    }

    /** Returns the notes of the Events of the claim's LogicalVolume. */
    private String toldOfVolume() throws Exception {
        var uid = box().logicalVolumeOf("v").uid();
        return product().kube().list(Types.EVENT, ListOptions.all()).items().stream()
                .filter(e -> e.text("regarding", "uid").filter(uid::equals).isPresent())
                .map(e -> e.text("note").orElse(""))
                .toList()
                .toString();
    }
}
