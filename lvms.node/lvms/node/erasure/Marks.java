package lvms.node.erasure;

import lvms.api.ErasureConfig.OnRemoval;
import lvms.api.VolumeCounts;
import lvms.lvm2.Identity;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/** Names and tags in LVM that say which volumes are to be erased, for whichever process comes. */
public final class Marks {
    /**
     * Tag of a volume that nobody has been given yet and that still shows what was there before. It
     * gets the tag in the command that makes it, and loses it when all of it is zero. It has an
     * {@link #unfinished unfinished name}, but for one that a version before this one began.
     */
    public static final String UNERASED = "lvms.unerased";

    /**
     * Tag of a volume that nobody has been given yet and that does not have all of the content of
     * its source. It gets the tag in the command that makes it, and loses it when it is filled.
     */
    public static final String UNFILLED = "lvms.unfilled";

    /**
     * Tag of a volume of which all was zeroed before anybody got it, or of a copy of one: it shows
     * nothing of volumes that had its extents before.
     */
    public static final String ZEROED = "lvms.zeroed";

    /** Tag of a snapshot that exists only while its origin is copied. */
    public static final String HELD_STILL = "lvms.held-still";

    /** Prefix of the tag of a removed volume; it says how the content is erased. */
    public static final String ERASE = "lvms.erase=";

    /** Tag of extents that were taken for the growth of a volume. */
    public static final String GROWING = "lvms.growth";

    private static final String QUARANTINE = "lvms-erase-";
    private static final String GROWTH = "lvms-grow-";
    private static final String STILL = "lvms-still-";
    private static final String UNFINISHED = "lvms-fill-";

    private Marks() {}

    /** Returns the name that a volume gets when it is removed: no two volumes share a UUID. */
    public static LvName quarantined(LogicalVolume volume) {
        return new LvName(volume.name().vg(), QUARANTINE + volume.uuid());
    }

    /** Returns the name of the extents that are zeroed before the volume grows onto them. */
    public static LvName growth(Identity<LvName> volume) {
        return new LvName(volume.name().vg(), GROWTH + volume.uuid());
    }

    /**
     * Returns the name of a volume while it is zeroed or filled. Whoever knows a volume by its name
     * and not our tags, another system or a person, finds none until its content is complete.
     */
    public static LvName unfinished(LvName volume) {
        return new LvName(volume.vg(), unfinished(volume.lv()));
    }

    /** Returns the same without its group. */
    public static String unfinished(String lv) {
        return UNFINISHED + lv;
    }

    /** Returns the name that a volume gets when it is complete. */
    public static LvName finished(LvName volume) {
        return volume.lv().startsWith(UNFINISHED)
                ? new LvName(volume.vg(), volume.lv().substring(UNFINISHED.length()))
                : volume;
    }

    /** Returns whether a volume is still zeroed or filled, or was not renamed after that. */
    public static boolean isUnfinished(LogicalVolume volume) {
        return volume.name().lv().startsWith(UNFINISHED);
    }

    /** Returns the name of the snapshot from which a volume is filled whose source is in use. */
    public static LvName heldStill(LvName target) {
        return new LvName(target.vg(), STILL + finished(target).lv());
    }

    /** Returns whether it is a snapshot that exists only while its origin is copied. */
    public static boolean isHeldStill(LogicalVolume volume) {
        return volume.name().lv().startsWith(STILL) && volume.tags().contains(HELD_STILL);
    }

    /** Returns the name that the volume gets that is filled from such a snapshot. */
    static String filledFrom(LogicalVolume heldStill) {
        return heldStill.name().lv().substring(STILL.length());
    }

    /** Returns whether a volume was removed, and is kept only until it is erased. */
    public static boolean isQuarantined(LogicalVolume volume) {
        return isQuarantined(volume.name().lv(), volume.tags());
    }

    static boolean isQuarantined(String name, Set<String> tags) {
        return name.startsWith(QUARANTINE) && how(tags).isPresent();
    }

    /** Returns whether it holds extents onto which another volume will grow. */
    public static boolean isGrowth(LogicalVolume volume) {
        return volume.name().lv().startsWith(GROWTH) && volume.tags().contains(GROWING);
    }

    /**
     * Returns whether a volume is nobody's: not zeroed or filled yet, removed, extents for a
     * growth, or a snapshot for a copy.
     */
    public static boolean isHidden(LogicalVolume volume) {
        return isUnfinished(volume)
                || isNew(volume)
                || isQuarantined(volume)
                || isGrowth(volume)
                || isHeldStill(volume);
    }

    /** Counts those that another program would not know what to do with. */
    public static VolumeCounts count(Collection<LogicalVolume> volumes) {
        return new VolumeCounts(
                volumes.stream().filter(Marks::isQuarantined).count(),
                volumes.stream().filter(Marks::isGrowth).count(),
                volumes.stream().filter(Marks::isHeldStill).count(),
                volumes.stream()
                        .filter(lv -> lv.isThickSnapshot() && !isHeldStill(lv))
                        .filter(lv -> !isQuarantined(lv))
                        .count());
    }

    /** Returns whether nobody has been given a volume yet: it is not zeroed or filled. */
    public static boolean isNew(LogicalVolume volume) {
        return volume.tags().contains(UNERASED) || volume.tags().contains(UNFILLED);
    }

    /** Returns how a removed volume is erased. */
    static Optional<OnRemoval> how(Set<String> tags) {
        for (var how : OnRemoval.values()) {
            if (how != OnRemoval.NONE && tags.contains(ERASE + how.text())) {
                return Optional.of(how);
            }
        }
        return Optional.empty();
    }
}
