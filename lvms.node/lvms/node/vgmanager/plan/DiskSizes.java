package lvms.node.vgmanager.plan;

import lvms.api.Names;
import lvms.lvm2.VolumeGroupReport;
import lvms.node.disk.DeviceVerdict;
import lvms.node.disk.KnownPv;
import lvms.node.disk.NodeDevice;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Compares the physical volumes of a group with the disks below them. A disk that has grown is
 * taken up whole; one that has become smaller needs a person, since what was at its end is gone. In
 * a group that people made, a physical volume may be smaller than its disk on purpose: something
 * may lie behind it.
 */
record DiskSizes(Situation s, VolumeGroupReport ours) {
    /** Returns the next decision; empty if every physical volume fits its disk. */
    Optional<Decision> next() {
        return shrunk().or(this::grown);
    }

    private Optional<Decision> shrunk() {
        for (var pv : s.members()) {
            var disk = diskBytes(pv);
            if (disk.isPresent() && disk.getAsLong() < pv.pv().neededBytes()) {
                return Optional.of(
                        new Decision.Blocked(
                                EventReason.PATH_CHECK_FAILED, tooSmall(pv, disk.getAsLong())));
            }
        }
        return Optional.empty();
    }

    private String tooSmall(KnownPv pv, long diskBytes) {
        return ("%s has become smaller than the physical volume on it: %d bytes, %d are needed;"
                    + " make it as large as it was, nothing is done to volume group \"%s\" until"
                    + " then")
                .formatted(
                        pv.pv().device(), diskBytes, pv.pv().neededBytes(), s.goal().volumeGroup());
    }

    private Optional<Decision> grown() {
        var grown = larger();
        return grown.isEmpty() || ours.group().tags().contains(Names.KEPT_SIZES_TAG)
                ? Optional.empty()
                : Optional.of(new Decision.Act(new Step.ResizeDevices(grown)));
    }

    /** Returns the physical volumes that do not take all of their disks. */
    List<KnownPv> larger() {
        return s.members().stream().filter(this::hasGrown).toList();
    }

    private boolean hasGrown(KnownPv pv) {
        var disk = diskBytes(pv);
        return disk.isPresent()
                && pv.pv().growthOn(disk.getAsLong(), ours.group().extentSizeBytes()) > 0;
    }

    private OptionalLong diskBytes(KnownPv pv) {
        return s.verdicts().stream()
                .filter(verdict -> !pv.pv().missing() && pv.isOn(verdict.device()))
                .map(DeviceVerdict::device)
                .mapToLong(NodeDevice::sizeBytes)
                .findFirst();
    }
}
