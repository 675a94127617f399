package lvms.lvm2.command;

import lvms.lvm2.DeviceScope;
import lvms.lvm2.Grammar;
import lvms.lvm2.Identity;
import lvms.lvm2.LvmException;
import lvms.lvm2.NewVolumeGroup;
import lvms.lvm2.PhysicalVolume;
import lvms.lvm2.VolumeGroup;
import lvms.lvm2.VolumeGroupReport;
import lvms.lvm2.VolumeGroups;
import lvms.lvm2.engine.Command.Effect;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Volume groups. A change of a group's devices needs the turn of the devices too. */
record GroupChanges(MendingRunner runner, Reads reads) implements VolumeGroups {
    GroupChanges(MendingRunner runner) {
        this(runner, runner.reads());
    }

    @Override
    public List<VolumeGroup> all() throws LvmException, InterruptedException {
        return reads.volumeGroups();
    }

    @Override
    public List<String> names() throws LvmException, InterruptedException {
        return reads.names();
    }

    @Override
    public Optional<VolumeGroup> find(String name) throws LvmException, InterruptedException {
        return reads.volumeGroup(name);
    }

    @Override
    public Optional<VolumeGroupReport> report(String vg) throws LvmException, InterruptedException {
        return reads.report(vg);
    }

    @Override
    public List<VolumeGroupReport> reports() throws LvmException, InterruptedException {
        return reads.reports();
    }

    @Override
    public VolumeGroup create(NewVolumeGroup request) throws LvmException, InterruptedException {
        var words = new ArrayList<>(List.of("vgcreate"));
        words.addAll(Words.wipe(request.wipe()));
        words.addAll(List.of("--metadatasize", request.metadataSizeBytes() + "b"));
        words.addAll(Words.options("--addtag", request.tags()));
        words.add(request.name());
        request.devices().forEach(device -> words.add(device.toString()));
        var wide = seeing(request.devices());
        try (var _ = runner.locks().devices(request.name())) {
            try {
                wide.runner.run(Effect.CHANGE, words);
            } catch (LvmException.AlreadyExists | LvmException.InUse e) {
                if (!wide.isThere(request)) {
                    throw e;
                }
            }
            return wide.reads.existingGroup(request.name());
        }
    }

    private boolean isThere(NewVolumeGroup request) throws LvmException, InterruptedException {
        var found = reads.report(request.name());
        return found.isPresent()
                && found.get().group().tags().containsAll(request.tags())
                && devicesOf(found.get()).containsAll(real(request.devices()));
    }

    @Override
    public VolumeGroup extend(Identity<String> group, List<Path> devices, boolean wipe)
            throws LvmException, InterruptedException {
        Grammar.requireVgName(group.name());
        Grammar.requireDevices(devices);
        var wide = seeing(devices);
        try (var _ = runner.locks().devices(group.name())) {
            var found = wide.report(group);
            var present = devicesOf(found);
            var words = new ArrayList<>(List.of("vgextend"));
            words.addAll(Words.wipe(wipe));
            // the smallest area limits the whole group, and LVM's default is small
            words.addAll(List.of("--metadatasize", found.group().metadataSizeBytes() + "b"));
            words.add(group.name());
            var missing = real(devices).stream().filter(d -> !present.contains(d)).toList();
            missing.forEach(device -> words.add(device.toString()));
            if (!missing.isEmpty()) {
                wide.runner.run(Effect.CHANGE, words);
            }
            return wide.reads.existingGroup(group);
        }
    }

    @Override
    public VolumeGroup reduce(Identity<String> group, List<Identity<Path>> volumes)
            throws LvmException, InterruptedException {
        Grammar.requireVgName(group.name());
        Grammar.requireDevices(names(volumes));
        var wide = seeing(names(volumes));
        try (var _ = runner.locks().devices(group.name())) {
            var leaving = devices(wide.members(group, volumes));
            if (!leaving.isEmpty()) {
                wide.runner.run(Effect.CHANGE, Words.of(leaving, "vgreduce", "-y", group.name()));
                wide.runner.run(Effect.CHANGE, Words.of(leaving, "pvremove", "-y"));
            }
            return wide.reads.existingGroup(group);
        }
    }

