package lvms.lvm2;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * LVM on this machine, with one view for each kind of object. Reads return records; each change is
 * one call.
 *
 * <p>Changes are idempotent by name and tag: creating what exists with the same kind and tags
 * returns it, and removing what is gone succeeds. So after {@link LvmException.OutcomeUnknown},
 * make the same call again.
 *
 * <p>Any thread may call, including virtual ones; calls block. Reads of a group run in parallel,
 * its changes one after the other. A call that is interrupted while it waits for its turn throws
 * {@link InterruptedException}. An interrupt does not stop a running change; the caller stays
 * interrupted.
 *
 * <p>Records and methods refuse arguments that break LVM's grammar with {@link
 * IllegalArgumentException}, before any command runs.
 */
public interface Lvm extends AutoCloseable {
    /** Hears of commands. */
    @FunctionalInterface
    interface Listener {
        /**
         * A command has ended. Called on the thread that ran it, so it must return at once.
         *
         * @param command its name, such as {@code lvcreate}
         * @param took from its start to its end, with waiting for a worker
         * @param succeeded whether LVM reported success
         */
        void ended(String command, Duration took, boolean succeeded);
    }

    /** Returns how commands are run now. */
    EngineStatus engine();

    /**
     * Tries the watchdog, a process that lets I/O go on if this one is killed while devices are
     * suspended, and returns why it would be killed with this one; empty if it would not.
     */
    Optional<String> watchdogObstacle();

    /** Tells the listener, and no other, of each command that ends, whichever view asked for it. */
    void onCommand(Listener listener);

    /**
     * Returns a view of the same LVM whose commands see only these devices. Change a group only
     * through a view that holds exactly its devices; devices named in a request are added.
     */
    Lvm limitedTo(DeviceScope scope);

    /** Returns the operations on volume groups, and the reports of their contents. */
    VolumeGroups groups();

    /** Returns the operations on physical volumes. */
    PhysicalVolumes physicalVolumes();

    /** Returns the operations on thin pools. */
    ThinPools pools();

    /** Returns the operations on logical volumes. */
    LogicalVolumes volumes();

    /** Returns the operations on snapshots. */
    Snapshots snapshots();

    /** Returns the operations on RAID volumes. */
    RaidVolumes raid();

    /**
     * Returns the values of settings of lvm.conf(5) as LVM takes them, its defaults included; lists
     * and texts as they stand there. Runs one process; a setting without any value is left out.
     *
     * @param settings with their section, such as {@code activation/raid_region_size}
     */
    Map<String, String> configured(List<String> settings) throws LvmException, InterruptedException;

    /** Ends the workers. A running call finishes first, and no later one starts. */
    @Override
    void close();
}
