package lvms.node.vgmanager.plan;

import lvms.api.LvmVolumeGroup;
import lvms.api.Names;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The LVMVolumeGroups of one node, of which two may ask for the same device class or volume group.
 * Whoever has begun on the node keeps it, else the older object gets it; the other one is refused,
 * and nothing is done for it.
 *
 * @param groups those that are wanted on the node, or of which it has something
 * @param node name of the node
 */
public record Rivals(List<LvmVolumeGroup> groups, String node) {
    public Rivals {
        groups = List.copyOf(groups);
    }

    public Optional<LvmVolumeGroup> ofClass(String name) {
        return holder(LvmVolumeGroup::deviceClass, name);
    }

    public Optional<LvmVolumeGroup> ofVolumeGroup(String name) {
        return holder(LvmVolumeGroup::volumeGroup, name);
    }

    /** Returns those that are not refused. */
    public Collection<LvmVolumeGroup> accepted() {
        return groups.stream().filter(group -> refusal(group).isEmpty()).toList();
    }

    /** Returns, in one line, why nothing is done for the group; empty if it has its names. */
    public Optional<String> refusal(LvmVolumeGroup group) {
        return ofClass(group.deviceClass())
                .filter(holder -> isOther(holder, group))
                .map(holder -> text(holder, "device class", group.deviceClass(), "deviceClassName"))
                .or(
                        () ->
                                ofVolumeGroup(group.volumeGroup())
                                        .filter(holder -> isOther(holder, group))
                                        .map(
                                                holder ->
                                                        text(
                                                                holder,
                                                                "volume group",
                                                                group.volumeGroup(),
                                                                "volumeGroupName")));
    }

    private static boolean isOther(LvmVolumeGroup holder, LvmVolumeGroup group) {
        return !holder.name().equals(group.name());
    }

    private static String text(LvmVolumeGroup holder, String what, String name, String field) {
        var taken =
                "%s \"%s\" of this node belongs to LVMVolumeGroup \"%s\""
                        .formatted(what, name, holder.name());
        return holder.object().terminating()
                ? taken + ", which is being deleted; this one waits for it"
                : taken + "; give this one another " + field + ", or take the node out of one";
    }

    private Optional<LvmVolumeGroup> holder(Function<LvmVolumeGroup, String> names, String name) {
        return groups.stream()
                .filter(group -> names.apply(group).equals(name))
                .min(
                        Comparator.comparing((LvmVolumeGroup group) -> !hasBegun(group))
                                .thenComparing(Rivals::created)
                                .thenComparing(LvmVolumeGroup::name));
    }

    private boolean hasBegun(LvmVolumeGroup group) {
        return group.object().finalizers().contains(Names.nodeCleanupFinalizer(node));
    }

    private static Instant created(LvmVolumeGroup group) {
        return group.object().creationTimestamp().orElse(Instant.EPOCH);
    }
}
