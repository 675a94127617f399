package lvms.lvm2;

/**
 * LVM on this machine: reads return records, changes are one call each.
 *
 * <p>Changes are idempotent by name and tag: creating what is there already with the same kind and
 * tags returns it, removing what is gone is done. So after {@link LvmException.OutcomeUnknown} the
 * same call may simply be made again.
 *
 * <p>Any thread may call, virtual ones too; calls block. Readers of a group run beside each other,
 * changes of one after the other. An interrupt is answered with {@link InterruptedException} while
 * a call waits for its turn; a change that runs already is not cut, the interrupt is kept for the
 * caller.
 *
 * <p>Arguments that break LVM's grammar are refused with {@link IllegalArgumentException} by the
 * records and methods that take them, before any command is run.
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

    /** Ends the workers; a call that runs is finished first, and no later one is begun. */
    @Override
    void close();
}
