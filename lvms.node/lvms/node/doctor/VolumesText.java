package lvms.node.doctor;

import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvAttributes;
import lvms.lvm2.LvHealth;
import lvms.lvm2.VolumeGroupReport;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Groups, pools and volumes as tables for people. */
final class VolumesText {
    private VolumesText() {}

    static String of(List<VolumeGroupReport> groups) {
        if (groups.isEmpty()) {
            return "no volume groups\n";
        }
        var tables = Stream.of(groups(groups), pools(groups), volumes(groups));
        return tables.map(Table::text).filter(t -> !t.isEmpty()).collect(Collectors.joining("\n"));
    }

    private static Table groups(List<VolumeGroupReport> groups) {
        var table = new Table("VOLUME GROUP", "SIZE", "FREE", "DISKS", "VOLUMES", "HEALTH");
        for (var report : groups) {
            var group = report.group();
            table.add(
                    group.name(),
                    Table.size(group.sizeBytes()),
                    Table.size(group.freeBytes()),
                    Long.toString(group.physicalVolumes()),
                    Long.toString(group.logicalVolumes()),
                    health(report));
        }
        return table;
    }

    static String health(VolumeGroupReport report) {
        var group = report.group();
        if (group.missingPhysicalVolumes() > 0) {
            return group.missingPhysicalVolumes() + " of its disks missing";
        }
        return group.exported() ? "exported" : group.writable() ? "ok" : "read only";
    }

    private static Table pools(List<VolumeGroupReport> groups) {
        var table =
                new Table("THIN POOL", "SIZE", "DATA", "METADATA", "VOLUMES", "PROMISED", "HEALTH");
        for (var report : groups) {
            for (var pool : report.logicalVolumes()) {
                if (pool.isThinPool()) {
                    var volumes = report.thinVolumes(pool.name().lv());
                    long promised = volumes.stream().mapToLong(LogicalVolume::sizeBytes).sum();
                    table.add(
                            pool.name().toString(),
                            Table.size(pool.sizeBytes()),
                            percent(pool.dataPercent()),
                            percent(pool.metadataPercent()),
                            Integer.toString(volumes.size()),
                            Table.size(promised),
                            health(pool));
                }
            }
        }
        return table;
    }

    private static Table volumes(List<VolumeGroupReport> groups) {
        var table = new Table("VOLUME", "SIZE", "KIND", "POOL", "ORIGIN", "STATE", "HEALTH");
        groups.stream()
                .flatMap(report -> report.logicalVolumes().stream())
                .filter(volume -> !volume.isThinPool())
                .forEach(
                        volume ->
                                table.add(
                                        volume.name().toString(),
                                        Table.size(volume.sizeBytes()),
                                        kind(volume),
                                        volume.pool().orElse("-"),
                                        volume.origin().orElse("-"),
                                        state(volume),
                                        health(volume)));
        return table;
    }

    /**
     * Returns the longest word of LVM's layout, which says the most: {@code raid1} for {@code
     * raid,raid1}.
     */
    private static String kind(LogicalVolume volume) {
        return volume.isThin()
                ? "thin"
                : volume.layout().stream().max(Comparator.comparingInt(String::length)).orElse("-");
    }

    private static String state(LogicalVolume volume) {
        if (!volume.active()) {
            return "inactive";
        }
        var open = volume.attributes().open() == LvAttributes.Open.OPEN ? "in use" : "unused";
        return volume.writable() ? open : open + ", read only";
    }

    static String health(LogicalVolume volume) {
        return volume.attributes().health().map(LvHealth::text).orElse("ok");
    }

    private static String percent(OptionalDouble value) {
        return value.isPresent() ? "%.1f %%".formatted(value.getAsDouble()) : "-";
    }
}
