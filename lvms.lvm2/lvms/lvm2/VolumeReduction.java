package lvms.lvm2;

/**
 * The wish to make a volume smaller, with the knowledge that everything beyond the new size is
 * lost: a filesystem in it must have been made smaller before. No other call of this library makes
 * anything smaller.
 *
 * @param name the volume
 * @param sizeBytes its new size; LVM rounds it up to whole extents
 */
public record VolumeReduction(LvName name, long sizeBytes) {
    /** Checks against LVM's grammar. */
    public VolumeReduction {
        Grammar.requireLvName(name);
        Grammar.requireSize("size", sizeBytes);
    }
}
