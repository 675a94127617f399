package lvms.tests.chaos;

import lvms.api.Driver;
import lvms.api.Names;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.tests.cluster.ClusterNode;
import lvms.tests.cluster.workload.Product;

/** A thin class with a small disk of its own on each node, whose pool may be filled. */
final class SmallClass {
    static final String STORAGE_CLASS = Names.classOf("small");

    /** What a claim asks for: more than the pool has. */
    static final String CLAIM = "320Mi";

    private static final long DISK_BYTES = 256L << 20;

    /** The class in an LVMCluster: the first disk that the nodes get later. */
    static final String DEFINITION =
            """
            - name: small
              fstype: ext4
              deviceSelector:
                paths: [/dev/ubde]
              thinPoolConfig:
                name: pool
                sizePercent: 90
                overprovisionRatio: 10
            """;

    private SmallClass() {}

    /** Plugs the disks in and adds the class. */
    static void add(Product product) throws Exception {
        for (var node : product.cluster().nodes()) {
            plug(node);
        }
        product.applyClasses(DEFINITION);
        // The LVMCluster may still be Ready with the classes that it had before.
        product.patience()
                .until(
                        "nodes tell the capacity of the small class",
                        () -> product.all(Types.NODE).stream().allMatch(SmallClass::served));
        product.awaitReady();
    }

    private static boolean served(KubeObject node) {
        return node.annotation(Driver.TOPOLVM.capacityAnnotation("small")).isPresent();
    }

    private static void plug(ClusterNode node) throws Exception {
        if (!node.run("test", "-b", "/dev/ubde").succeeded()) {
            node.addDisk(DISK_BYTES);
        }
    }
}
