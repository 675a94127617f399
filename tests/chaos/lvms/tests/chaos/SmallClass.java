package lvms.tests.chaos;

import lvms.api.Names;
import lvms.tests.cluster.ClusterNode;
import lvms.tests.cluster.workload.Product;

/** A thin class with a small disk of its own on each node, whose pool may be filled. */
final class SmallClass {
    static final String STORAGE_CLASS = Names.classOf("small");

    /** What a claim asks for: more than the pool has. */
    static final String CLAIM = "640Mi";

    private static final long DISK_BYTES = 512L << 20;

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
        product.awaitReady();
    }

    private static void plug(ClusterNode node) throws Exception {
        if (!node.run("test", "-b", "/dev/ubde").succeeded()) {
            node.addDisk(DISK_BYTES);
        }
    }
}
