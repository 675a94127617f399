package lvms.lvm2;

/** Snapshots of volumes, thin and thick, and merging them back into their origin. */
public interface Snapshots {
    /**
     * Creates an active thin snapshot. Returns the existing one if it has this origin and all these
     * tags.
     *
     * @throws LvmException.AlreadyExists if another volume has this name
     * @throws LvmException.NotFound if there is no such source
     * @throws LvmException.InvalidArgument if the source is not a thin volume
     */
    LogicalVolume createThin(NewSnapshot request) throws LvmException, InterruptedException;

    /**
     * Creates an active thick snapshot. Returns the existing one if it has this origin and all
     * these tags, whatever the size of its store. One that was cut is not there, or is there and
     * active, or is a plain volume of the store's size yet, which nobody has written to.
     *
     * @throws LvmException.AlreadyExists if another volume has this name, be it such a plain one,
     *     which is to be removed first
     * @throws LvmException.NotFound if there is no such source
     */
    LogicalVolume createThick(NewThickSnapshot request) throws LvmException, InterruptedException;

    /**
     * Gives a volume the content of its snapshot, which is gone then; a thick one is copied, which
     * takes its time. While the volume is open, that waits for its next activation, and {@link
     * LvDetails.Snapshot#merging} is true. The same call made later activates the volume anew if it
     * is not open, and brings the merge to its end, also one that was cut. Done if there is no such
     * snapshot.
     *
     * @throws LvmException.InvalidArgument if it is no snapshot; also seen of a thick merge that
     *     was cut as it began, when the device-mapper did not take its table
     */
    void merge(LvName snapshot) throws LvmException, InterruptedException;
}