    /** Returns those that are in the group, and checks that no other one is on their devices. */
    private List<PhysicalVolume> members(Identity<String> group, List<Identity<Path>> volumes)
            throws LvmException, InterruptedException {
        var members = new ArrayList<PhysicalVolume>();
        var wanted = new HashMap<Path, Identity<Path>>();
        volumes.forEach(volume -> wanted.put(real(volume.name()), volume));
        for (var pv : report(group).physicalVolumes()) {
            var volume = wanted.get(real(Path.of(pv.device())));
            if (volume != null) {
                volume.require(pv.uuid());
                members.add(pv);
            }
        }
        return members;
    }

    private static List<Path> names(List<Identity<Path>> volumes) {
        return volumes.stream().map(Identity::name).toList();
    }

    private static List<Path> devices(List<PhysicalVolume> volumes) {
        return volumes.stream().map(pv -> Path.of(pv.device())).toList();
    }

    @Override
    public void remove(Identity<String> group) throws LvmException, InterruptedException {
        var vg = group.name();
        Grammar.requireVgName(vg);
        try (var _ = runner.locks().devices(vg)) {
            var found = reads.report(vg);
            if (found.isEmpty()) {
                return;
            }
            group.require(found.get().group().uuid());
            requireEmpty(found.get().group());
            // without -y, and if LVM sees no volume either: it may have been made since the report
            runner.run(Effect.CHANGE, Words.onlyGroupIf("&&lv_count=0", group, "vgremove"));
            var left = reads.volumeGroup(vg);
            if (left.isPresent()) {
                group.require(left.get().uuid());
                requireEmpty(left.get());
                throw new LvmException.InUse("vgremove " + vg + ": it was changed meanwhile");
            }
            var devices =
                    found.get().physicalVolumes().stream()
                            .filter(pv -> !pv.missing())
                            .map(pv -> Path.of(pv.device()))
                            .toList();
            runner.run(Effect.CHANGE, Words.of(devices, "pvremove", "-y"));
        }
    }

    private static void requireEmpty(VolumeGroup group) throws LvmException {
        if (group.logicalVolumes() > 0) {
            throw new LvmException.InUse(
                    "vgremove %s: there are %d logical volumes in it"
                            .formatted(group.name(), group.logicalVolumes()));
        }
    }

    @Override
    public VolumeGroup changeTags(Identity<String> group, Set<String> add, Set<String> remove)
            throws LvmException, InterruptedException {
        Grammar.requireVgName(group.name());
        try (var _ = runner.locks().change(group.name())) {
            var found = reads.existingGroup(group);
            var words = new ArrayList<>(List.of("vgchange", "-y"));
            words.addAll(Words.tagChanges(found.tags(), add, remove));
            if (words.size() == 2) {
                return found;
            }
            words.addAll(Words.onlyGroup(group));
            runner.run(Effect.CHANGE, words);
            return reads.existingGroup(group);
        }
    }

    @Override
    public void deactivate(Identity<String> group) throws LvmException, InterruptedException {
        Grammar.requireVgName(group.name());
        try (var _ = runner.locks().change(group.name())) {
            runner.run(Effect.CHANGE, Words.onlyGroup(group, "vgchange", "-y", "-an"));
            reads.existingGroup(group);
        }
    }

    @Override
    public VolumeGroup removeMissing(Identity<String> group)
            throws LvmException, InterruptedException {
        Grammar.requireVgName(group.name());
        try (var _ = runner.locks().devices(group.name())) {
            reads.existingGroup(group);
            // Devices outside the scope would look missing too, and leave the group.
            var words = List.of("vgreduce", "-y", "--removemissing", group.name());
            runner.within(new DeviceScope.Configured()).run(Effect.CHANGE, words);
            return reads.existingGroup(group);
        }
    }

    @Override
    public VolumeGroup restoreMissing(Identity<String> group, List<Identity<Path>> volumes)
            throws LvmException, InterruptedException {
        Grammar.requireVgName(group.name());
        Grammar.requireDevices(names(volumes));
        var wide = seeing(names(volumes));
        try (var _ = runner.locks().devices(group.name())) {
            var missing =
                    wide.members(group, volumes).stream().filter(PhysicalVolume::missing).toList();
            if (!missing.isEmpty()) {
                wide.runner.run(
                        Effect.CHANGE,
                        Words.of(devices(missing), "vgextend", "--restoremissing", group.name()));
            }
            return wide.reads.existingGroup(group);
        }
    }

