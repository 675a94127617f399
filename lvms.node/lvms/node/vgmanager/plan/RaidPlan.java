package lvms.node.vgmanager.plan;

import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvHealth;
import lvms.lvm2.PhysicalSegment;
import lvms.lvm2.PhysicalVolume;
import lvms.lvm2.VolumeGroupReport;
import lvms.node.deviceclass.RaidGoal;
import lvms.node.disk.KnownPv;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides how a RAID group that lost a device, or got it back, becomes whole again. Volumes that
 * have redundancy and space are repaired automatically; everything else is left to people.
 *
 * <p>A device that came back is taken back at once: the kernel knows its stale blocks from the RAID
 * superblocks. One that stays away is given up only if the volumes on it are in sync on the others
 * and there is room for a new copy: on a device that was added for it, or, after a grace period, in
 * the free space of the others.
 *
 * @param s the situation
 * @param ours its volume group
 * @param raid the shape of its volumes
 * @param givenUp UUIDs of missing physical volumes that may be given up
 */
record RaidPlan(Situation s, VolumeGroupReport ours, RaidGoal raid, Set<String> givenUp) {
    private static final int IN_SYNC_PERCENT = 100;

    /** Returns what to do about missing devices; empty if there are none. */
    Optional<Decision> missing() {
        var missing = s.members().stream().filter(pv -> pv.pv().missing()).toList();
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        var back = missing.stream().filter(pv -> pv.kernelName().isPresent()).toList();
        if (!back.isEmpty()) {
            return act(new Step.RestoreDevices(back));
        }
        if (!s.available().isEmpty()) {
            return act(new Step.ExtendGroup(s.available()));
        }
        return repair(missing).or(() -> giveUp(missing)).or(() -> blocked(missing));
    }

    private Optional<Decision> repair(List<KnownPv> missing) {
        return mayGiveUp(missing)
                ? hurt().stream()
                        .filter(this::repairable)
                        .findFirst()
                        .flatMap(lv -> act(new Step.RepairVolume(lv.identity())))
                : Optional.empty();
    }

    /** Gives up an empty physical volume that is missing: it keeps LVM from making volumes. */
    private Optional<Decision> giveUp(List<KnownPv> missing) {
        boolean empty = missing.stream().allMatch(pv -> pv.pv().freeBytes() == pv.pv().sizeBytes());
        boolean enough = raid.problemWith(present().size()).isEmpty();
        return empty && enough && mayGiveUp(missing)
                ? act(new Step.RemoveMissing(missing))
                : Optional.empty();
    }

    private boolean mayGiveUp(List<KnownPv> missing) {
        return missing.stream().allMatch(pv -> givenUp.contains(pv.pv().uuid()));
    }

    /** Returns what to do about a volume whose device is back but not in use yet. */
    Optional<Decision> refresh() {
        return ours.logicalVolumes().stream()
                .filter(lv -> has(lv, LvHealth.RAID_REFRESH_NEEDED))
                .min(Comparator.comparing(lv -> lv.name().lv()))
                .flatMap(lv -> act(new Step.RefreshVolume(lv.identity())));
    }

    private List<LogicalVolume> hurt() {
        return ours.logicalVolumes().stream()
                .filter(lv -> has(lv, LvHealth.PARTIAL))
                .sorted(Comparator.comparing(lv -> lv.name().lv()))
                .toList();
    }

    private static boolean has(LogicalVolume lv, LvHealth health) {
        return lv.attributes().health().filter(health::equals).isPresent();
    }

    private boolean repairable(LogicalVolume lv) {
        return RaidReport.isRaid(lv) && lv.active() && inSync(lv) && hasSpare(lv);
    }

    /** If a copy was not finished, some data may be only on the missing device. */
    private static boolean inSync(LogicalVolume lv) {
        return lv.syncPercent().orElse(0) >= IN_SYNC_PERCENT;
    }

    /** Each image is on a device of its own, so the new image needs a device that has none. */
    private boolean hasSpare(LogicalVolume lv) {
        var users = usersOf(lv);
        long leg = legBytes(lv);
        return present().stream()
                .filter(pv -> pv.allocatable() && !users.contains(pv.uuid()))
                .anyMatch(pv -> pv.freeBytes() >= leg);
    }

    private Set<String> usersOf(LogicalVolume lv) {
        var images = lv.name().lv() + "_rimage_";
        return ours.physicalSegments().stream()
                .filter(run -> run.volume().filter(name -> name.startsWith(images)).isPresent())
                .map(PhysicalSegment::pvUuid)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** One image and the extent of its metadata. */
    private long legBytes(LogicalVolume lv) {
        return Math.ceilDiv(lv.sizeBytes(), raid.shape().dataImages())
                + ours.group().extentSizeBytes();
    }

    private List<PhysicalVolume> present() {
        return ours.physicalVolumes().stream().filter(pv -> !pv.missing()).toList();
    }

    private Optional<Decision> blocked(List<KnownPv> missing) {
        var loss = new RaidLoss(s.goal().volumeGroup(), s.members().size(), missing, hurt());
        return Optional.of(
                new Decision.Blocked(
                        EventReason.RAID_CHECK_FAILED, loss.text(s.selection(), outlook())));
    }

    private RaidLoss.Outlook outlook() {
        var raids = hurt().stream().filter(RaidReport::isRaid).toList();
        if (raids.isEmpty() || raids.stream().noneMatch(this::hasSpare)) {
            return RaidLoss.Outlook.NEEDS_DEVICE;
        }
        return raids.stream().anyMatch(this::repairable)
                ? RaidLoss.Outlook.WAITS_FOR_DEVICE
                : RaidLoss.Outlook.WAITS_FOR_SYNC;
    }

    private static Optional<Decision> act(Step step) {
        return Optional.of(new Decision.Act(step));
    }
}
