package lvms.operator.adoption;

import lvms.api.LogicalVolume;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Optional;

/**
 * The volume groups of a node, as LVM sees them there.
 *
 * @param groups each with its name, UUID and volumes
 */
record GroupsOnNode(List<Group> groups) {
    record Group(String name, String uuid, List<String> volumes) {}

    /** Reads what {@code lvms volumes --local -o=json} says. */
    static GroupsOnNode of(ObjectTree lvm) {
        return new GroupsOnNode(
                lvm.objects("volumeGroups").stream()
                        .map(
                                group ->
                                        new Group(
                                                group.text("name").orElse(""),
                                                group.text("uuid").orElse(""),
                                                group.objects("logicalVolumes").stream()
                                                        .flatMap(lv -> lv.text("name").stream())
                                                        .toList()))
                        .toList());
    }

    /** Says why a volume is not on this node; empty if it is. */
    Optional<String> obstacle(LogicalVolume object, String node) {
        var id = object.volumeName();
        var home = object.status().home().map(LogicalVolume.Home::groupUuid);
        var candidates =
                groups.stream()
                        .filter(group -> home.isEmpty() || group.uuid().equals(home.get()))
                        .toList();
        if (candidates.stream().anyMatch(group -> group.volumes().contains(id))) {
            return Optional.empty();
        }
        var about = "LogicalVolume " + object.name() + ": node " + node + " has ";
        return Optional.of(
                home.isEmpty() || !candidates.isEmpty()
                        ? about + "no logical volume " + id + where(candidates)
                        : about
                                + "no volume group with UUID "
                                + home.get()
                                + ", only "
                                + describe());
    }

    private static String where(List<Group> candidates) {
        return candidates.size() == 1 ? " in " + candidates.getFirst().name() : "";
    }

    private String describe() {
        return groups.isEmpty()
                ? "none"
                : String.join(
                        ", ", groups.stream().map(g -> g.name() + " (" + g.uuid() + ")").toList());
    }
}
