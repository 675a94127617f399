package lvms.node.erasure;

import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.VolumeGroupReport;

import java.util.Optional;

/** The volume groups of this node. */
public interface Groups {
    /**
     * Returns LVM, limited to the devices of a group.
     *
     * @throws LvmException.NotFound if there is no such group
     */
    Lvm limitedTo(String vg) throws LvmException, InterruptedException;

    /** Returns the last report of a group; empty if it is not on this machine. */
    Optional<VolumeGroupReport> report(String vg) throws LvmException, InterruptedException;

    /** Notes that the last report of a group does not show what is there now. */
    void changed(String vg);
}
