package lvms.operator.overview;

import lvms.api.LogicalVolume;
import lvms.api.LogicalVolume.Spec;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.VolumeGroupStatus;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;
import lvms.operator.adoption.RetainedVolume;
import lvms.operator.claim.ClaimMark;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The volumes as tables: all, retained ones, those that nothing names, those without an object. */
public final class VolumeReport {
    private final Overview overview;

    private VolumeReport(Overview overview) {
        this.overview = overview;
    }

    public static List<Section> of(Overview overview) {
        var report = new VolumeReport(overview);
        return List.of(report.volumes(), report.retained(), report.orphans(), report.unclaimed());
    }

    private Section volumes() {
        return volumes(List.of(), _ -> List.of());
    }

    /**
     * All volumes, with more columns.
     *
     * @param names of these columns
     * @param cells what a volume has in them
     */
    public static Section volumes(
            Overview overview, List<String> names, Function<LogicalVolume, List<Cell>> cells) {
        return new VolumeReport(overview).volumes(names, cells);
    }

    private Section volumes(List<String> names, Function<LogicalVolume, List<Cell>> cells) {
        var columns =
                Stream.of(
                        "volume",
                        "node",
                        "deviceClass",
                        "sizeBytes",
                        "currentBytes",
                        "claim",
                        "state",
                        "ageSeconds",
                        "failure");
        return Section.of(
                "volumes",
                Stream.concat(columns, names.stream()).toList(),
                overview.volumes().stream()
                        .map(
                                volume ->
                                        Stream.concat(row(volume), cells.apply(volume).stream())
                                                .toList()));
    }

    private Stream<Cell> row(LogicalVolume volume) {
        return Stream.of(
                Cell.of(volume.name()),
                Cell.of(volume.spec().nodeName()),
                Cell.of(volume.spec().deviceClass()),
                Cell.bytes(volume.spec().size().bytes()),
                current(volume),
                Cell.of(claim(overview, volume)),
                Cell.of(state(volume)),
                Cell.age(overview.age(volume.object())),
                Cell.of(volume.status().message()));
    }

    private static Cell current(LogicalVolume volume) {
        return volume.status()
                .currentSize()
                .map(size -> Cell.bytes(size.bytes()))
                .orElse(Cell.NONE);
    }

    /** The claim that a volume was made for, {@code namespace/name}. */
    public static Optional<String> claim(Overview overview, LogicalVolume volume) {
        return overview.persistentVolumeOf(volume)
                .flatMap(Overview::claimOf)
                .or(() -> volume.object().annotation(volume.driver().claimNameAnnotation()));
    }

    private static String state(LogicalVolume volume) {
        return volume.growing() ? "growing" : volume.state().name().toLowerCase(Locale.ROOT);
    }

    private Section retained() {
        return Section.of(
                "retained",
                List.of(
                        "persistentVolume",
                        "phase",
                        "node",
                        "deviceClass",
                        "sizeBytes",
                        "lastClaim",
                        "ageSeconds"),
                retained(overview)
                        .map(
                                volume ->
                                        List.of(
                                                Cell.of(volume.name()),
                                                Cell.of(phase(volume)),
                                                Cell.of(spec(volume).map(Spec::nodeName)),
                                                Cell.of(spec(volume).map(Spec::deviceClass)),
                                                Cell.bytes(size(volume)),
                                                Cell.of(Overview.claimOf(volume)),
                                                Cell.age(inPhase(volume)))));
    }

    private Optional<Spec> spec(KubeObject persistentVolume) {
        return overview.volumeOf(persistentVolume).map(LogicalVolume::spec);
    }

    /** PersistentVolumes that no claim has, as {@code --delete} takes them. */
    static Stream<KubeObject> retained(Overview overview) {
        return overview.persistentVolumes().stream()
                .filter(volume -> !volume.terminating() && RetainedVolume.isFree(volume));
    }

    private static String phase(KubeObject volume) {
        return volume.text("status", "phase").orElse("Pending");
    }

    private static long size(KubeObject volume) {
        return volume.value("spec", "capacity", "storage")
                .map(Quantity::parse)
                .map(Quantity::bytes)
                .orElse(0L);
    }

    /** How long it has been in its phase; its age, where the server does not say. */
    private Duration inPhase(KubeObject volume) {
        return overview.since(
                volume.time("status", "lastPhaseTransitionTime").or(volume::creationTimestamp));
    }

    private Section orphans() {
        return Section.of(
                "orphans",
                List.of("volume", "node", "deviceClass", "sizeBytes", "ageSeconds"),
                orphans(overview)
                        .map(
                                volume ->
                                        List.of(
                                                Cell.of(volume.name()),
                                                Cell.of(volume.spec().nodeName()),
                                                Cell.of(volume.spec().deviceClass()),
                                                Cell.bytes(volume.bytes()),
                                                Cell.age(overview.age(volume.object())))));
    }

    /** LogicalVolumes that neither a PersistentVolume nor a snapshot names, and no claim awaits. */
    static Stream<LogicalVolume> orphans(Overview overview) {
        if (!overview.knows(Types.PV, Types.VOLUME_SNAPSHOT_CONTENT)) {
            return Stream.empty();
        }
        return overview.volumes().stream()
                .filter(volume -> volume.state() == LogicalVolume.State.READY)
                .filter(volume -> ClaimMark.of(volume.object(), volume.driver()).isEmpty())
                .filter(volume -> overview.persistentVolumeOf(volume).isEmpty())
                .filter(volume -> overview.contents().stream().noneMatch(c -> names(c, volume)));
    }

    private static boolean names(KubeObject content, LogicalVolume volume) {
        return content.text("status", "snapshotHandle")
                .or(() -> content.text("spec", "source", "snapshotHandle"))
                .filter(volume.volumeName()::equals)
                .isPresent();
    }

    private Section unclaimed() {
        return Section.of(
                "unclaimed",
                List.of("logicalVolume", "node", "deviceClass", "sizeBytes", "object"),
                overview.statuses().stream()
                        .flatMap(
                                status ->
                                        status.volumeGroups().stream()
                                                .flatMap(group -> unclaimed(status, group))));
    }

    private static Stream<List<Cell>> unclaimed(
            LvmVolumeGroupNodeStatus status, VolumeGroupStatus group) {
        return group.unclaimed().stream()
                .map(
                        volume ->
                                List.of(
                                        Cell.of(volume.name()),
                                        Cell.of(status.node()),
                                        Cell.of(group.deviceClass()),
                                        Cell.bytes(volume.size().bytes()),
                                        Cell.of(volume.object())));
    }
}
