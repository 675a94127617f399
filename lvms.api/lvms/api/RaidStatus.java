package lvms.api;

import com.google.gson.JsonObject;

import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * Health of the RAID volumes of a volume group on a node.
 *
 * @param health the worst of all
 * @param memberCount number of physical volumes
 * @param degradedMemberCount number of physical volumes that are missing
 * @param minSyncPercent lowest progress of synchronisation, absent without RAID volumes
 * @param volumes health of each RAID volume
 */
public record RaidStatus(
        RaidHealth health,
        int memberCount,
        int degradedMemberCount,
        OptionalInt minSyncPercent,
        List<RaidVolumeHealth> volumes) {
    public RaidStatus {
        Objects.requireNonNull(health, "health");
        Objects.requireNonNull(minSyncPercent, "minSyncPercent");
        volumes = List.copyOf(volumes);
    }

    /**
     * Health of one RAID volume.
     *
     * @param name name of the logical volume
     * @param type RAID level
     * @param syncPercent progress of synchronisation, 0 to 100
     * @param healthStatus LVM's word, such as {@code partial}; empty if healthy
     */
    public record RaidVolumeHealth(
            String name, RaidType type, int syncPercent, String healthStatus) {
        public RaidVolumeHealth {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(type, "type");
            Objects.requireNonNull(healthStatus, "healthStatus");
        }

        private static RaidVolumeHealth of(JsonObject tree) {
            return new RaidVolumeHealth(
                    Fields.text(tree, "name"),
                    RaidType.of(Fields.text(tree, "raidType")),
                    Fields.integer(tree, "syncPercent").orElse(0),
                    Fields.text(tree, "healthStatus"));
        }

        private JsonObject json() {
            var tree = new JsonObject();
            tree.addProperty("name", name);
            tree.addProperty("raidType", type.text());
            tree.addProperty("syncPercent", syncPercent);
            Fields.addText(tree, "healthStatus", healthStatus);
            return tree;
        }
    }

    /**
     * Reads the JSON form.
     *
     * @throws IllegalArgumentException if the schema does not allow a value
     */
    public static RaidStatus of(JsonObject tree) {
        return new RaidStatus(
                RaidHealth.of(Fields.text(tree, "status")),
                Fields.integer(tree, "memberCount").orElse(0),
                Fields.integer(tree, "degradedMemberCount").orElse(0),
                Fields.integer(tree, "minSyncPercent"),
                Fields.objects(tree, "lvHealth", RaidVolumeHealth::of));
    }

    public JsonObject json() {
        var tree = new JsonObject();
        tree.addProperty("status", health.text());
        tree.addProperty("memberCount", memberCount);
        tree.addProperty("degradedMemberCount", degradedMemberCount);
        minSyncPercent.ifPresent(percent -> tree.addProperty("minSyncPercent", percent));
        if (!volumes.isEmpty()) {
            tree.add("lvHealth", Fields.array(volumes, RaidVolumeHealth::json));
        }
        return tree;
    }
}
