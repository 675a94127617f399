package lvms.node.proof;

import lvms.api.Names;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Why something must not be destroyed. Every act that destroys asks here first, with evidence that
 * was gathered a moment before; empty means that it may go on. Pure: nothing is read here.
 */
public final class Proofs {
    /** A machine that lost power while it made a volume is back by then, or a person looks. */
    private static final Duration NEW = Duration.ofMinutes(10);

    private Proofs() {}

    /**
     * Making a filesystem on a volume, after wiping what is in its way.
     *
     * @return what the volume holds, or why that is not known, if it must not be overwritten
     */
    public static Optional<String> format(Formatting evidence) {
        if (evidence.permitted()) {
            return Optional.empty();
        }
        if (evidence.mark().isEmpty()) {
            return formatUnmarked(evidence);
        }
        return switch (evidence.mark().get()) {
            case BLOCK -> Optional.of("it is a Block volume");
            case FILESYSTEM ->
                    Optional.of(
                            "it had a filesystem, which is not found any more; it shows "
                                    + evidence.content().orElse("nothing"));
            case NO_FILESYSTEM -> {
                boolean blank = evidence.blocks() != Formatting.Blocks.WRITTEN;
                yield blank || evidence.begun() || evidence.halfMade()
                        ? Optional.empty()
                        : Optional.of(written(evidence));
            }
        };
    }

    /** Of a volume without a mark, only what it shows can say whether it ever held data. */
    private static Optional<String> formatUnmarked(Formatting evidence) {
        if (evidence.halfMade()) {
            return Optional.empty();
        }
        var content = evidence.content();
        if (content.isPresent() || evidence.begun()) {
            return content;
        }
        return switch (evidence.blocks()) {
            case NONE -> Optional.empty();
            case WRITTEN -> Optional.of(written(evidence));
            case EXTENTS ->
                    evidence.copy()
                            ? Optional.of("a copy of another volume, without a filesystem")
                            : evidence.remains();
        };
    }

    private static String written(Formatting evidence) {
        return (evidence.copy() ? "it is a copy of another volume, and " : "")
                + "something was written to it, but no filesystem is found; it shows "
                + evidence.content().orElse("nothing");
    }

