package lvms.node.proof;

import lvms.lvm2.LvName;

import java.time.Instant;
import java.util.Optional;

/**
 * What is known of a thick volume that was there when it was to be made: either its creation was
 * cut short before LVM wiped it, or it is in use and its object has lost its status.
 *
 * @param volume the logical volume
 * @param unused whether its object says that nobody has got it yet
 * @param created when LVM made it; empty if that is not known
 * @param now the time now, by the clock that {@code created} was taken from
 */
public record NewVolumeWipe(
        LvName volume, boolean unused, Optional<Instant> created, Instant now) {}
