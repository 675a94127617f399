package lvms.lvm2.command;

import lvms.lvm2.Grammar;
import lvms.lvm2.Identity;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.MissingReplacement;
import lvms.lvm2.NewRaidVolume;
import lvms.lvm2.RaidHealth;
import lvms.lvm2.RaidLayout;
import lvms.lvm2.RaidVolume;
import lvms.lvm2.RaidVolumes;
import lvms.lvm2.VolumeGroup;
import lvms.lvm2.engine.Command.Effect;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** RAID volumes. */
record RaidChanges(MendingRunner runner, Reads reads, GroupChanges groups) implements RaidVolumes {
    private static final int MOST_COPIES = 10;

    RaidChanges(MendingRunner runner) {
        this(runner, runner.reads(), new GroupChanges(runner));
    }

    @Override
    public Optional<RaidVolume> find(LvName name) throws LvmException, InterruptedException {
        try {
            return all(name.vg()).stream()
                    .filter(raid -> raid.volume().name().equals(name))
                    .findFirst();
        } catch (LvmException.NotFound e) {
            return Optional.empty();
        }
    }

    @Override
    public List<RaidVolume> all(String vg) throws LvmException, InterruptedException {
        return reads.layers(vg).raidVolumes();
    }

    @Override
    public LogicalVolume create(NewRaidVolume request) throws LvmException, InterruptedException {
        var creation = new Creation(runner);
        var words = new ArrayList<>(List.of("lvcreate", "-y"));
        words.addAll(shape(request.layout()));
        words.addAll(List.of("-L", request.sizeBytes() + "b"));
        request.stripeSizeBytes().ifPresent(size -> words.addAll(List.of("-I", size + "b")));
        words.addAll(creation.wiped());
        var level = level(request.layout());
        return creation.create(
                request.name(),
                words,
                request.tags(),
                List.of(request.name().vg()),
                () -> reads.existing(request.name()),
                lv ->
                        lv.layout().contains("raid")
                                && lv.layout().contains(level)
                                && lv.sizeBytes() >= request.sizeBytes());
    }

    private static List<String> shape(RaidLayout layout) {
        return switch (layout) {
            case RaidLayout.Raid1(var copies) ->
                    List.of("--type", level(layout), "-m", "" + (copies - 1));
            case RaidLayout.Raid10(var copies, var stripes) ->
                    List.of("--type", level(layout), "-m", "" + (copies - 1), "-i", "" + stripes);
            case RaidLayout.Raid4(var stripes) -> striped(layout, stripes);
            case RaidLayout.Raid5(var stripes) -> striped(layout, stripes);
            case RaidLayout.Raid6(var stripes) -> striped(layout, stripes);
        };
    }

    private static List<String> striped(RaidLayout layout, int stripes) {
        return List.of("--type", level(layout), "-i", "" + stripes);
    }

    private static String level(RaidLayout layout) {
        return switch (layout) {
            case RaidLayout.Raid1 _ -> "raid1";
            case RaidLayout.Raid4 _ -> "raid4";
            case RaidLayout.Raid5 _ -> "raid5";
            case RaidLayout.Raid6 _ -> "raid6";
            case RaidLayout.Raid10 _ -> "raid10";
        };
    }

    @Override
    public LogicalVolume changeCopies(Identity<LvName> volume, int copies)
            throws LvmException, InterruptedException {
        if (copies < 1 || copies > MOST_COPIES) {
            throw new IllegalArgumentException(
                    "the number of copies must be 1 to 10, not " + copies);
        }
        var name = volume.name();
        try (var _ = runner.locks().change(name.vg())) {
            var found = reads.existing(volume);
            removeApart(volume);
            int now = copies(found);
            if (now == copies) {
                return found;
            }
            requireInSync(found);
            var words = new ArrayList<>(List.of("lvconvert", "-y"));
            words.addAll(now == 1 ? List.of("--type", "raid1") : List.of());
            words.addAll(List.of("-m", "" + (copies - 1), name.toString()));
            runner.run(Effect.CHANGE, words);
            return reads.existing(volume);
        }
    }