    /** Wiping the disks of a volume group because the user asked for it. */
    public static Optional<String> wipe(GroupWipe evidence) {
        var kept = evidence.handedOut();
        return kept.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        ("volume group \"%s\" on it holds volumes that were handed out: %s; delete"
                                        + " their claims, or remove the group by hand if nobody"
                                        + " needs its data")
                                .formatted(evidence.group(), String.join(", ", kept)));
    }

    /** Removing a volume group with the thin pool of its class. */
    public static Optional<String> remove(GroupRemoval evidence) {
        return evidence.volumes().isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "volume group \"%s\" still has logical volumes, manual cleanup required: %s"
                                .formatted(
                                        evidence.group(), String.join(", ", evidence.volumes())));
    }

    /** Removing the label of a physical volume that was taken out of its group. */
    public static Optional<String> remove(LabelRemoval evidence) {
        var volume = evidence.volume();
        if (!evidence.retiring().contains(volume.uuid())) {
            return Optional.of(volume.device() + " was not taken out of a group of ours");
        }
        return volume.vgName().isEmpty() && !volume.missing()
                ? Optional.empty()
                : Optional.of(volume.device() + " is still in a volume group, or away");
    }

    /** Removing the file behind a loop device whose volume group is gone. */
    public static Optional<String> remove(LoopFileRemoval evidence) {
        return evidence.disk().isEmpty()
                ? Optional.of(
                        evidence.file()
                                + " stays: it is no disk of this node, so nobody knows what is on"
                                + " it")
                : take(evidence.disk().get()).map(why -> evidence.file() + " stays: " + why);
    }

    /** Making a physical volume on a disk. */
    public static Optional<String> take(DiskTaking evidence) {
        if (!evidence.same()) {
            return Optional.of(evidence.device() + " is gone, or another disk has its name by now");
        }
        if (evidence.locked()) {
            return Optional.of(evidence.device() + " is locked by another program");
        }
        return evidence.obstacles().stream().findFirst().map(o -> evidence.device() + ' ' + o);
    }

    /** Writing to a device that somebody may have open. */
    public static Optional<String> write(DeviceUse evidence) {
        return evidence.free()
                ? Optional.empty()
                : Optional.of("in use by another program: device " + evidence.device());
    }

    /** Wiping a thick volume whose creation may have been cut short. */
    public static Optional<String> wipe(NewVolumeWipe evidence) {
        if (!evidence.unused()) {
            return Optional.of(evidence.volume() + " was handed out");
        }
        if (evidence.created().isEmpty()) {
            return Optional.of("LVM does not say when " + evidence.volume() + " was made");
        }
        var age = Duration.between(evidence.created().get(), evidence.now());
        boolean isNew = !age.minus(NEW).isPositive() && !age.plus(NEW).isNegative();
        return isNew
                ? Optional.empty()
                : Optional.of(
                        evidence.volume()
                                + " was made at "
                                + evidence.created().get()
                                + ", so somebody may have used it");
    }

    /** Giving a logical volume back to an object that was made again. */
    public static Optional<String> adopt(Adoption evidence) {
        var name = evidence.volume();
        if (evidence.holder().isPresent()) {
            return Optional.of(name + " belongs to LogicalVolume " + evidence.holder().get());
        }
        if (evidence.there().filter(LogicalVolume::isThinPool).isPresent()) {
            return Optional.of(name + " is a thin pool");
        }
        return evidence.there()
                .flatMap(volume -> taggedFor(volume.tags()))
                .filter(object -> !object.equals(evidence.object()))
                .map(object -> name + " has the tag of another volume: " + object);
    }

    /** Returns the LogicalVolume that tags name; TopoLVM's volumes have no such tag. */
    public static Optional<String> taggedFor(Set<String> tags) {
        return tags.stream()
                .filter(tag -> tag.startsWith(Names.VOLUME_NAME_TAG))
                .map(tag -> tag.substring(Names.VOLUME_NAME_TAG.length()))
                .findFirst();
    }

    /** Removing the logical volume of a LogicalVolume that is being deleted. */
    public static Optional<String> remove(VolumeRemoval evidence) {
        if (!evidence.typeInUse()) {
            return Optional.of("the type LogicalVolume is being deleted");
        }
        return evidence.found().flatMap(volume -> remove(evidence, volume));
    }

    private static Optional<String> remove(VolumeRemoval evidence, LvName volume) {
        if (!evidence.names().contains(volume.lv())) {
            return Optional.of(volume + " is not the volume of " + evidence.object());
        }
        if (evidence.holder().isPresent()) {
            return Optional.of(volume + " belongs to LogicalVolume " + evidence.holder().get());
        }
        return taggedFor(evidence.tags())
                .filter(name -> !name.equals(evidence.object()))
                .map(name -> volume + " has the tag of another volume: " + name);
    }

    /** Taking back a volume that a call made and could not finish. */
    public static Optional<String> undo(HalfMade evidence) {
        var there = evidence.there();
        boolean ours =
                evidence.made().isPresent()
                        ? evidence.made().get().equals(there.uuid())
                        : there.tags().equals(evidence.tags())
                                && there.created()
                                        .filter(time -> !time.isBefore(evidence.begun()))
                                        .isPresent();
        return ours
                ? Optional.empty()
                : Optional.of(there.name() + " was made by somebody else meanwhile");
    }

    /** Removing the logical volume that a client of lvmd names. */
    public static Optional<String> remove(NamedRemoval evidence) {
        if (!evidence.classKnown() && !evidence.nameIsUid()) {
            return Optional.of(
                    "device-class not found: "
                            + evidence.deviceClass()
                            + ", but there is a logical volume "
                            + evidence.volume()
                            + ": put the class back into lvmd.yaml, or remove the volume by hand");
        }
        return evidence.poolOfClass()
                ? Optional.of(evidence.volume() + " is the thin pool of a device class")
                : Optional.empty();
    }

    /**
     * Erasing a raw device that a volume had. A person may confirm what nothing proves, for the
     * device that is there now, until the next boot.
     */
    public static Optional<String> erase(RawDeviceErasure evidence) {
        var now = evidence.now();
        if (evidence.confirmed().filter(now.text()::equals).isPresent()) {
            return Optional.empty();
        }
        if (evidence.placeOnly() && evidence.had().filter(now::continues).isEmpty()) {
            return Optional.of(
                    "the disk is known by its place alone, and nothing proves that it is the one"
                            + " which the volume had: the machine was booted, or a disk was plugged"
                            + " in, since then");
        }
        if (evidence.had().filter(had -> had.sizeBytes() != now.sizeBytes()).isPresent()) {
            return Optional.of(
                    "it has %d bytes, and the device of the volume had %d"
                            .formatted(now.sizeBytes(), evidence.had().get().sizeBytes()));
        }
        boolean other =
                evidence.left().filter(d -> !d.equals(evidence.start().digest())).isPresent();
        return other && !evidence.start().zero()
                ? Optional.of("its first MiB is not what the volume left there")
                : Optional.empty();
    }

    /** Erasing the content of a volume: zeroing or discarding all of it. */
    public static Optional<String> erase(ContentRemoval evidence) {
        if (!evidence.neverHandedOut() && !evidence.removed()) {
            return Optional.of(
                    evidence.volume()
                            + " may be in use: no tag says that it is new, and it was not removed");
        }
        return evidence.users() > 0
                ? Optional.of(evidence.volume() + " is open in " + evidence.users() + " places")
                : Optional.empty();
    }
}
