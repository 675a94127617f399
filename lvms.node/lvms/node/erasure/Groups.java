package lvms.node.erasure;

import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;

/** The volume groups of this node. */
public interface Groups {
    /**
     * Returns LVM, limited to the devices of a group.
     *
     * @throws LvmException.NotFound if there is no such group
     */
    Lvm limitedTo(String vg) throws LvmException, InterruptedException;
}
