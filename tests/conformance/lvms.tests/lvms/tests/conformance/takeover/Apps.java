package lvms.tests.conformance.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;
import lvms.tests.conformance.fault.Writer;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Pods with a volume of each class, which must not notice who serves them. */
final class Apps {
    private static final String FILE = "/data/file";
    private static final int MIB = 8;
    private static final String SIZE = "320Mi"; // the least that xfs takes
    private static final String GROWN = "384Mi";
    private static final String MOUNTS =
            "grep 'kubernetes.io~csi' /proc/1/mountinfo | cut -d ' ' -f 1,3,5 | sort";

    private final Product product;
    private final Sandbox box;
    private final List<String> classes;
    private final List<Writer> writers;
    private final TreeMap<String, String> written = new TreeMap<>();
    private final List<String> volumes = new ArrayList<>();
    private final List<String> mounts;

    private Apps(Product product, Sandbox box, List<String> classes, List<Writer> writers)
            throws Exception {
        this.product = product;
        this.box = box;
        this.classes = classes;
        this.writers = writers;
        for (var name : classes) {
            written.put(name, box.write(name, FILE, MIB));
            volumes.add(box.volumeOf(name).name());
        }
        this.mounts = mounts();
        assertEquals(classes.size(), mounts.size(), "one mount for each volume: " + mounts);
    }

    /** Starts a pod that writes on a volume of each of these device classes. */
    static Apps start(Product product, String... classes) throws Exception {
        var box = Sandbox.open(product, "apps");
        var writers = new ArrayList<Writer>();
        for (var name : classes) {
            var claim = Claim.of(name, "lvms-" + name, SIZE);
            writers.add(Writer.start(product, box, claim, "node1"));
        }
        return new Apps(product, box, List.of(classes), writers);
    }

    /** Where the volumes of the first pods are mounted, with the id of each mount. */
    private List<String> mounts() throws Exception {
        return product.cluster()
                .node("node1")
                .shell(MOUNTS)
                .lines()
                .filter(line -> volumes.stream().anyMatch(line::contains))
                .toList();
    }

    /** Fails unless every pod goes on with its mount and its data. */
    void requireGoingOn(String when) throws Exception {
        assertEquals(mounts, mounts(), "mounts before, and now: " + when);
        for (var writer : writers) {
            writer.assertHolds(writer.awaitMore(writer.told()));
            assertEquals(0, writer.restarts(), when);
        }
        for (var kind : classes) {
            assertEquals(written.get(kind), box.checksum(kind, FILE, MIB), kind + ", " + when);
        }
    }

    /**
     * Fails unless every pod goes on with its mount and its data, and new claims get volumes, which
     * grow and are deleted again.
     *
     * @param name of the new claims
     */
    void requireUntouched(String name) throws Exception {
        requireGoingOn(name);
        for (var kind : classes) {
            var app = name + "-" + kind;
            box.start(Claim.of(app, "lvms-" + kind, SIZE));
            var bytes = box.write(app, FILE, 1);
            box.grow(app, GROWN);
            box.awaitCapacity(app, GROWN);
            assertEquals(bytes, box.checksum(app, FILE, 1), app);
            var volume = box.volumeOf(app);
            box.remove(Types.POD, app);
            box.remove(Types.PVC, app);
            box.patience()
                    .until(
                            "the volume of " + app + " is gone",
                            () -> product.kube().find(Types.PV, volume.key()).isEmpty());
        }
    }
}
