package lvms.tests.cluster.check;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.lvm2.filesystem.MountTable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the disks and the kernel of one node hold.
 *
 * @param node its name
 * @param groups the volume groups, ours and others
 * @param volumes the logical volumes, hidden ones too
 * @param devices the devices of device-mapper
 * @param mounts what is mounted in the node's own mount namespace
 * @param loops the backing files of its loop devices, by device
 * @param paths what lies in kubelet's folders for CSI volumes
 */
public record NodeView(
        String node,
        List<Group> groups,
        List<Volume> volumes,
        List<Mapped> devices,
        MountTable mounts,
        Map<String, String> loops,
        List<String> paths) {
    /** A volume group. */
    public record Group(String name, String uuid, long freeBytes, Set<String> tags) {}

    /**
     * A logical volume.
     *
     * @param sizeBytes what who has it sees
     * @param device major and minor number, such as {@code 253:4}; empty while it is not active
     */
    public record Volume(
            String name,
            String uuid,
            String group,
            long sizeBytes,
            String segmentType,
            String pool,
            Set<String> tags,
            Optional<String> device) {
        /** Whether it is one that a user could have, and not a part of others. */
        public boolean ofUser() {
            return !name.startsWith("[") && !segmentType.equals("thin-pool");
        }
    }

    /** A device of device-mapper. */
    public record Mapped(String name, String uuid, boolean suspended) {}

    public NodeView {
        groups = List.copyOf(groups);
        volumes = List.copyOf(volumes);
        devices = List.copyOf(devices);
        loops = Map.copyOf(loops);
        paths = List.copyOf(paths);
    }

    Optional<Group> group(String name) {
        return groups.stream().filter(group -> group.name().equals(name)).findFirst();
    }

    /** Returns the users' volumes in groups that carry the tag. */
    List<Volume> userVolumes(String groupTag) {
        return volumes.stream()
                .filter(Volume::ofUser)
                .filter(v -> group(v.group()).filter(g -> g.tags().contains(groupTag)).isPresent())
                .toList();
    }

    /** Reads the report of {@code vgs} in JSON, sizes in bytes without a unit. */
    static List<Group> groups(String json) {
        return rows(json, "vg").stream()
                .map(
                        row ->
                                new Group(
                                        text(row, "vg_name"),
                                        text(row, "vg_uuid"),
                                        Long.parseLong(text(row, "vg_free")),
                                        words(row, "vg_tags")))
                .toList();
    }

    /** Reads the report of {@code lvs --all} in JSON, sizes in bytes without a unit. */
    static List<Volume> volumes(String json) {
        // lvs has a row for each segment, since it is asked for a segment's type
        return rows(json, "lv").stream().map(NodeView::volume).distinct().toList();
    }

    private static Volume volume(ObjectTree row) {
        var major = text(row, "lv_kernel_major");
        return new Volume(
                text(row, "lv_name"),
                text(row, "lv_uuid"),
                text(row, "vg_name"),
                sizeBytes(row),
                text(row, "segtype"),
                text(row, "pool_lv"),
                words(row, "lv_tags"),
                major.equals("-1")
                        ? Optional.empty()
                        : Optional.of(major + ":" + text(row, "lv_kernel_minor")));
    }

    /** What LVM calls the size of a thick snapshot is that of its store. */
    private static long sizeBytes(ObjectTree row) {
        boolean thickSnapshot = text(row, "pool_lv").isEmpty() && !text(row, "origin").isEmpty();
        return Long.parseLong(text(row, thickSnapshot ? "origin_size" : "lv_size"));
    }

    /** Reads {@code dmsetup info --columns --separator '|' -o name,uuid,suspended}. */
    static List<Mapped> devices(String text) {
        return text.lines()
                .filter(line -> line.contains("|"))
                .map(line -> line.strip().split("[|]", -1))
                .map(row -> new Mapped(row[0], row[1], row[2].equalsIgnoreCase("suspended")))
                .toList();
    }

    private static List<ObjectTree> rows(String json, String kind) {
        var rows = new ArrayList<ObjectTree>();
        for (var report : Json.parse(json).asObject().at("report").asList()) {
            for (var row : report.asObject().at(kind).asList()) {
                rows.add(row.asObject());
            }
        }
        return rows;
    }

    private static String text(ObjectTree row, String column) {
        return row.at(column).asText();
    }

    private static Set<String> words(ObjectTree row, String column) {
        var text = text(row, column);
        return text.isEmpty() ? Set.of() : Set.of(text.split(","));
    }
}
