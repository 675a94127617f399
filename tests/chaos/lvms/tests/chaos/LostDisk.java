package lvms.tests.chaos;

import lvms.api.LvmVolumeGroup;
import lvms.api.Names;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.conformance.fault.ScsiDisks;

import java.util.Random;

/**
 * A RAID 1 class on disks that can be pulled out: one leg goes and comes back under another kernel
 * name, since an unused disk took its name meanwhile. The pod writes on.
 */
final class LostDisk {
    /** The node with udev, which finds disks by their ids. */
    private static final String NODE = "node2";

    private static final String CLASS = "mirror";

    private LostDisk() {}

    static void strike(World world, Random random) throws Exception {
        var product = world.product();
        var box = world.sandbox();
        var disks = ScsiDisks.start(product.cluster().node(NODE), product.patience());
        product.applyClasses(SmallClass.DEFINITION + definition(disks));
        product.awaitReady();
        var volume = world.newName();
        box.create(Claim.of(volume, Names.classOf(CLASS), "32Mi"));
        var writer = Pod.with(volume, volume).on(NODE).running(Journal.writer(volume, false));
        box.create(writer);
        box.awaitReady(volume);
        int leg = random.nextInt(2);
        disks.pull(2);
        disks.pull(leg);
        product.patience()
                .until("the loss is told", () -> product.clusterState().equals("Degraded"));
        disks.plug(2);
        disks.plug(leg);
        product.awaitReady();
        var lines = box.run(volume, Journal.reader(false)).lines().toList();
        var problems = Volume.fresh(volume, Volume.Kind.THICK, true).compare(lines);
        if (!problems.isEmpty() || box.restarts(volume) > 0) {
            throw new AssertionError(
                    "RAID with a lost disk: " + problems + ", restarts " + box.restarts(volume));
        }
        box.remove(Types.POD, volume);
        box.remove(Types.PVC, volume);
        product.applyClasses(SmallClass.DEFINITION);
        var key = ObjectKey.of(Product.SYSTEM, CLASS);
        product.patience()
                .until(
                        "the class is gone",
                        () -> product.kube().find(LvmVolumeGroup.TYPE, key).isEmpty());
        disks.close();
        product.awaitReady();
    }

    private static String definition(ScsiDisks disks) {
        return """
        - name: mirror
          fstype: ext4
          deviceSelector:
            paths: [%s, %s]
          raidConfig:
            type: raid1
          nodeSelector:
            nodeSelectorTerms:
            - matchExpressions:
              - {key: kubernetes.io/hostname, operator: In, values: [%s]}
        """
                .formatted(disks.path(0), disks.path(1), NODE);
    }
}