    @Override
    public void forgetOutdated(Identity<String> group) throws LvmException, InterruptedException {
        Grammar.requireVgName(group.name());
        try (var _ = runner.locks().devices(group.name())) {
            reads.existingGroup(group);
            var words = List.of("vgck", "--updatemetadata", group.name());
            runner.within(new DeviceScope.Configured()).run(Effect.CHANGE, words);
        }
    }

    @Override
    public VolumeGroup exportGroup(Identity<String> group)
            throws LvmException, InterruptedException {
        return port(group, "vgexport", true);
    }

    @Override
    public VolumeGroup importGroup(Identity<String> group)
            throws LvmException, InterruptedException {
        return port(group, "vgimport", false);
    }

    private VolumeGroup port(Identity<String> group, String command, boolean exported)
            throws LvmException, InterruptedException {
        Grammar.requireVgName(group.name());
        try (var _ = runner.locks().devices(group.name())) {
            var found = reads.existingGroup(group);
            if (found.exported() == exported) {
                return found;
            }
            runner.run(Effect.CHANGE, Words.onlyGroup(group, command, "-y"));
            return reads.existingGroup(group);
        }
    }

    @Override
    public VolumeGroup adopt(Identity<String> group, Set<String> tags)
            throws LvmException, InterruptedException {
        Grammar.requireVgName(group.name());
        try (var _ = runner.locks().change(group.name())) {
            var found = report(group);
            requireWhole(found);
            requireOurs(found.group());
            return changeTags(group, tags, Set.of());
        }
    }

    private static void requireWhole(VolumeGroupReport report) throws LvmException {
        var group = report.group();
        if (group.partial() || group.missingPhysicalVolumes() > 0) {
            throw new LvmException.MissingDevice(group.name() + ": a device is missing");
        }
        for (var pv : report.physicalVolumes()) {
            if (pv.duplicate()) {
                throw new LvmException.InUse(
                        group.name() + ": LVM sees " + pv.device() + " more than once");
            }
        }
    }

    private static void requireOurs(VolumeGroup group) throws LvmException {
        if (group.shared()) {
            throw new LvmException.InUse(
                    group.name() + ": shared with other hosts by " + group.lockType());
        }
        if (group.exported() || !group.writable() || !group.resizable()) {
            throw new LvmException.InvalidArgument(
                    group.name() + ": exported, read-only, or closed to new devices");
        }
    }

    @Override
    public boolean unfinished(String vg) throws LvmException, InterruptedException {
        Grammar.requireVgName(vg);
        return runner.mending().unfinished(vg);
    }

    @Override
    public void mend(String vg, Set<String> pools) throws LvmException, InterruptedException {
        Grammar.requireVgName(vg);
        try (var _ = runner.locks().change(vg)) {
            runner.mending().mend(vg, pools);
        }
    }

    private GroupChanges seeing(Collection<Path> devices) {
        return new GroupChanges(runner.seeing(devices));
    }

    private VolumeGroupReport report(Identity<String> group)
            throws LvmException, InterruptedException {
        var found =
                reads.report(group.name())
                        .orElseThrow(
                                () ->
                                        new LvmException.NotFound(
                                                group.name() + ": no such volume group"));
        group.require(found.group().uuid());
        return found;
    }

    private static Set<Path> devicesOf(VolumeGroupReport report) {
        return new HashSet<>(
                real(
                        report.physicalVolumes().stream()
                                .filter(pv -> !pv.missing())
                                .map(pv -> Path.of(pv.device()))
                                .toList()));
    }

    private static List<Path> real(List<Path> devices) {
        return devices.stream().map(GroupChanges::real).toList();
    }

    /** LVM may know a device by another name than the caller does. */
    private static Path real(Path device) {
        try {
            return device.toRealPath();
        } catch (IOException e) {
            return device; // LVM says what is wrong with it
        }
    }
}