    /** A loaded table that is not yet active holds its images open until the refresh. */
    private void removeApart(Identity<LvName> volume) throws LvmException, InterruptedException {
        var name = volume.name();
        var apart = reads.layers(name.vg()).apart(name.lv());
        if (!apart.isEmpty()) {
            runner.resume(name, Words.only(volume, "lvchange", "-y", "--refresh"));
        }
        for (var image : apart) {
            runner.run(Effect.CHANGE, List.of("lvremove", "-y", name.vg() + "/" + image));
        }
        if (runner.options().activation()) {
            runner.mending().removeLeftovers(name.vg());
        }
    }

    private int copies(LogicalVolume volume) throws LvmException, InterruptedException {
        var raid = find(volume.name());
        if (raid.isPresent() && raid.get().type().equals("raid1")) {
            return raid.get().images().size();
        }
        if (!volume.layout().equals(Set.of("linear"))) {
            throw new LvmException.InvalidArgument(
                    volume.name() + " is neither linear nor RAID 1 but " + volume.layout());
        }
        return 1;
    }

    private void requireInSync(LogicalVolume volume) throws LvmException, InterruptedException {
        var raid = find(volume.name());
        if (raid.filter(found -> found.health() == RaidHealth.SYNCING).isPresent()) {
            throw new LvmException.InUse(
                    "lvconvert " + volume.name() + ": its images are not in sync yet");
        }
    }

    @Override
    public RaidVolume repair(Identity<LvName> volume, List<Path> onto)
            throws LvmException, InterruptedException {
        onto.forEach(Grammar::requireWholeDevice);
        try (var _ = runner.locks().change(volume.name().vg())) {
            var found = existing(volume);
            if (!found.degraded()) {
                return found;
            }
            rebuild(found, onto);
            return existing(volume);
        }
    }

    private void rebuild(RaidVolume raid, List<Path> onto)
            throws LvmException, InterruptedException {
        var words = new ArrayList<>(List.of("lvconvert", "-y", "--repair"));
        words.add(raid.volume().name().toString());
        onto.forEach(device -> words.add(device.toString()));
        runner.run(Effect.CHANGE, words);
    }

    @Override
    public VolumeGroup replaceMissing(MissingReplacement request)
            throws LvmException, InterruptedException {
        var vg = request.group().name();
        var wide = within(request.devices());
        try (var _ = runner.locks().devices(vg)) {
            wide.reads.existingGroup(request.group());
            wide.reads.layers(vg).requireRepairable();
            if (!request.devices().isEmpty()) {
                wide.groups.extend(request.group(), request.devices(), request.wipe());
            }
            for (var raid : wide.all(vg)) {
                if (raid.degraded()) {
                    wide.rebuild(raid, request.devices());
                }
            }
            var group = wide.reads.existingGroup(vg);
            return group.missingPhysicalVolumes() == 0
                    ? group
                    : wide.groups.removeMissing(request.group());
        }
    }

    @Override
    public void check(Identity<LvName> volume) throws LvmException, InterruptedException {
        try (var _ = runner.locks().change(volume.name().vg())) {
            existing(volume);
            runner.run(
                    Effect.CHANGE, Words.only(volume, "lvchange", "-y", "--syncaction", "check"));
        }
    }

    private RaidVolume existing(Identity<LvName> volume) throws LvmException, InterruptedException {
        var name = volume.name();
        var found =
                find(name)
                        .orElseThrow(
                                () -> new LvmException.NotFound(name + ": no such RAID volume"));
        volume.require(found.volume().uuid());
        return found;
    }

    private RaidChanges within(List<Path> devices) {
        return new RaidChanges(runner.seeing(devices));
    }
}
