package lvms.lvm2.command;

import lvms.lvm2.Grammar;
import lvms.lvm2.Identity;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.PhysicalVolume;
import lvms.lvm2.ThinPool;
import lvms.lvm2.VolumeGroup;
import lvms.lvm2.VolumeGroupReport;
import lvms.lvm2.lock.GroupLocks;
import lvms.lvm2.report.Columns;
import lvms.lvm2.report.CommandOutput;
import lvms.lvm2.report.Layers;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The reports. Those of all groups read one group after the other, each in its turn, so that a
 * group that is held up keeps only them waiting.
 */
record Reads(CommandRunner commands, GroupLocks locks) {
    private static final System.Logger LOG = System.getLogger(Reads.class.getName());

    List<VolumeGroup> volumeGroups() throws LvmException, InterruptedException {
        return each(
                this::volumeGroup,
                () ->
                        all("vgs", Columns.VG).rows("vg").stream()
                                .map(Columns::volumeGroup)
                                .toList());
    }

    Optional<VolumeGroup> volumeGroup(String name) throws LvmException, InterruptedException {
        return find("vgs", Columns.VG, name, name)
                .flatMap(output -> first(output.rows("vg")))
                .map(Columns::volumeGroup);
    }

    List<PhysicalVolume> physicalVolumes() throws LvmException, InterruptedException {
        return all("pvs", Columns.PV).rows("pv").stream().map(Columns::physicalVolume).toList();
    }

    Optional<PhysicalVolume> physicalVolume(Path device) throws LvmException, InterruptedException {
        try (var _ = locks.survey()) {
            var output = commands.report("pvs", Columns.PV, List.of(device.toString()));
            return first(output.rows("pv")).map(Columns::physicalVolume);
        } catch (LvmException.NotFound e) {
            return Optional.empty();
        }
    }

    /** How much a move away from a physical volume has copied; empty if there is none. */
    OptionalDouble movePercent(PhysicalVolume from) throws LvmException, InterruptedException {
        try (var _ = locks.read(from.vgName())) {
            var words = List.of("-a", from.vgName());
            return commands.report("lvs", "lv_name,move_pv,copy_percent", words).rows("lv").stream()
                    .filter(row -> Columns.text(row, "move_pv").equals(from.device()))
                    .map(row -> Columns.percent(row, "copy_percent"))
                    .findFirst()
                    .map(percent -> percent.isPresent() ? percent : OptionalDouble.of(0))
                    .orElse(OptionalDouble.empty());
        }
    }

    /** Reads all volumes of a group, hidden ones too, with what is under them. */
    Layers layers(String vg) throws LvmException, InterruptedException {
        Grammar.requireVgName(vg);
        try (var _ = locks.read(vg)) {
            return Layers.of(
                    vg, commands.report("lvs", Layers.COLUMNS, List.of("-a", vg)).rows("lv"));
        }
    }

    List<LogicalVolume> logicalVolumes(String vg) throws LvmException, InterruptedException {
        Grammar.requireVgName(vg);
        try (var _ = locks.read(vg)) {
            return commands.report("lvs", Columns.LV, List.of(vg)).rows("lv").stream()
                    .map(Columns::logicalVolume)
                    .toList();
        }
    }

    Optional<LogicalVolume> logicalVolume(LvName name) throws LvmException, InterruptedException {
        return find("lvs", Columns.LV, name.vg(), name.toString())
                .flatMap(output -> first(output.rows("lv")))
                .map(Columns::logicalVolume);
    }

    /** Reads a volume that must be there, since we just made or changed it. */
    LogicalVolume existing(LvName name) throws LvmException, InterruptedException {
        return logicalVolume(name)
                .orElseThrow(() -> new LvmException.NotFound(name + ": no such logical volume"));
    }

    /** Reads a volume that must be there, and must be the one that was read before. */
    LogicalVolume existing(Identity<LvName> volume) throws LvmException, InterruptedException {
        var found = existing(volume.name());
        volume.require(found.uuid());
        return found;
    }

    /** Reads a group that must be there, and must be the one that was read before. */
    VolumeGroup existingGroup(Identity<String> group) throws LvmException, InterruptedException {
        var found = existingGroup(group.name());
        group.require(found.uuid());
        return found;
    }

    VolumeGroup existingGroup(String name) throws LvmException, InterruptedException {
        return volumeGroup(name)
                .orElseThrow(() -> new LvmException.NotFound(name + ": no such volume group"));
    }

    /** Reads only these columns of a volume that must be there. */
    Map<String, String> columns(LvName name, String columns)
            throws LvmException, InterruptedException {
        return find("lvs", columns, name.vg(), name.toString())
                .flatMap(output -> first(output.rows("lv")))
                .orElseThrow(() -> new LvmException.NotFound(name + ": no such logical volume"));
    }

    Optional<ThinPool> thinPool(LvName name) throws LvmException, InterruptedException {
        return find("lvs", Columns.POOL, name.vg(), name.toString())
                .flatMap(output -> first(output.rows("lv")))
                .map(Columns::thinPool)
                .filter(pool -> pool.volume().isThinPool());
    }

