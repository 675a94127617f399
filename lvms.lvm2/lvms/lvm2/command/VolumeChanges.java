package lvms.lvm2.command;

import lvms.lvm2.Grammar;
import lvms.lvm2.Identity;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LogicalVolumes;
import lvms.lvm2.LogicalVolumes.Tuning;
import lvms.lvm2.LvAttributes;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.NewThinVolume;
import lvms.lvm2.VolumeReduction;
import lvms.lvm2.engine.Command.Effect;
import lvms.lvm2.report.FailureKind;
import lvms.lvm2.system.Program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/** Logical volumes; {@link Creation} and {@link Extension} hold what other kinds share. */
record VolumeChanges(MendingRunner runner, Reads reads, Creation creation)
        implements LogicalVolumes {
    private static final Duration WIPE_DEADLINE = Duration.ofMinutes(1);

    VolumeChanges(MendingRunner runner) {
        this(runner, runner.reads(), new Creation(runner));
    }

    @Override
    public List<LogicalVolume> all(String vg) throws LvmException, InterruptedException {
        return reads.logicalVolumes(vg);
    }

    @Override
    public Optional<LogicalVolume> find(LvName name) throws LvmException, InterruptedException {
        return reads.logicalVolume(name);
    }

    @Override
    public Optional<Identity<LvName>> identify(LvName name)
            throws LvmException, InterruptedException {
        var active = runner.kernel().identity(name);
        return active.isPresent() ? active : find(name).map(LogicalVolume::identity);
    }

    @Override
    public LogicalVolume createThin(NewThinVolume request)
            throws LvmException, InterruptedException {
        var words = new ArrayList<>(List.of("lvcreate", "-y", "--type", "thin"));
        words.addAll(List.of("--thinpool", request.pool()));
        words.addAll(List.of("-V", request.virtualSizeBytes() + "b"));
        words.addAll(creation.inactive());
        words.addAll(request.options().words());
        var inPool = creation.in(new LvName(request.name().vg(), request.pool()));
        return inPool.create(
                request.name(),
                words,
                request.tags(),
                List.of(request.name().vg()),
                () -> made(request.name(), Optional.of(request.pool()), request.tags()),
                lv ->
                        lv.isThin()
                                && lv.pool().filter(request.pool()::equals).isPresent()
                                && lv.sizeBytes() >= request.virtualSizeBytes());
    }

    @Override
    public LogicalVolume createThick(NewThickVolume request)
            throws LvmException, InterruptedException {
        var words = new ArrayList<>(List.of("lvcreate", "-y"));
        words.addAll(List.of("-L", request.sizeBytes() + "b"));
        words.addAll(creation.wiped());
        request.stripes().ifPresent(count -> words.addAll(List.of("-i", "" + count)));
        if (request.stripes().isPresent()) {
            request.stripeSizeBytes().ifPresent(size -> words.addAll(List.of("-I", size + "b")));
        }
        words.addAll(request.options().words());
        return creation.create(
                request.name(),
                words,
                request.tags(),
                List.of(request.name().vg()),
                () -> made(request.name(), Optional.empty(), request.tags()),
                lv ->
                        lv.pool().isEmpty()
                                && lv.origin().isEmpty()
                                && !lv.isThinPool()
                                && lv.sizeBytes() >= request.sizeBytes());
    }

    private LogicalVolume made(LvName name, Optional<String> pool, Set<String> tags)
            throws LvmException, InterruptedException {
        var seen = runner.kernel().created(name, pool, tags);
        return seen.isPresent() ? seen.get() : reads.existing(name);
    }

    @Override
    public LogicalVolume extend(Identity<LvName> volume, long sizeBytes)
            throws LvmException, InterruptedException {
        var name = volume.name();
        Grammar.requireLvName(name);
        Grammar.requireSize("size", sizeBytes);
        try (var _ = runner.locks().change(name.vg())) {
            var found = reads.existing(volume);
            if (found.sizeBytes() >= sizeBytes) {
                runner.mending()
                        .mend(name.vg(), Set.of()); // a killed call may have made it this large
                return found;
            }
            new Extension(runner, found, name.lv()).to(sizeBytes, creation);
            if (found.isThickSnapshot()) {
                return reads.existing(volume); // the kernel tells the size of the origin
            }
            var size = runner.kernel().sizeBytes(name).filter(now -> now >= sizeBytes);
            return size.isPresent() ? found.withSize(size.get()) : reads.existing(volume);
        }
    }

    @Override
    public Optional<LogicalVolume> reserveGrowth(
            Identity<LvName> volume, long sizeBytes, LvName reserve, Set<String> tags)
            throws LvmException, InterruptedException {
        List.of(volume.name(), reserve).forEach(Grammar::requireLvName);
        Grammar.requireSize("size", sizeBytes);
        tags.forEach(Grammar::requireTag);
        try (var _ = runner.locks().change(volume.name().vg())) {
            return new ReservedGrowth(runner, reads).reserve(volume, sizeBytes, reserve, tags);
        }
    }

    @Override
    public LogicalVolume extendOnto(
            Identity<LvName> volume, long sizeBytes, Identity<LvName> reserve)
            throws LvmException, InterruptedException {
        List.of(volume.name(), reserve.name()).forEach(Grammar::requireLvName);
        Grammar.requireSize("size", sizeBytes);
        try (var _ = runner.locks().change(volume.name().vg())) {
            return new ReservedGrowth(runner, reads).extend(volume, sizeBytes, reserve, creation);
        }
    }

    /** The volume may be that small already, as read here or as LVM itself finds. */
    @Override
    public LogicalVolume reduce(VolumeReduction request) throws LvmException, InterruptedException {
        var name = request.volume().name();
        try (var _ = runner.locks().change(name.vg())) {
            var found = reads.existing(request.volume());
            if (found.isThinPool()) {
                throw new LvmException.InvalidArgument(name + ": a thin pool cannot be reduced");
            }
            if (found.sizeBytes() <= request.sizeBytes()) {
                return found;
            }
            if (found.attributes().open() != LvAttributes.Open.CLOSED && found.active()) {
                throw new LvmException.InUse("lvreduce " + name + ": it is open");
            }
            var words = new ArrayList<>(List.of("lvreduce", "-y", "-f"));
            // newer versions look for a filesystem themselves, and refuse if they see none
            boolean looks = runner.version().filter(v -> v.atLeast(2, 3, 17)).isPresent();
            words.addAll(looks ? List.of("--fs", "ignore") : List.of());
            words.addAll(List.of("-L", request.sizeBytes() + "b", name.toString()));
            try {
                runner.run(Effect.CHANGE, words);
            } catch (LvmException.CommandFailed e) {
                if (FailureKind.of(e.status(), e.errors()) != FailureKind.NOTHING_TO_DO) {
                    throw e;
                }
            }
            return reads.existing(request.volume());
        }
    }

    @Override
    public LogicalVolume rename(Identity<LvName> volume, String newName)
            throws LvmException, InterruptedException {
        var name = volume.name();
        Grammar.requireLvName(name);
        var renamed = new LvName(name.vg(), newName);
        Grammar.requireLvName(renamed);
        try (var _ = runner.locks().change(name.vg())) {
            var found = reads.logicalVolume(name);
            if (found.isPresent()) {
                volume.require(found.get().uuid());
                var words = List.of("lvrename", "-y", name.vg(), name.lv(), newName);
                runner.run(Effect.CHANGE, words);
            }
            return reads.existing(new Identity<>(renamed, volume.uuid()));
        }
    }

    @Override
    public void remove(Identity<LvName> volume) throws LvmException, InterruptedException {
        Grammar.requireLvName(volume.name());
        try (var _ = runner.locks().change(volume.name().vg())) {
            new Removal(runner).remove(volume);
        }
    }

    @Override
    public LogicalVolume activate(Identity<LvName> volume)
            throws LvmException, InterruptedException {
        Grammar.requireLvName(volume.name());
        try (var _ = runner.locks().change(volume.name().vg())) {
            creation.activate(volume);
            return reads.existing(volume);
        }
    }

    @Override
    public Set<Identity<LvName>> activateAll(Collection<Identity<LvName>> volumes)
            throws LvmException, InterruptedException {
        volumes.forEach(volume -> Grammar.requireLvName(volume.name()));
        if (volumes.isEmpty()) {
            return Set.of();
        }
        try (var _ = runner.locks().change(groupOf(volumes))) {
            creation.activateAll(volumes);
            var active = new HashSet<Identity<LvName>>();
            for (var volume : volumes) {
                if (runner.kernel().isActive(volume)) {
                    active.add(volume);
                }
            }
            return Set.copyOf(active);
        }
    }

    private static String groupOf(Collection<Identity<LvName>> volumes) {
        var groups = volumes.stream().map(volume -> volume.name().vg()).distinct().toList();
        if (groups.size() > 1) {
            throw new IllegalArgumentException("volumes of several groups: " + groups);
        }
        return groups.getFirst();
    }

    @Override
    public void deactivate(Identity<LvName> volume) throws LvmException, InterruptedException {
        Grammar.requireLvName(volume.name());
        try (var _ = runner.locks().change(volume.name().vg())) {
            runner.kernel().require(volume);
            runner.run(Effect.CHANGE, Words.only(volume, "lvchange", "-y", "-an"));
        } catch (LvmException.NotFound e) {
            // gone: it cannot be active
        }
    }

    @Override
    public LogicalVolume changePermission(Identity<LvName> volume, boolean writable)
            throws LvmException, InterruptedException {
        Grammar.requireLvName(volume.name());
        try (var _ = runner.locks().change(volume.name().vg())) {
            var found = reads.existing(volume);
            if (found.writable() == writable) {
                return found;
            }
            var permission = writable ? "rw" : "r";
            runner.run(Effect.CHANGE, Words.only(volume, "lvchange", "-y", "-p", permission));
            return reads.existing(volume);
        }
    }

    @Override
    public Tuning tuning(Identity<LvName> volume) throws LvmException, InterruptedException {
        return new TuningChanges(runner, reads).read(volume);
    }

    @Override
    public Tuning tune(Identity<LvName> volume, Tuning wanted)
            throws LvmException, InterruptedException {
        return new TuningChanges(runner, reads).change(volume, wanted);
    }

    @Override
    public LogicalVolume changeTags(Identity<LvName> volume, Set<String> add, Set<String> remove)
            throws LvmException, InterruptedException {
        Grammar.requireLvName(volume.name());
        try (var _ = runner.locks().change(volume.name().vg())) {
            var found = reads.existing(volume);
            var words = new ArrayList<>(List.of("lvchange", "-y"));
            words.addAll(Words.tagChanges(found.tags(), add, remove));
            if (words.size() == 2) {
                return found;
            }
            words.addAll(Words.only(volume));
            runner.run(Effect.CHANGE, words);
            return reads.existing(volume);
        }
    }

    @Override
    public void wipeSignatures(Identity<LvName> volume) throws LvmException, InterruptedException {
        var name = volume.name();
        Grammar.requireLvName(name);
        var path = Path.of("/dev", name.vg(), name.lv());
        try (var _ = runner.locks().change(name.vg())) {
            reads.existing(volume);
            runner.kernel().require(volume);
            if (!runner.options().activation()) {
                return; // there is only metadata
            }
            if (!Files.exists(path)) {
                throw new LvmException.Unavailable(path + " is not there", null);
            }
            var wiped = Program.of(WIPE_DEADLINE, "wipefs", "--all", path.toString()).run();
            if (!wiped.succeeded()) { // it opens the device exclusively
                throw new LvmException.InUse("wipefs " + path + ": " + wiped.stderr().strip());
            }
        } catch (IOException | TimeoutException e) {
            throw new LvmException.OutcomeUnknown("wipefs " + path + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void refresh(Identity<LvName> volume) throws LvmException, InterruptedException {
        Grammar.requireLvName(volume.name());
        try (var _ = runner.locks().change(volume.name().vg())) {
            runner.kernel().require(volume);
            var words = new ArrayList<>(List.of("lvchange", "-y", "--refresh"));
            words.addAll(runner.withoutPolling());
            words.addAll(Words.only(volume));
            runner.resume(volume.name(), words);
        }
    }
}
