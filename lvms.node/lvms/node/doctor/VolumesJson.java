package lvms.node.doctor;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvAttributes;
import lvms.lvm2.LvHealth;
import lvms.lvm2.PhysicalVolume;
import lvms.lvm2.VolumeGroupReport;

import java.util.Collection;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/** Groups, pools and volumes as JSON: sizes are in bytes, unknown values are left out. */
final class VolumesJson {
    private VolumesJson() {}

    static JsonObject of(List<VolumeGroupReport> groups) {
        var root = new JsonObject();
        root.add("volumeGroups", array(groups, VolumesJson::group));
        return root;
    }

    private static JsonObject group(VolumeGroupReport report) {
        var group = report.group();
        var json = new JsonObject();
        json.addProperty("name", group.name());
        json.addProperty("uuid", group.uuid());
        json.addProperty("sizeBytes", group.sizeBytes());
        json.addProperty("freeBytes", group.freeBytes());
        json.addProperty("extentSizeBytes", group.extentSizeBytes());
        json.addProperty("metadataSizeBytes", group.metadataSizeBytes());
        json.addProperty("metadataUsedBytes", group.metadataUsedBytes());
        json.addProperty("missingPhysicalVolumes", group.missingPhysicalVolumes());
        json.addProperty("writable", group.writable());
        json.addProperty("exported", group.exported());
        json.add("tags", texts(group.tags()));
        json.add("physicalVolumes", array(report.physicalVolumes(), VolumesJson::disk));
        json.add("logicalVolumes", array(report.logicalVolumes(), VolumesJson::volume));
        return json;
    }

    private static JsonObject disk(PhysicalVolume disk) {
        var json = new JsonObject();
        json.addProperty("device", disk.device());
        json.addProperty("uuid", disk.uuid());
        json.addProperty("sizeBytes", disk.sizeBytes());
        json.addProperty("freeBytes", disk.freeBytes());
        json.addProperty("missing", disk.missing());
        return json;
    }

    private static JsonObject volume(LogicalVolume volume) {
        var json = new JsonObject();
        json.addProperty("name", volume.name().lv());
        json.addProperty("uuid", volume.uuid());
        volume.path().ifPresent(path -> json.addProperty("path", path.toString()));
        json.addProperty("sizeBytes", volume.sizeBytes());
        json.addProperty("attributes", volume.attributes().text());
        json.add("layout", texts(volume.layout()));
        volume.pool().ifPresent(pool -> json.addProperty("pool", pool));
        volume.origin().ifPresent(origin -> json.addProperty("origin", origin));
        percent(json, "dataPercent", volume.dataPercent());
        percent(json, "metadataPercent", volume.metadataPercent());
        percent(json, "syncPercent", volume.syncPercent());
        json.addProperty("active", volume.active());
        json.addProperty("open", volume.attributes().open() == LvAttributes.Open.OPEN);
        json.addProperty("writable", volume.writable());
        json.addProperty("healthy", volume.attributes().health().isEmpty());
        volume.attributes()
                .health()
                .map(LvHealth::text)
                .ifPresent(h -> json.addProperty("health", h));
        json.add("tags", texts(volume.tags()));
        return json;
    }

    private static void percent(JsonObject json, String key, OptionalDouble value) {
        value.ifPresent(v -> json.addProperty(key, v));
    }

    static <T> JsonArray array(Collection<T> values, Function<T, JsonElement> each) {
        var array = new JsonArray();
        values.forEach(value -> array.add(each.apply(value)));
        return array;
    }

    private static JsonArray texts(Collection<String> values) {
        var array = new JsonArray();
        values.stream().sorted().forEach(array::add);
        return array;
    }
}
