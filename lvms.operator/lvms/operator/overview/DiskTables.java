package lvms.operator.overview;

import lvms.api.disk.Disk;
import lvms.operator.preview.ClassOnNode;
import lvms.operator.preview.DiskVerdict;
import lvms.operator.preview.NodeDisks;

import java.util.List;
import java.util.stream.Stream;

/** The disks of nodes as tables: what they are, and what classes would do with them. */
public final class DiskTables {
    private static final List<String> COLUMNS =
            List.of(
                    "node",
                    "disk",
                    "type",
                    "sizeBytes",
                    "rotational",
                    "model",
                    "serial",
                    "content",
                    "group",
                    "free",
                    "reason");

    private DiskTables() {}

    public static Section inventory(List<NodeDisks> nodes) {
        return Section.of(
                "disks",
                COLUMNS,
                nodes.stream()
                        .flatMap(
                                node ->
                                        node.disks().orElse(List.of()).stream()
                                                .map(disk -> row(node.node().name(), disk))));
    }

    public static Section ofMachine(List<Disk> disks) {
        return Section.of(
                "disks",
                COLUMNS.subList(1, COLUMNS.size()),
                disks.stream().map(disk -> row("", disk)).map(r -> r.subList(1, r.size())));
    }

    private static List<Cell> row(String node, Disk disk) {
        return List.of(
                Cell.of(node),
                Cell.of(disk.name()),
                Cell.of(disk.type()),
                Cell.bytes(disk.sizeBytes()),
                Cell.of(disk.rotational()),
                Cell.of(disk.model()),
                Cell.of(disk.serial()),
                content(disk),
                Cell.of(disk.group()),
                Cell.of(disk.free()),
                Cell.of(String.join("; ", disk.obstacles())));
    }

    static Cell content(Disk disk) {
        return Cell.of(disk.unknownData() ? "unknown data" : disk.content());
    }

    /** One row for each class and each disk of its nodes. */
    public static Section preview(List<ClassOnNode> preview) {
        return Section.of(
                "preview",
                List.of("deviceClass", "node", "disk", "sizeBytes", "content", "wouldBe", "reason"),
                preview.stream().flatMap(DiskTables::rows));
    }

    private static Stream<List<Cell>> rows(ClassOnNode entry) {
        return entry.verdicts().stream().map(verdict -> row(entry, verdict));
    }

    private static List<Cell> row(ClassOnNode entry, DiskVerdict verdict) {
        boolean idle = entry.problem().isPresent() && verdict.kind() != DiskVerdict.Kind.MEMBER;
        var disk = verdict.disk();
        return List.of(
                Cell.of(entry.deviceClass()),
                Cell.of(entry.node()),
                Cell.of(disk.name()),
                Cell.bytes(disk.sizeBytes()),
                content(disk),
                Cell.of((idle ? DiskVerdict.Kind.LEFT : verdict.kind()).text()),
                Cell.of(
                        verdict.reasons().isEmpty() && idle
                                ? entry.problem().get()
                                : String.join("; ", verdict.reasons())));
    }
}
