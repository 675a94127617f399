package lvms.lvm2.command;

import lvms.lvm2.DeviceScope;
import lvms.lvm2.Grammar;
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
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Volume groups. A change of a group's devices needs the turn of all groups. */
record GroupChanges(MendingRunner runner, Reads reads) implements VolumeGroups {
    GroupChanges(MendingRunner runner) {
        this(runner, runner.reads());
    }

    @Override
    public List<VolumeGroup> all() throws LvmException, InterruptedException {
        return reads.volumeGroups();
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
        try (var _ = runner.locks().all()) {
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
    public VolumeGroup extend(String vg, List<Path> devices, boolean wipe)
            throws LvmException, InterruptedException {
        Grammar.requireVgName(vg);
        Grammar.requireDevices(devices);
        var wide = seeing(devices);
        try (var _ = runner.locks().all()) {
            var found = wide.group(vg);
            var present = devicesOf(found);
            var words = new ArrayList<>(List.of("vgextend"));
            words.addAll(Words.wipe(wipe));
            // the smallest area limits the whole group, and LVM's default is small
            words.addAll(List.of("--metadatasize", found.group().metadataSizeBytes() + "b", vg));
            var missing = real(devices).stream().filter(d -> !present.contains(d)).toList();
            missing.forEach(device -> words.add(device.toString()));
            if (!missing.isEmpty()) {
                wide.runner.run(Effect.CHANGE, words);
            }
            return wide.reads.existingGroup(vg);
        }
    }

    @Override
    public VolumeGroup reduce(String vg, List<Path> devices)
            throws LvmException, InterruptedException {
        Grammar.requireVgName(vg);
        Grammar.requireDevices(devices);
        var wide = seeing(devices);
        try (var _ = runner.locks().all()) {
            var present = devicesOf(wide.group(vg));
            var leaving = real(devices).stream().filter(present::contains).toList();
            if (!leaving.isEmpty()) {
                wide.runner.run(Effect.CHANGE, Words.of(leaving, "vgreduce", "-y", vg));
                wide.runner.run(Effect.CHANGE, Words.of(leaving, "pvremove", "-y"));
            }
            return wide.reads.existingGroup(vg);
        }
    }

    @Override
    public void remove(String vg) throws LvmException, InterruptedException {
        Grammar.requireVgName(vg);
        try (var _ = runner.locks().all()) {
            var found = reads.report(vg);
            if (found.isEmpty()) {
                return;
            }
            long volumes = found.get().group().logicalVolumes();
            if (volumes > 0) { // with -y, vgremove would remove them too
                throw new LvmException.InUse(
                        "vgremove " + vg + ": there are " + volumes + " logical volumes in it");
            }
            runner.run(Effect.CHANGE, List.of("vgremove", "-y", vg));
            var devices =
                    found.get().physicalVolumes().stream()
                            .filter(pv -> !pv.missing())
                            .map(pv -> Path.of(pv.device()))
                            .toList();
            runner.run(Effect.CHANGE, Words.of(devices, "pvremove", "-y"));
        }
    }

    @Override
    public VolumeGroup changeTags(String vg, Set<String> add, Set<String> remove)
            throws LvmException, InterruptedException {
        Grammar.requireVgName(vg);
        try (var _ = runner.locks().change(vg)) {
            var group = reads.existingGroup(vg);
            var words = new ArrayList<>(List.of("vgchange", "-y"));
            words.addAll(Words.tagChanges(group.tags(), add, remove));
            if (words.size() == 2) {
                return group;
            }
            words.add(vg);
            runner.run(Effect.CHANGE, words);
            return reads.existingGroup(vg);
        }
    }

    @Override
    public void deactivate(String vg) throws LvmException, InterruptedException {
        Grammar.requireVgName(vg);
        try (var _ = runner.locks().change(vg)) {
            runner.run(Effect.CHANGE, List.of("vgchange", "-y", "-an", vg));
        }
    }

    @Override
    public VolumeGroup removeMissing(String vg) throws LvmException, InterruptedException {
        Grammar.requireVgName(vg);
        try (var _ = runner.locks().all()) {
            // Devices outside the scope would look missing too, and leave the group.
            var words = List.of("vgreduce", "-y", "--removemissing", vg);
            runner.within(new DeviceScope.Configured()).run(Effect.CHANGE, words);
            return reads.existingGroup(vg);
        }
    }

    @Override
    public VolumeGroup restoreMissing(String vg, List<Path> devices)
            throws LvmException, InterruptedException {
        Grammar.requireVgName(vg);
        Grammar.requireDevices(devices);
        var wide = seeing(devices);
        try (var _ = runner.locks().all()) {
            var wanted = real(devices);
            var missing =
                    wide.group(vg).physicalVolumes().stream()
                            .filter(PhysicalVolume::missing)
                            .map(pv -> Path.of(pv.device()))
                            .filter(device -> wanted.contains(real(List.of(device)).getFirst()))
                            .toList();
            if (!missing.isEmpty()) {
                var words = new ArrayList<>(List.of("vgextend", "--restoremissing", vg));
                missing.forEach(device -> words.add(device.toString()));
                wide.runner.run(Effect.CHANGE, words);
            }
            return wide.reads.existingGroup(vg);
        }
    }

    @Override
    public void forgetOutdated(String vg) throws LvmException, InterruptedException {
        Grammar.requireVgName(vg);
        try (var _ = runner.locks().all()) {
            var words = List.of("vgck", "--updatemetadata", vg);
            runner.within(new DeviceScope.Configured()).run(Effect.CHANGE, words);
        }
    }

    @Override
    public VolumeGroup exportGroup(String vg) throws LvmException, InterruptedException {
        return port(vg, "vgexport", true);
    }

    @Override
    public VolumeGroup importGroup(String vg) throws LvmException, InterruptedException {
        return port(vg, "vgimport", false);
    }

    private VolumeGroup port(String vg, String command, boolean exported)
            throws LvmException, InterruptedException {
        Grammar.requireVgName(vg);
        try (var _ = runner.locks().all()) {
            var found = reads.existingGroup(vg);
            if (found.exported() == exported) {
                return found;
            }
            runner.run(Effect.CHANGE, List.of(command, "-y", vg));
            return reads.existingGroup(vg);
        }
    }

    @Override
    public VolumeGroup adopt(String vg, Set<String> tags)
            throws LvmException, InterruptedException {
        Grammar.requireVgName(vg);
        try (var _ = runner.locks().change(vg)) {
            var found = group(vg);
            requireWhole(found);
            requireOurs(found.group());
            return changeTags(vg, tags, Set.of());
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
    public boolean unfinished(String vg) throws InterruptedException {
        Grammar.requireVgName(vg);
        return runner.mending().unfinished(vg);
    }

    @Override
    public void mend(String vg) throws InterruptedException {
        Grammar.requireVgName(vg);
        try (var _ = runner.locks().change(vg)) {
            runner.mending().mend(vg);
        }
    }

    private GroupChanges seeing(Collection<Path> devices) {
        return new GroupChanges(runner.seeing(devices));
    }

    private VolumeGroupReport group(String vg) throws LvmException, InterruptedException {
        return reads.report(vg)
                .orElseThrow(() -> new LvmException.NotFound(vg + ": no such volume group"));
    }

    private static Set<Path> devicesOf(VolumeGroupReport report) {
        return new HashSet<>(
                real(
                        report.physicalVolumes().stream()
                                .filter(pv -> !pv.missing())
                                .map(pv -> Path.of(pv.device()))
                                .toList()));
    }

    /** LVM may know a device by another name than the caller does. */
    private static List<Path> real(List<Path> devices) {
        return devices.stream()
                .map(
                        device -> {
                            try {
                                return device.toRealPath();
                            } catch (IOException e) {
                                return device; // LVM says what is wrong with it
                            }
                        })
                .toList();
    }
}
