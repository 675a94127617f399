package lvms.node.pool;

import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.VolumeGroupReport;

import java.util.Optional;

/** The volume groups that pools are in. */
public interface PoolGroups {
    /** Reads a group as it is now; empty if it is not on this machine. */
    Optional<VolumeGroupReport> fresh(String vg) throws LvmException, InterruptedException;

    /** Returns LVM, limited to the devices of a group. */
    Lvm limitedTo(String vg) throws LvmException, InterruptedException;
}
