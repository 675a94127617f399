package lvms.tests.conformance.fault;

import lvms.api.LvmVolumeGroup;
import lvms.k8s.object.ObjectKey;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Product;
import lvms.tests.conformance.InACluster;

import org.junit.jupiter.api.BeforeEach;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Tests that do harm. Each begins when the product has recovered from the one before, and after
 * each the whole cluster has to agree, whatever of it the test has used.
 */
abstract class FaultSuite extends InACluster {
    /** How long a cluster may take to recover. */
    static final Duration RECOVERY = Duration.ofMinutes(4);

    @BeforeEach
    final void begin() throws Exception {
        product().awaitReady();
        box();
    }

    /** Starts a writer on a node with a new claim of the same name, and waits until it writes. */
    final Writer writer(String name, String storageClass, String size, String node)
            throws Exception {
        return Writer.start(product(), box(), Claim.of(name, storageClass, size), node);
    }

    /** Creates a claim as if the scheduler had sent its first pod to this node. */
    final void claim(String name, String storageClass, String size, String node) throws Exception {
        Claims.create(product(), box(), Claim.of(name, storageClass, size), node);
    }

    /**
     * Adds a device class of ext4 on disks of one node.
     *
     * @param paths of its disks
     * @param more a field of the class; empty for none
     */
    static void applyClass(String name, String node, List<String> paths, String more)
            throws Exception {
        product()
                .applyClasses(
                        """
                        - name: %s
                          fstype: ext4
                          deviceSelector:
                            paths: [%s]
                          %s
                          nodeSelector:
                            nodeSelectorTerms:
                            - matchExpressions:
                              - {key: kubernetes.io/hostname, operator: In, values: [%s]}
                        """
                                .formatted(name, String.join(", ", paths), more, node));
    }

    /** Takes away the device class that a suite has added, and waits until it is gone. */
    static void removeClass(String name) throws Exception {
        product().applyClasses("");
        var key = ObjectKey.of(Product.SYSTEM, name);
        product()
                .patience()
                .until(
                        "the class is gone",
                        () -> product().kube().find(LvmVolumeGroup.TYPE, key).isEmpty());
    }

    /** Waits as long as a recovery may take. */
    final void patiently(String what, Callable<Boolean> condition) throws Exception {
        product().patience(RECOVERY, box().namespace()).until(what, condition);
    }
}
