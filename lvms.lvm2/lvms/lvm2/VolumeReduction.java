package lvms.lvm2;

/**
 * A request to make a volume smaller. Everything beyond the new size is lost, so shrink its
 * filesystem first. No other call of this library makes anything smaller.
 *
 * @param volume the volume
 * @param sizeBytes its new size; LVM rounds it up to whole extents
 */
public record VolumeReduction(Identity<LvName> volume, long sizeBytes) {
    public VolumeReduction {
        Grammar.requireLvName(volume.name());
        Grammar.requireSize("size", sizeBytes);
    }
}
