package lvms.lvm2;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Logical volumes, thick and thin, snapshots included. {@link Snapshots} creates snapshots, and
 * {@link RaidVolumes} creates and repairs volumes with several images.
 */
public interface LogicalVolumes {
    /**
     * Lists the visible logical volumes of a group.
     *
     * @throws LvmException.NotFound if there is no such group
     */
    List<LogicalVolume> all(String vg) throws LvmException, InterruptedException;

    /** Finds a logical volume; also empty if there is no such group. */
    Optional<LogicalVolume> find(LvName name) throws LvmException, InterruptedException;

    /**
     * Reads which volume has a name: from the kernel if it is active, so without an LVM command.
     */
    Optional<Identity<LvName>> identify(LvName name) throws LvmException, InterruptedException;

    /**
     * Creates an active thin volume. The record of a new one comes from the kernel and the request;
     * its percentages are empty. Returns the existing one if it is in this pool, at least this
     * large, and has all these tags.
     *
     * @throws LvmException.AlreadyExists if another volume has this name
     */
    LogicalVolume createThin(NewThinVolume request) throws LvmException, InterruptedException;

    /**
     * Creates an active thick volume. The record of a new one comes from the kernel and the
     * request. Returns the existing one if it is thick, at least this large, and has all these
     * tags.
     *
     * @throws LvmException.AlreadyExists if another volume has this name
     */
    LogicalVolume createThick(NewThickVolume request) throws LvmException, InterruptedException;

    /**
     * Grows a volume online to at least this size; never shrinks it or changes its filesystem. The
     * origin of thick snapshots is inactive meanwhile. Of a thick snapshot, the size is that of its
     * store, and LVM makes it no larger than the origin can need.
     *
     * @throws LvmException.InUse if the origin of thick snapshots, or one of them, is open
     */
    LogicalVolume extend(Identity<LvName> volume, long sizeBytes)
            throws LvmException, InterruptedException;

    /**
     * Takes the extents onto which a thick volume would grow into a volume of their own, active and
     * with its old content, so that they can be erased before {@link #extendOnto} gives them away.
     * Returns the existing one if it has the right size.
     *
     * @param sizeBytes size that the volume is to get
     * @param reserve name of the volume that holds the extents meanwhile
     * @return empty if the volume is that large already
     * @throws LvmException.OutOfSpace if there is no room that keeps its stripes or images on
     *     different devices
     * @throws LvmException.AlreadyExists if {@code reserve} is there with another size
     */
    Optional<LogicalVolume> reserveGrowth(
            Identity<LvName> volume, long sizeBytes, LvName reserve, Set<String> tags)
            throws LvmException, InterruptedException;

    /**
     * Grows a volume online onto the extents of a reserve, which ends. After a call that was cut
     * short the reserve is there, or gone while the volume has its old size or the new one.
     *
     * @throws LvmException.InvalidArgument if the reserve has another size than is needed
     * @throws LvmException.InUse if the origin of thick snapshots, or one of them, is open
     */
    LogicalVolume extendOnto(Identity<LvName> volume, long sizeBytes, Identity<LvName> reserve)
            throws LvmException, InterruptedException;

    /**
     * Shrinks a volume; the data beyond the new size is lost. Succeeds if it is that small already.
     * Does not look for a filesystem. After a call that was cut short, the volume has the old size
     * or the new one.
     *
     * @throws LvmException.InUse if it is open
     * @throws LvmException.InvalidArgument if it is a thin pool
     */
    LogicalVolume reduce(VolumeReduction request) throws LvmException, InterruptedException;

    /** Renames a volume; succeeds if the old name is gone and the new one exists. */
    LogicalVolume rename(Identity<LvName> volume, String newName)
            throws LvmException, InterruptedException;

    /**
     * Removes a volume, or a pool without thin volumes. Succeeds if it is gone already.
     *
     * @throws LvmException.InUse if it is open, or a pool with thin volumes in it
     */
    void remove(Identity<LvName> volume) throws LvmException, InterruptedException;

    /**
     * Activates a volume, even one that is marked to be skipped; succeeds if it is already active.
     */
    LogicalVolume activate(Identity<LvName> volume) throws LvmException, InterruptedException;

