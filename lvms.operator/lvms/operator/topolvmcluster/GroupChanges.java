package lvms.operator.topolvmcluster;

import lvms.api.LvmVolumeGroup;
import lvms.api.NodeTerms;
import lvms.api.RaidConfig;
import lvms.k8s.tree.ObjectTree;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What an accepted TopolvmCluster means for the LVMVolumeGroups that it has. Pure functions.
 *
 * @param apply volume groups to make or to keep as they are asked for
 * @param remove LVMVolumeGroups that nothing asks for any more; they go with their volume groups
 * @param handOver LVMVolumeGroups whose volume groups others are asked for; these stay on the disks
 * @param waiting volume groups that have to wait for one of those, each in a sentence
 * @param refused edits that cannot be carried out, each with what to do; what they are about stays
 */
record GroupChanges(
        List<WantedGroup> apply,
        List<LvmVolumeGroup> remove,
        List<LvmVolumeGroup> handOver,
        List<String> waiting,
        List<String> refused) {
    GroupChanges {
        apply = List.copyOf(apply);
        remove = List.copyOf(remove);
        handOver = List.copyOf(handOver);
        waiting = List.copyOf(waiting);
        refused = List.copyOf(refused);
    }

    /**
     * Compares.
     *
     * @param wanted what is asked for now
     * @param present the LVMVolumeGroups of the cluster
     * @param others those of an LVMCluster; whoever has a name first keeps it
     */
    static GroupChanges of(
            List<WantedGroup> wanted, List<LvmVolumeGroup> present, List<LvmVolumeGroup> others) {
        return new Comparison(present, others).of(wanted);
    }

    /** Returns the same with something else that cannot be carried out. */
    GroupChanges refusing(Optional<String> problem) {
        var all = new ArrayList<>(refused);
        problem.ifPresent(all::add);
        return new GroupChanges(apply, remove, handOver, waiting, all);
    }

    /** What follows from a spec that was rejected: what is there stays. */
    static GroupChanges none() {
        return new GroupChanges(List.of(), List.of(), List.of(), List.of(), List.of());
    }

    /** One comparison, while it is made. */
    private static final class Comparison {
        private final List<LvmVolumeGroup> present;
        private final List<LvmVolumeGroup> others;
        private final List<WantedGroup> apply = new ArrayList<>();
        private final LinkedHashMap<String, LvmVolumeGroup> handOver = new LinkedHashMap<>();
        private final List<String> waiting = new ArrayList<>();
        private final List<String> refused = new ArrayList<>();
        private final LinkedHashSet<String> kept = new LinkedHashSet<>();

        Comparison(List<LvmVolumeGroup> present, List<LvmVolumeGroup> others) {
            this.present = present;
            this.others = others;
        }

        GroupChanges of(List<WantedGroup> wanted) {
            wanted.forEach(this::settle);
            var names = apply.stream().map(WantedGroup::name).collect(Collectors.toSet());
            var remove =
                    present.stream()
                            .filter(there -> !names.contains(there.name()))
                            .filter(there -> !handOver.containsKey(there.name()))
                            .filter(there -> !kept.contains(there.name()))
                            .toList();
            return new GroupChanges(
                    apply, remove, List.copyOf(handOver.values()), waiting, refused);
        }

        private void settle(WantedGroup group) {
            var taken = others.stream().filter(there -> rivals(group, there)).findFirst();
            if (taken.isPresent() && present.stream().noneMatch(group::isMadeAs)) {
                refused.add(refusalFor(group, taken.get()));
                return;
            }
            var related = present.stream().filter(there -> related(group, there)).toList();
            var otherLayout = related.stream().filter(there -> otherLayout(group, there)).findAny();
            if (otherLayout.isPresent()) {
                refused.add(refusalOfLayout(group, otherLayout.get()));
                related.forEach(there -> kept.add(there.name()));
                return;
            }
            var rivals = present.stream().filter(there -> rivals(group, there)).toList();
            if (rivals.isEmpty()) {
                apply.add(group);
                return;
            }
            var other = rivals.stream().filter(there -> !same(group, there)).findFirst();
            if (other.isPresent() && !other.get().object().terminating()) {
                refused.add(refusal(group, other.get()));
                rivals.forEach(there -> kept.add(there.name()));
                return;
            }
            waiting.add(
                    GroupChanges.place(group.node())
                            + ": class "
                            + group.deviceClass()
                            + " waits until LVMVolumeGroup "
                            + rivals.getFirst().name()
                            + " is gone");
            rivals.stream()
                    .filter(there -> same(group, there))
                    .forEach(there -> handOver.put(there.name(), there));
        }
    }

    /** A class has one volume group on a node, a volume group one class and one object. */
    private static boolean rivals(WantedGroup wanted, LvmVolumeGroup there) {
        return related(wanted, there)
                && !(same(wanted, there) && wanted.name().equals(there.name()));
    }

    private static boolean related(WantedGroup wanted, LvmVolumeGroup there) {
        return meet(wanted.node(), node(there))
                && (wanted.deviceClass().equals(there.deviceClass())
                        || wanted.volumeGroup().equals(there.volumeGroup()));
    }

    /**
     * Volumes that are there keep their layout, and a volume group has one, as in an LVMCluster.
     */
    private static boolean otherLayout(WantedGroup wanted, LvmVolumeGroup there) {
        return same(wanted, there)
                && !there.object().terminating()
                && !layout(wanted.spec()).equals(layout(there.spec()));
    }

    /** Returns what the API server compares: the same size in other words is a change to it. */
    private static Optional<ObjectTree> layout(LvmVolumeGroup.Spec spec) {
        return spec.group().raid().map(RaidConfig::json);
    }

    private static boolean same(WantedGroup wanted, LvmVolumeGroup there) {
        return wanted.deviceClass().equals(there.deviceClass())
                && wanted.volumeGroup().equals(there.volumeGroup());
    }

    private static boolean meet(Optional<String> one, Optional<String> other) {
        return one.isEmpty() || other.isEmpty() || one.equals(other);
    }

    /** Returns the node that an LVMVolumeGroup is for; empty for all. */
    static Optional<String> node(LvmVolumeGroup group) {
        return group.spec().group().nodeSelector().stream()
                .map(NodeTerms::terms)
                .flatMap(List::stream)
                .flatMap(term -> term.fields().stream())
                .flatMap(requirement -> requirement.values().stream())
                .findFirst();
    }

    private static String refusal(WantedGroup wanted, LvmVolumeGroup there) {
        return ("%s: class %s cannot be volume group %s while class %s is volume group %s of %s:"
                        + " take the latter out of the spec first, and add the new one when its"
                        + " LVMVolumeGroup is gone")
                .formatted(
                        place(wanted.node()),
                        wanted.deviceClass(),
                        wanted.volumeGroup(),
                        there.deviceClass(),
                        there.volumeGroup(),
                        place(node(there)));
    }

    private static String refusalOfLayout(WantedGroup wanted, LvmVolumeGroup there) {
        var was = layout(there.spec());
        var verb =
                was.isEmpty() ? "added" : layout(wanted.spec()).isEmpty() ? "removed" : "changed";
        return ("%s: raidConfig of class %s cannot be %s while volume group %s is there: %s, or"
                        + " take the class out of the spec, and add it anew when its LVMVolumeGroup"
                        + " is gone")
                .formatted(
                        place(node(there)),
                        wanted.deviceClass(),
                        verb,
                        there.volumeGroup(),
                        was.map(raid -> "write " + raid + " again").orElse("remove it"));
    }

    private static String refusalFor(WantedGroup wanted, LvmVolumeGroup taken) {
        return ("%s: class %s cannot be made: LVMVolumeGroup %s of somebody else has class %s and"
                        + " volume group %s; take another name")
                .formatted(
                        place(wanted.node()),
                        wanted.deviceClass(),
                        taken.name(),
                        taken.deviceClass(),
                        taken.volumeGroup());
    }

    private static String place(Optional<String> node) {
        return node.map(name -> "node " + name).orElse("all nodes");
    }
}