    /** Reads a thin pool that must be there. */
    ThinPool existingPool(LvName name) throws LvmException, InterruptedException {
        return thinPool(name)
                .orElseThrow(() -> new LvmException.NotFound(name + ": no such thin pool"));
    }

    /** Reads a thin pool that must be there, and must be the one that was read before. */
    ThinPool existingPool(Identity<LvName> pool) throws LvmException, InterruptedException {
        var found = existingPool(pool.name());
        pool.require(found.volume().uuid());
        return found;
    }

    Optional<VolumeGroupReport> report(String vg) throws LvmException, InterruptedException {
        Grammar.requireVgName(vg);
        try (var _ = locks.read(vg)) {
            return reports(List.of(vg)).stream().findFirst();
        } catch (LvmException.NotFound e) {
            return Optional.empty();
        }
    }

    List<VolumeGroupReport> reports() throws LvmException, InterruptedException {
        return each(this::report, this::reportsAtOnce);
    }

    private List<VolumeGroupReport> reportsAtOnce() throws LvmException, InterruptedException {
        try (var _ = locks.survey()) {
            return reports(List.of());
        }
    }

    private interface Read<T> {
        Optional<T> of(String vg) throws LvmException, InterruptedException;
    }

    private interface ReadAll<T> {
        List<T> all() throws LvmException, InterruptedException;
    }

    /** Groups that share a name can only be read at once. */
    private <T> List<T> each(Read<T> one, ReadAll<T> atOnce)
            throws LvmException, InterruptedException {
        var names = names();
        if (Set.copyOf(names).size() < names.size() || !names.stream().allMatch(Grammar::isName)) {
            return atOnce.all();
        }
        var found = new ArrayList<T>();
        for (var vg : names) {
            one.of(vg).ifPresent(found::add);
        }
        return List.copyOf(found);
    }

    /**
     * Reads the names of all groups, without LVM's locks where it can do without: whoever changes a
     * group changes no name.
     */
    List<String> names() throws LvmException, InterruptedException {
        if (commands.version().filter(v -> v.atLeast(2, 3, 0)).isPresent()) {
            try {
                return names(commands.report("vgs", "vg_name", List.of("--nolocking")));
            } catch (LvmException.Unavailable e) {
                throw e;
            } catch (LvmException e) {
                LOG.log(Level.DEBUG, () -> "names cannot be read while they change: " + e);
            }
        }
        return names(all("vgs", "vg_name"));
    }

    private static List<String> names(CommandOutput report) {
        return report.rows("vg").stream().map(row -> Columns.text(row, "vg_name")).toList();
    }

    private List<VolumeGroupReport> reports(List<String> groups)
            throws LvmException, InterruptedException {
        var words = new ArrayList<>(CommandRunner.reporting("fullreport"));
        words.addAll(List.of("--configreport", "vg", "-o", Columns.VG));
        words.addAll(List.of("--configreport", "pv", "-o", Columns.PV));
        words.addAll(List.of("--configreport", "lv", "-o", Columns.LV));
        words.addAll(List.of("--configreport", "seg", "-o", Columns.SEGMENT));
        words.addAll(List.of("--configreport", "pvseg", "-o", Columns.PHYSICAL_SEGMENT));
        words.addAll(List.of("-O", "vg_name")); // all equal, so the rows keep the group's own order
        words.addAll(groups);
        return commands.report(words).sections().stream()
                .filter(sections -> !sections.getOrDefault("vg", List.of()).isEmpty())
                .map(Reads::groupReport)
                .toList();
    }

    private static VolumeGroupReport groupReport(Map<String, List<Map<String, String>>> sections) {
        return new VolumeGroupReport(
                Columns.volumeGroup(sections.get("vg").getFirst()),
                sections.getOrDefault("pv", List.of()).stream()
                        .map(Columns::physicalVolume)
                        .toList(),
                sections.getOrDefault("lv", List.of()).stream()
                        .map(Columns::logicalVolume)
                        .toList(),
                sections.getOrDefault("seg", List.of()).stream().map(Columns::segment).toList(),
                sections.getOrDefault("pvseg", List.of()).stream()
                        .map(Columns::physicalSegment)
                        .toList());
    }

    private CommandOutput all(String command, String columns)
            throws LvmException, InterruptedException {
        try (var _ = locks.survey()) {
            return commands.report(command, columns, List.of());
        }
    }

    private Optional<CommandOutput> find(String command, String columns, String vg, String what)
            throws LvmException, InterruptedException {
        Grammar.requireVgName(vg);
        try (var _ = locks.read(vg)) {
            return Optional.of(commands.report(command, columns, List.of(what)));
        } catch (LvmException.NotFound e) {
            return Optional.empty();
        }
    }

    private static Optional<Map<String, String>> first(List<Map<String, String>> rows) {
        return rows.stream().findFirst();
    }
}
