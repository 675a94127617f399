package lvms.api;

import lvms.api.field.Fields;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * Health of the RAID volumes of a volume group on a node.
 *
 * @param health the worst health of any volume
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

        private static RaidVolumeHealth of(ObjectTree tree) {
            return new RaidVolumeHealth(
                    Fields.text(tree, "name"),
                    RaidType.of(Fields.text(tree, "raidType")),
                    Fields.integer(tree, "syncPercent").orElse(0),
                    Fields.text(tree, "healthStatus"));
        }

        private ObjectTree json() {
            var tree = ObjectTree.builder();
            tree.put("name", name);
            tree.put("raidType", type.text());
            tree.put("syncPercent", syncPercent);
            Fields.addText(tree, "healthStatus", healthStatus);
            return tree.build();
        }
    }

    /**
     * Reads the JSON form.
     *
     * @throws IllegalArgumentException if the schema does not allow a value
     */
    public static RaidStatus of(ObjectTree tree) {
        return new RaidStatus(
                RaidHealth.of(Fields.text(tree, "status")),
                Fields.integer(tree, "memberCount").orElse(0),
                Fields.integer(tree, "degradedMemberCount").orElse(0),
                Fields.integer(tree, "minSyncPercent"),
                Fields.objects(tree, "lvHealth", RaidVolumeHealth::of));
    }

    public ObjectTree json() {
        var tree = ObjectTree.builder();
        tree.put("status", health.text());
        tree.put("memberCount", memberCount);
        tree.put("degradedMemberCount", degradedMemberCount);
        minSyncPercent.ifPresent(percent -> tree.put("minSyncPercent", percent));
        if (!volumes.isEmpty()) {
            tree.put("lvHealth", Fields.array(volumes, RaidVolumeHealth::json));
        }
        return tree.build();
    }
}
