package lvms.lvm2;

/**
 * LVM on this machine, one view for each kind of thing: reads return records, changes are one call
 * each.
 *
 * <p>Changes are idempotent by name and tag: creating what exists with the same kind and tags
 * returns it, and removing what is gone succeeds. So after {@link LvmException.OutcomeUnknown},
 * make the same call again.
 *
 * <p>Any thread may call, virtual ones too; calls block. Reads of a group run in parallel, its
 * changes one after the other. A call that waits for its turn answers an interrupt with {@link
 * InterruptedException}; a change that runs is not cut, and the caller's interrupt is kept.
 *
 * <p>Records and methods refuse arguments that break LVM's grammar with {@link
 * IllegalArgumentException}, before any command runs.
 */
public interface Lvm extends AutoCloseable {
    /** Returns how commands are run now. */
    EngineStatus engine();

    /**
     * Returns a view of the same LVM whose commands see only these devices. Change a group only
     * through a view that holds exactly its devices; devices named in a request are added.
     */
    Lvm limitedTo(DeviceScope scope);

    /** Returns the operations of volume groups, and the reports of all that is in them. */
    VolumeGroups groups();

    /** Returns the operations of physical volumes. */
    PhysicalVolumes physicalVolumes();

    /** Returns the operations of thin pools. */
    ThinPools pools();

    /** Returns the operations of logical volumes. */
    LogicalVolumes volumes();

    /** Returns the operations of snapshots. */
    Snapshots snapshots();

    /** Returns the operations of RAID volumes. */
    RaidVolumes raid();

    /** Ends the workers. A running call is finished first, and no later one starts. */
    @Override
    void close();
}
