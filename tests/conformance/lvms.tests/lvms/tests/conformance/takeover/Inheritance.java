package lvms.tests.conformance.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;

import java.util.Map;
import java.util.TreeMap;

/** Volumes that one system made, and that another serves to their end. */
final class Inheritance {
    private static final String FILE = "/data/file";
    private static final int MIB = 4;
    private static final String SIZE = "320Mi";
    private static final String GROWN = "384Mi";

    private final Product product;
    private final Sandbox box;
    private final Map<String, String> written = new TreeMap<>();

    private Inheritance(Product product, Sandbox box) {
        this.product = product;
        this.box = box;
    }

    /** Makes a thick and a thin one whose names begin with {@code maker}. */
    static Inheritance make(Product product, Sandbox box, String maker) throws Exception {
        var made = new Inheritance(product, box);
        for (var kind :
                Map.of("thick", TopolvmSite.THICK_CLASS, "thin", TopolvmSite.THIN_CLASS)
                        .entrySet()) {
            var name = maker + "-" + kind.getKey();
            box.start(Claim.of(name, kind.getValue(), SIZE));
            made.written.put(name, box.write(name, FILE, MIB));
        }
        return made;
    }

    /** Mounts each once more, grows it, and deletes it, with the pod that has it. */
    void liveOn() throws Exception {
        for (var each : written.entrySet()) {
            var name = each.getKey();
            box.remove(Types.POD, name);
            box.create(Pod.with(name, name));
            box.awaitReady(name);
            assertEquals(each.getValue(), box.checksum(name, FILE, MIB), name + ", remounted");
            box.grow(name, GROWN);
            box.awaitCapacity(name, GROWN);
            assertEquals(each.getValue(), box.checksum(name, FILE, MIB), name + ", grown");
            end(product, box, name);
        }
    }

    /** Deletes a volume with its pod, and waits until nothing of it is left on node1's disks. */
    static void end(Product product, Sandbox box, String name) throws Exception {
        var volume = box.volumeOf(name);
        var handle = volume.text("spec", "csi", "volumeHandle").orElseThrow();
        assertTrue(logicalVolumes(product).contains(handle), name + " is " + handle);
        box.remove(Types.POD, name);
        box.remove(Types.PVC, name);
        box.patience()
                .until(
                        "the volume of " + name + " is gone",
                        () -> product.kube().find(Types.PV, volume.key()).isEmpty());
        assertFalse(logicalVolumes(product).contains(handle), name + " was " + handle);
    }

    private static String logicalVolumes(Product product) throws Exception {
        return product.cluster().node("node1").shell("lvs --noheadings --options lv_name");
    }
}
