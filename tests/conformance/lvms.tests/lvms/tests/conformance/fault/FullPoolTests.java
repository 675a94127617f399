package lvms.tests.conformance.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.Names;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.lab.machine.Disk;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.Map;

/**
 * Pods fill a thin pool beside snapshots: it grows while it can; then new claims wait with the
 * reason, what is there stays whole, and deleting something brings the pool back.
 */
@Safety(19)
@FullOnly("minutes of writing; pools that are full are in the lab")
class FullPoolTests extends FaultSuite {
    private static final String NODE = "node1";
    private static final String CLASS = "small";
    private static final String STORAGE_CLASS = Names.classOf(CLASS);
    private static final int MIB = 8;

    private static Disk disk;
    private final Map<String, String> sums = new HashMap<>();

    @BeforeAll
    static void addClass() throws Exception {
        disk = product().cluster().node(NODE).addDisk(512L << 20);
        product()
                .applyClasses(
                        """
                        - name: small
                          fstype: ext4
                          deviceSelector:
                            paths: [%s]
                          thinPoolConfig:
                            name: pool
                            sizePercent: 30
                            overprovisionRatio: 10
                          nodeSelector:
                            nodeSelectorTerms:
                            - matchExpressions:
                              - {key: kubernetes.io/hostname, operator: In, values: [%s]}
                        """
                                .formatted(disk.device(), NODE));
        product().patience().until("its capacity is told", () -> capacity(CLASS) > 0);
    }

    @AfterAll
    static void removeClass() throws Exception {
        removeClass(CLASS);
        product().cluster().node(NODE).removeDisk(disk);
        product().awaitReady();
        requireAgreement();
    }

    private static long capacity(String deviceClass) throws Exception {
        return product()
                .kube()
                .get(Types.NODE, ObjectKey.cluster(NODE))
                .annotation(Driver.TOPOLVM.capacityAnnotation(deviceClass))
                .map(Long::parseLong)
                .orElse(-1L);
    }

    private static double pool(String column) throws Exception {
        var command = "lvs --noheadings --units b --nosuffix -o " + column + " small/pool";
        return Double.parseDouble(product().cluster().node(NODE).shell(command).strip());
    }

    private void write(String pod, int file) throws Exception {
        var path = "/data/f" + file;
        sums.put(pod + " " + path, box().write(pod, path, MIB));
    }

    private void intact(String pod) throws Exception {
        for (var written : sums.entrySet()) {
            var words = written.getKey().split(" ");
            if (words[0].equals(pod)) {
                assertEquals(written.getValue(), box().checksum(pod, words[1], MIB));
            }
        }
    }

    @Test
    void podsFillAPoolAndNothingBreaks() throws Exception {
        long others = capacity(Product.THIN) + capacity(Product.THICK);
        double size = pool("lv_size");
        box().start(Claim.of("a", STORAGE_CLASS, "480Mi"));
        box().start(Claim.of("b", STORAGE_CLASS, "320Mi"));
        for (int i = 0; i < 10; i++) {
            write("b", i);
        }
        box().snapshot("snap", "b");
        for (int i = 0; i < 10; i++) {
            write("b", i);
        }
        assertTrue(pool("lv_size") > size, "grown");

        for (int i = 0; !product().clusterState().equals("Degraded"); i++) {
            write("a", i);
            product()
                    .patience()
                    .until(
                            "it grows, or somebody says that it cannot",
                            () ->
                                    pool("data_percent") < 80
                                            || product().clusterState().equals("Degraded"));
        }
        assertTrue(pool("metadata_percent") < 75);
        product().patience().until("nothing is promised", () -> capacity(CLASS) == 0);
        box().create(Claim.of("c", STORAGE_CLASS, "8Mi"));
        box().create(Pod.with("c", "c"));
        box().awaitEvent("c", "FailedScheduling", "not have enough free storage");
        intact("a");
        intact("b");
        assertEquals(others, capacity(Product.THIN) + capacity(Product.THICK));

        box().remove(Types.VOLUME_SNAPSHOT, "snap");
        box().remove(Types.POD, "b");
        box().remove(Types.PVC, "b");
        patiently("it is ready again", () -> product().clusterState().equals("Ready"));
        box().awaitReady("c");
        intact("a");
        var errors = "dmesg | grep -c 'EXT4-fs.*error' || true";
        assertEquals("0", product().cluster().node(NODE).shell(errors).strip());
    }
}