    /**
     * Activates volumes of one group with one command, even ones that are marked to be skipped. One
     * that cannot be activated does not keep the others from it; {@link #activate} says what is
     * wrong with it.
     *
     * @param volumes at most 40, since LVM takes so many words
     * @return those that are active then
     */
    Set<Identity<LvName>> activateAll(Collection<Identity<LvName>> volumes)
            throws LvmException, InterruptedException;

    /**
     * Deactivates a volume; succeeds if it is inactive or gone.
     *
     * @throws LvmException.InUse if it is open
     */
    void deactivate(Identity<LvName> volume) throws LvmException, InterruptedException;

    /** Makes a volume writable or read only; succeeds if it already is. */
    LogicalVolume changePermission(Identity<LvName> volume, boolean writable)
            throws LvmException, InterruptedException;

    /** Reads how a volume is tuned. */
    Tuning tuning(Identity<LvName> volume) throws LvmException, InterruptedException;

    /**
     * Tunes a volume, in use or not. What the request does not name stays, and no pool or group is
     * changed.
     *
     * @return how it is tuned then; LVM rounds a read-ahead down to pages of the machine
     */
    Tuning tune(Identity<LvName> volume, Tuning wanted) throws LvmException, InterruptedException;

    /**
     * Adds and removes tags of a volume. Ignores tags to add that it already has, and tags to
     * remove that it lacks.
     */
    LogicalVolume changeTags(Identity<LvName> volume, Set<String> add, Set<String> remove)
            throws LvmException, InterruptedException;

    /**
     * Wipes the signatures in an active volume that is not in use. Call it if a creation found an
     * existing thick volume (its record says when it was made) that nobody can have used yet: the
     * first creation may have been cut short, for example by a crash of the machine, before LVM
     * wiped the old content.
     *
     * @throws LvmException.InUse if it is open
     * @throws LvmException.Unavailable if its node below {@code /dev} is missing
     */
    void wipeSignatures(Identity<LvName> volume) throws LvmException, InterruptedException;

    /**
     * Reloads a volume's table and resumes it: the cure for a volume that a killed command left
     * suspended.
     */
    void refresh(Identity<LvName> volume) throws LvmException, InterruptedException;

    /**
     * What lvchange(8) can change about one volume while it is in use. As a request, what is empty
     * stays as it is; as an answer, nothing is empty.
     *
     * @param readAhead how far the kernel reads ahead
     * @param allocation how extents are chosen when a thick volume grows
     */
    record Tuning(Optional<ReadAhead> readAhead, Optional<AllocationPolicy> allocation) {
        private static final int SECTOR = 512;

        /**
         * How far the kernel reads ahead.
         *
         * @param bytes a multiple of the machine's page, 0 for not at all; empty if the kernel
         *     chooses
         */
        public record ReadAhead(OptionalLong bytes) {
            public static final ReadAhead AUTO = new ReadAhead(OptionalLong.empty());

            public ReadAhead {
                if (bytes.orElse(0) < 0 || bytes.orElse(0) % SECTOR != 0) {
                    throw new IllegalArgumentException("not a number of sectors: " + bytes);
                }
            }

            public static ReadAhead ofBytes(long bytes) {
                return new ReadAhead(OptionalLong.of(bytes));
            }

            /** Returns the word for {@code lvchange --readahead}, which counts in sectors. */
            public String word() {
                if (bytes.isEmpty()) {
                    return "auto";
                }
                return bytes.getAsLong() == 0 ? "none" : "" + bytes.getAsLong() / SECTOR;
            }
        }

        public Tuning {
            if (allocation.filter(AllocationPolicy.UNKNOWN::equals).isPresent()) {
                throw new IllegalArgumentException("the allocation policy is unknown");
            }
        }

        /** Returns whether a volume that is tuned like this has all that is asked for. */
        public boolean satisfies(Tuning wanted) {
            return (wanted.readAhead.isEmpty() || wanted.readAhead.equals(readAhead))
                    && (wanted.allocation.isEmpty() || wanted.allocation.equals(allocation));
        }
    }
}
