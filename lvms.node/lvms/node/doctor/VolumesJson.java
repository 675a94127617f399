package lvms.node.doctor;

import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvAttributes;
import lvms.lvm2.LvHealth;
import lvms.lvm2.PhysicalSegment;
import lvms.lvm2.PhysicalVolume;
import lvms.lvm2.VolumeGroupReport;

import java.util.Collection;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/** Groups, pools and volumes as JSON: sizes are in bytes, unknown values are left out. */
final class VolumesJson {
    private VolumesJson() {}

    static ObjectTree of(List<VolumeGroupReport> groups) {
        var root = ObjectTree.builder();
        root.put("volumeGroups", array(groups, VolumesJson::group));
        return root.build();
    }

    /** The same, with what the extents of each disk are for. */
    static ListTree withExtents(List<VolumeGroupReport> groups) {
        return array(
                groups,
                report ->
                        group(report)
                                .with(
                                        array(
                                                report.physicalVolumes(),
                                                disk -> extents(report, disk)),
                                        "physicalVolumes"));
    }

    private static ObjectTree extents(VolumeGroupReport report, PhysicalVolume disk) {
        var runs =
                report.physicalSegments().stream()
                        .filter(run -> run.pvUuid().equals(disk.uuid()))
                        .toList();
        var json = disk(disk).toBuilder();
        json.put("extents", disk.extents());
        json.put("runs", array(runs, VolumesJson::run));
        return json.build();
    }

    /** Free extents have no volume. */
    private static ObjectTree run(PhysicalSegment run) {
        var json = ObjectTree.builder();
        json.put("start", run.startExtent());
        json.put("length", run.extents());
        run.volume().ifPresent(volume -> json.put("volume", volume));
        if (!run.isFree()) {
            json.put("type", run.type());
        }
        return json.build();
    }

    private static ObjectTree group(VolumeGroupReport report) {
        var group = report.group();
        var json = ObjectTree.builder();
        json.put("name", group.name());
        json.put("uuid", group.uuid());
        json.put("sizeBytes", group.sizeBytes());
        json.put("freeBytes", group.freeBytes());
        json.put("extentSizeBytes", group.extentSizeBytes());
        json.put("metadataSizeBytes", group.metadataSizeBytes());
        json.put("metadataUsedBytes", group.metadataUsedBytes());
        json.put("missingPhysicalVolumes", group.missingPhysicalVolumes());
        json.put("writable", group.writable());
        json.put("exported", group.exported());
        json.put("tags", texts(group.tags()));
        json.put("physicalVolumes", array(report.physicalVolumes(), VolumesJson::disk));
        json.put("logicalVolumes", array(report.logicalVolumes(), VolumesJson::volume));
        return json.build();
    }

    private static ObjectTree disk(PhysicalVolume disk) {
        var json = ObjectTree.builder();
        json.put("device", disk.device());
        json.put("uuid", disk.uuid());
        json.put("sizeBytes", disk.sizeBytes());
        json.put("freeBytes", disk.freeBytes());
        json.put("missing", disk.missing());
        return json.build();
    }

    private static ObjectTree volume(LogicalVolume volume) {
        var json = ObjectTree.builder();
        json.put("name", volume.name().lv());
        json.put("uuid", volume.uuid());
        volume.path().ifPresent(path -> json.put("path", path.toString()));
        json.put("sizeBytes", volume.sizeBytes());
        json.put("attributes", volume.attributes().text());
        json.put("layout", texts(volume.layout()));
        volume.pool().ifPresent(pool -> json.put("pool", pool));
        volume.origin().ifPresent(origin -> json.put("origin", origin));
        percent(json, "dataPercent", volume.dataPercent());
        percent(json, "metadataPercent", volume.metadataPercent());
        percent(json, "syncPercent", volume.syncPercent());
        json.put("active", volume.active());
        json.put("open", volume.attributes().open() == LvAttributes.Open.OPEN);
        json.put("writable", volume.writable());
        json.put("healthy", volume.attributes().health().isEmpty());
        volume.attributes().health().map(LvHealth::text).ifPresent(h -> json.put("health", h));
        json.put("tags", texts(volume.tags()));
        return json.build();
    }

    private static void percent(ObjectTree.Builder json, String key, OptionalDouble value) {
        value.ifPresent(v -> json.put(key, v));
    }

    static <T> ListTree array(Collection<T> values, Function<T, Tree> each) {
        var array = ListTree.builder();
        values.forEach(value -> array.add(each.apply(value)));
        return array.build();
    }

    private static ListTree texts(Collection<String> values) {
        var array = ListTree.builder();
        values.stream().sorted().forEach(array::add);
        return array.build();
    }
}
