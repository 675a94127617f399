package lvms.node.vgmanager;

import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.disk.Disk;
import lvms.k8s.client.ApiException;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.object.ObjectKey;
import lvms.node.survey.DiskReport;

import java.util.List;
import java.util.Optional;

/**
 * Tells which disks the node has, in the passes without a group.
 *
 * @param groups runs every pass
 * @param withoutGroup the key of a pass without a group
 * @param report looks, and writes what is new
 */
record DiskReporting(Reconciler groups, ObjectKey withoutGroup, DiskReport report)
        implements Reconciler {
    /** The node status as the place where disks are published. */
    record Board(NodeStatus status) implements DiskReport.Board {
        @Override
        public Optional<List<Disk>> read() {
            return status.read().map(object -> LvmVolumeGroupNodeStatus.of(object).disks());
        }

        @Override
        public void write(List<Disk> disks) throws ApiException, InterruptedException {
            status.putDisks(disks);
        }
    }

    @Override
    public Result reconcile(ObjectKey key) throws Exception {
        var result = groups.reconcile(key);
        return key.equals(withoutGroup)
                ? report.run().map(Result::requeueAfter).orElse(result)
                : result;
    }
}
