package lvms.operator.page;

import lvms.api.finding.Finding;
import lvms.k8s.tree.NumberTree;
import lvms.k8s.tree.ObjectTree;
import lvms.operator.inspection.NodeFindings;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What {@code lvms report --local} prints on a node. Pure. A node may be in other hands, or have
 * another version: what does not make sense is left out.
 *
 * @param health what LVM says is wrong with a volume, by its name in LVM
 */
record NodeReading(
        List<DiskMap> disks,
        List<PoolFill> pools,
        Map<String, String> health,
        List<Finding> findings) {
    static NodeReading of(String node, ObjectTree json) {
        var groups = json.objects("volumeGroups");
        return new NodeReading(
                groups.stream().flatMap(group -> disks(node, group)).toList(),
                groups.stream().flatMap(group -> pools(node, group, json)).toList(),
                groups.stream()
                        .flatMap(group -> group.objects("logicalVolumes").stream())
                        .filter(volume -> volume.text("name").isPresent())
                        .collect(
                                Collectors.toMap(
                                        volume -> volume.text("name").get(),
                                        volume -> volume.text("health").orElse("ok"),
                                        (a, b) -> a.equals("ok") ? b : a)),
                NodeFindings.of(byNode(node, json)));
    }

    private static SortedMap<String, ObjectTree> byNode(String node, ObjectTree json) {
        return new TreeMap<>(Map.of(node, json));
    }

    private static Stream<DiskMap> disks(String node, ObjectTree group) {
        long extent = group.number("extentSizeBytes").orElse(0);
        return group.objects("physicalVolumes").stream()
                .map(
                        disk ->
                                new DiskMap(
                                        node,
                                        group.text("name").orElse("?"),
                                        disk.text("device").orElse("?"),
                                        disk.number("sizeBytes").orElse(0),
                                        extent,
                                        disk.number("extents").orElse(0),
                                        disk.flag("missing").orElse(false),
                                        disk.objects("runs").stream()
                                                .flatMap(NodeReading::run)
                                                .toList()));
    }

    private static Stream<ExtentRun> run(ObjectTree run) {
        long start = run.number("start").orElse(-1);
        long length = run.number("length").orElse(0);
        boolean sound = start >= 0 && length > 0 && Long.MAX_VALUE - start > length;
        return sound
                ? Stream.of(
                        new ExtentRun(
                                start, length, run.text("volume"), run.text("type").orElse("")))
                : Stream.empty();
    }

    private static Stream<PoolFill> pools(String node, ObjectTree group, ObjectTree json) {
        return group.objects("logicalVolumes").stream()
                .filter(volume -> volume.texts("layout").containsAll(List.of("thin", "pool")))
                .map(pool -> pool(node, group, pool, json));
    }

    private static PoolFill pool(String node, ObjectTree group, ObjectTree pool, ObjectTree json) {
        var name = pool.text("name").orElse("?");
        var volumes =
                group.objects("logicalVolumes").stream()
                        .filter(volume -> volume.text("pool").filter(name::equals).isPresent())
                        .toList();
        var key = group.text("name").orElse("?") + "/" + name;
        return new PoolFill(
                node,
                group.text("name").orElse("?"),
                name,
                pool.number("sizeBytes").orElse(0),
                percent(pool, "dataPercent"),
                percent(pool, "metadataPercent"),
                volumes.size(),
                volumes.stream().mapToLong(v -> v.number("sizeBytes").orElse(0)).sum(),
                pool.text("health"),
                json.objects("history").stream()
                        .filter(sample -> sample.text("pool").filter(key::equals).isPresent())
                        .flatMap(NodeReading::sample)
                        .toList());
    }

    private static Stream<PoolFill.Sample> sample(ObjectTree sample) {
        var data = percent(sample, "dataPercent");
        var metadata = percent(sample, "metadataPercent");
        var time = time(sample);
        return time.isEmpty() || data.isEmpty()
                ? Stream.empty()
                : Stream.of(
                        new PoolFill.Sample(time.get(), data.getAsDouble(), metadata.orElse(0)));
    }

    private static Optional<Instant> time(ObjectTree sample) {
        try {
            return sample.text("time").map(Instant::parse);
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    private static OptionalDouble percent(ObjectTree object, String key) {
        return object.at(key) instanceof NumberTree number
                ? OptionalDouble.of(Math.clamp(number.exact().doubleValue(), 0, 100))
                : OptionalDouble.empty();
    }
}
