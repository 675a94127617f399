package lvms.node.vgmanager;

import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.disk.Disk;
import lvms.k8s.client.ApiException;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.object.ObjectKey;
import lvms.lvm2.LvmException;
import lvms.node.survey.DiskReport;

import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Tells which disks the node has and what serves them, in the passes without a group.
 *
 * @param groups runs every pass
 * @param withoutGroup the key of a pass without a group
 * @param signature writes which build serves the node, if that is new
 * @param report looks, and writes what is new
 * @param others who else looks at the disks, in turn with the groups
 */
record DiskReporting(
        Reconciler<ObjectKey> groups,
        ObjectKey withoutGroup,
        Signature signature,
        DiskReport report,
        OtherUser others)
        implements Reconciler<ObjectKey> {
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

    /** Says who writes the node status. */
    @FunctionalInterface
    interface Signature {
        void sign() throws ApiException, InterruptedException;
    }

    /** A pass of whoever has to do with the disks beside the groups. */
    @FunctionalInterface
    interface OtherUser {
        /** Returns when it has to be called again, if so. */
        Optional<Duration> pass()
                throws IOException, LvmException, ApiException, InterruptedException;
    }

    @Override
    public Result reconcile(ObjectKey key) throws Exception {
        var result = groups.reconcile(key);
        if (!key.equals(withoutGroup)) {
            return result;
        }
        signature.sign();
        return soonest(report.run(), others.pass()).map(Result::requeueAfter).orElse(result);
    }

    private static Optional<Duration> soonest(Optional<Duration> one, Optional<Duration> other) {
        return Stream.of(one, other).flatMap(Optional::stream).min(Comparator.naturalOrder());
    }
}
