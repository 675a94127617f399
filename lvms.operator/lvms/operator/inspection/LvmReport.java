package lvms.operator.inspection;

import lvms.k8s.tree.ObjectTree;
import lvms.operator.overview.Cell;
import lvms.operator.overview.Section;

import java.util.List;
import java.util.SortedMap;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** What {@code lvms volumes --local -o=json} says of each node, as tables. Pure. */
public final class LvmReport {
    private final SortedMap<String, ObjectTree> byNode;

    private LvmReport(SortedMap<String, ObjectTree> byNode) {
        this.byNode = byNode;
    }

    /** Volume groups and thin pools, and how full they are. */
    public static List<Section> usage(SortedMap<String, ObjectTree> byNode) {
        var report = new LvmReport(byNode);
        return List.of(report.groups(), report.pools());
    }

    /** What is in the volume groups, also what no object names. */
    public static List<Section> volumes(SortedMap<String, ObjectTree> byNode) {
        return List.of(new LvmReport(byNode).volumes());
    }

    private Section groups() {
        return Section.of(
                "volumeGroups",
                List.of("node", "volumeGroup", "sizeBytes", "freeBytes", "disks", "health"),
                each(
                        (node, group) ->
                                Stream.of(
                                        List.of(
                                                Cell.of(node),
                                                Cell.of(group.text("name")),
                                                Cell.bytes(group.number("sizeBytes")),
                                                Cell.bytes(group.number("freeBytes")),
                                                Cell.of(group.objects("physicalVolumes").size()),
                                                Cell.of(health(group))))));
    }

    private static String health(ObjectTree group) {
        long missing = group.number("missingPhysicalVolumes").orElse(0);
        if (missing > 0) {
            return missing + " of its disks missing";
        }
        return group.flag("exported").orElse(false)
                ? "exported"
                : group.flag("writable").orElse(true) ? "ok" : "read only";
    }

    private Section pools() {
        return Section.of(
                "thinPools",
                List.of(
                        "node",
                        "thinPool",
                        "sizeBytes",
                        "dataPercent",
                        "metadataPercent",
                        "volumes",
                        "promisedBytes",
                        "health"),
                each(
                        (node, group) ->
                                group.objects("logicalVolumes").stream()
                                        .filter(LvmReport::isPool)
                                        .map(pool -> pool(node, group, pool))));
    }

    private static List<Cell> pool(String node, ObjectTree group, ObjectTree pool) {
        var name = pool.text("name").orElse("");
        var volumes =
                group.objects("logicalVolumes").stream()
                        .filter(volume -> volume.text("pool").orElse("").equals(name))
                        .toList();
        return List.of(
                Cell.of(node),
                Cell.of(group.text("name").orElse("") + "/" + name),
                Cell.bytes(pool.number("sizeBytes")),
                Cell.of(pool.at("dataPercent")),
                Cell.of(pool.at("metadataPercent")),
                Cell.of(volumes.size()),
                Cell.bytes(volumes.stream().mapToLong(LvmReport::size).sum()),
                Cell.of(pool.text("health").orElse("ok")));
    }

    private static long size(ObjectTree volume) {
        return volume.number("sizeBytes").orElse(0);
    }

    private static boolean isPool(ObjectTree volume) {
        var layout = volume.texts("layout");
        return layout.contains("thin") && layout.contains("pool");
    }

    private Section volumes() {
        return Section.of(
                "onDisk",
                List.of("node", "logicalVolume", "sizeBytes", "pool", "origin", "state", "health"),
                each(
                        (node, group) ->
                                group.objects("logicalVolumes").stream()
                                        .filter(volume -> !isPool(volume))
                                        .map(volume -> volume(node, group, volume))));
    }

    private static List<Cell> volume(String node, ObjectTree group, ObjectTree volume) {
        boolean active = volume.flag("active").orElse(false);
        boolean open = volume.flag("open").orElse(false);
        return List.of(
                Cell.of(node),
                Cell.of(group.text("name").orElse("") + "/" + volume.text("name").orElse("")),
                Cell.bytes(volume.number("sizeBytes")),
                Cell.of(volume.text("pool")),
                Cell.of(volume.text("origin")),
                Cell.of(active ? open ? "in use" : "unused" : "inactive"),
                Cell.of(volume.text("health").orElse("ok")));
    }

    private Stream<List<Cell>> each(BiFunction<String, ObjectTree, Stream<List<Cell>>> rows) {
        return byNode.entrySet().stream()
                .flatMap(
                        entry ->
                                entry.getValue().objects("volumeGroups").stream()
                                        .flatMap(group -> rows.apply(entry.getKey(), group)));
    }
}
