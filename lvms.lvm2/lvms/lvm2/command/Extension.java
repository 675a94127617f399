package lvms.lvm2.command;

import lvms.lvm2.AllocationPolicy;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvmException;
import lvms.lvm2.VolumeGroup;
import lvms.lvm2.engine.Command.Effect;
import lvms.lvm2.report.RaidGrowth;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Growth of a volume, or of a pool's data.
 *
 * @param runner runs it
 * @param found the volume as it is now, smaller
 * @param data name of the volume that has the extents: the volume itself, or a pool's hidden one
 */
record Extension(MendingRunner runner, LogicalVolume found, String data) {
    private static final Set<AllocationPolicy> SAFE =
            Set.of(
                    AllocationPolicy.CONTIGUOUS,
                    AllocationPolicy.CLING,
                    AllocationPolicy.ANYWHERE); // whoever sets this policy accepts it

    /**
     * Grows the volume to this size.
     *
     * @throws LvmException.OutOfSpace also if there is room, but LVM might put two images of a RAID
     *     volume on one device
     */
    void to(long sizeBytes) throws LvmException, InterruptedException {
        for (var words : commands(sizeBytes)) {
            runner.run(Effect.CHANGE, words);
        }
    }

    private List<List<String>> commands(long sizeBytes) throws LvmException, InterruptedException {
        var volume = found.name().toString();
        var plain = List.of("lvextend", "-y", "-L", sizeBytes + "b", volume);
        boolean raid = found.layout().contains("raid") || found.isThinPool();
        if (!raid || ImagesApart.byLvm(runner)) {
            return List.of(plain);
        }
        var report =
                runner.reads()
                        .report(found.name().vg())
                        .orElseThrow(() -> new LvmException.NotFound(found.name().vg()));
        var growth = RaidGrowth.of(report, data);
        if (!growth.isRaid() || SAFE.contains(policy(report.group()))) {
            return List.of(plain);
        }
        return commands(growth, report.group().extentSizeBytes(), sizeBytes)
                .orElseThrow(
                        () ->
                                new LvmException.OutOfSpace(
                                        "lvextend "
                                                + volume
                                                + ": not enough devices with room to keep its"
                                                + " images apart; add a device for each image"));
    }

    private AllocationPolicy policy(VolumeGroup group) {
        var own = found.attributes().allocation();
        return own == AllocationPolicy.INHERIT ? group.allocation() : own;
    }

    private Optional<List<List<String>>> commands(RaidGrowth growth, long extent, long sizeBytes) {
        long stripes = Math.max(1, found.sizeBytes() / extent / growth.imageExtents());
        long more = Math.ceilDiv(sizeBytes - found.sizeBytes(), extent * stripes);
        var commands = new ArrayList<List<String>>();
        long image = growth.imageExtents();
        for (var step : growth.steps(more)) {
            image += step.moreExtents();
            long size = Math.min(sizeBytes, image * stripes * extent);
            commands.add(step.words(size + "b", found.name().toString()));
        }
        return commands.isEmpty() ? Optional.empty() : Optional.of(commands);
    }
}
