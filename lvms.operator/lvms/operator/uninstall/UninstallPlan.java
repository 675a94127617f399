package lvms.operator.uninstall;

import lvms.api.LvmVolumeGroup;
import lvms.api.Names;
import lvms.api.nativestor.RawDevice;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Tree;

import java.util.ArrayList;
import java.util.List;

/**
 * What an uninstallation will do, in order, or what is in its way. Pure: the same remains and
 * wishes give the same plan.
 *
 * @param obstacles what a person has to do or say first; nothing is done while there are any
 * @param steps what is done
 */
record UninstallPlan(List<String> obstacles, List<Step> steps) {
    static UninstallPlan of(Remains remains, Wishes wishes) {
        var obstacles = new Obstacles(remains, wishes).all();
        var plan = new UninstallPlan(obstacles, new ArrayList<>());
        if (wishes.keep()) {
            plan.stop(remains, wishes);
            plan.letGo(remains, wishes);
            plan.forget(remains);
        } else {
            plan.giveUp(remains, wishes);
            plan.unregister(remains, wishes);
            plan.namedVolumes(remains, wishes);
            plan.finish(remains);
        }
        plan.tidy(remains);
        return plan;
    }

    private void add(Step step) {
        steps.add(step);
    }

    private void delete(Item item, String more) {
        add(new Step.Delete("delete " + item.text() + more, List.of(item)));
    }

    /**
     * Nobody may remove a volume because its object goes, so nobody may be at work. As long as the
     * operator is, it makes the DaemonSet of the agents again.
     */
    private void stop(Remains remains, Wishes wishes) {
        if (remains.unfinished().isEmpty()) {
            return;
        }
        remains.installed().stream()
                .filter(item -> item.type() == Types.DEPLOYMENT)
                .filter(item -> !item.object().terminating())
                .forEach(
                        item ->
                                add(
                                        new Step.Change(
                                                "stop the operator: " + item.text(),
                                                item,
                                                now ->
                                                        MergePatch.of(now)
                                                                .set(
                                                                        Tree.of(0),
                                                                        "spec",
                                                                        "replicas"))));
        boolean nobody = remains.agents().stream().allMatch(wishes::lost);
        if (steps.isEmpty() && remains.daemonSets().isEmpty() && nobody) {
            return;
        }
        add(new Step.Quiet("wait until the operator has ended", Names.OPERATOR));
        add(
                new Step.Remove(
                        "delete the DaemonSet of the node agents",
                        Types.DAEMON_SET,
                        ObjectKey.of(remains.namespace(), Names.VG_MANAGER)));
        add(new Step.Quiet("wait until the node agents have ended", Names.VG_MANAGER));
    }

    /** What was copied once carries our mark, and nobody else takes it off. */
    private void letGo(Remains remains, Wishes wishes) {
        for (var volume : remains.volumes()) {
            if (wishes.volumes().contains(volume.name())) {
                remains.claimOf(volume).ifPresent(claim -> release(claim, ", as told"));
            }
        }
        remains.claims().stream()
                .filter(claim -> claim.object().terminating())
                .filter(claim -> !Marks.finalizers(claim.object()).isEmpty())
                .forEach(claim -> release(claim, ", which is being deleted"));
        for (var snapshot : remains.snapshots()) {
            add(
                    new Step.Change(
                            "take our mark off " + snapshot.text(), snapshot, Marks::releasing));
        }
    }

    private void release(Item claim, String why) {
        add(new Step.Release("let " + claim.text() + " go" + why, claim));
    }

    /** Objects go; what they stand for stays on the disks. */
    private void forget(Remains remains) {
        for (var item : remains.unfinished()) {
            add(new Step.Release("forget " + item.text() + whatStays(item), item));
        }
    }

    private static String whatStays(Item item) {
        if (item.type() == Types.PV && isRaw(item)) {
            return "; its disk stays as it is";
        }
        if (item.type() == Types.PV) {
            return "; its logical volume "
                    + item.object().text("spec", "csi", "volumeHandle").orElse("")
                    + " stays";
        }
        if (item.type().kind().equals("LogicalVolume")) {
            var spec = Remains.volume(item).spec();
            return "; its data stays on node " + spec.nodeName();
        }
        var nodes = Marks.nodesOf(item.object());
        return nodes.isEmpty()
                ? ""
                : "; volume group "
                        + LvmVolumeGroup.of(item.object()).volumeGroup()
                        + " stays on the disks of "
                        + String.join(", ", nodes);
    }

    private static boolean isRaw(Item volume) {
        return volume.object()
                .text("spec", "csi", "driver")
                .filter(RawDevice.DRIVER.name()::equals)
                .isPresent();
    }

    /** What only the agents of lost nodes could let go. */
    private void giveUp(Remains remains, Wishes wishes) {
        for (var item : remains.logicalVolumes()) {
            var node = Remains.volume(item).spec().nodeName();
            if (wishes.lostNodes().contains(node)) {
                var why = "; its data stays on the disks of lost node " + node;
                add(new Step.Release("give up " + item.text() + why, item));
            }
        }
        for (var group : remains.groups()) {
            var lost =
                    Marks.nodesOf(group.object()).stream()
                            .filter(wishes.lostNodes()::contains)
                            .toList();
            if (!lost.isEmpty()) {
                add(
                        new Step.Change(
                                "give up volume group "
                                        + LvmVolumeGroup.of(group.object()).volumeGroup()
                                        + " on lost nodes: "
                                        + String.join(", ", lost),
                                group,
                                now ->
                                        Marks.without(
                                                now,
                                                lost.stream()
                                                        .map(Names::nodeCleanupFinalizer)
                                                        .toList())));
            }
        }
    }

    /** No kubelet of a lost node takes the driver off its CSINode, which the operator awaits. */
    private void unregister(Remains remains, Wishes wishes) {
        remains.registrations().stream()
                .filter(item -> wishes.lostNodes().contains(item.name()))
                .forEach(
                        item ->
                                add(
                                        new Step.Change(
                                                "take the driver off " + item.text(),
                                                item,
                                                now ->
                                                        Marks.unregistering(
                                                                now, remains.drivers()))));
    }

    private void namedVolumes(Remains remains, Wishes wishes) {
        for (var volume : remains.volumes()) {
            if (wishes.volumes().contains(volume.name())) {
                remove(volume, remains);
            }
        }
        remains.orphans().stream()
                .filter(item -> wishes.volumes().contains(item.name()))
                .forEach(item -> delete(item, " with its data, as told"));
        var going = new ArrayList<>(remains.volumes());
        going.addAll(remains.logicalVolumes());
        if (!going.isEmpty()) {
            add(new Step.Await("wait until the volumes are removed: " + names(going), going));
        }
    }

    private void remove(Item volume, Remains remains) {
        if (remains.isUnbound(volume)) {
            delete(volume, ", as told");
            remains.behind(volume).ifPresent(item -> delete(item, " with its data, as told"));
            return;
        }
        if (Obstacles.isRetained(volume)) {
            add(
                    new Step.Change(
                            "let " + volume.text() + " go with its data, as told",
                            volume,
                            now ->
                                    MergePatch.of(now)
                                            .set(
                                                    "Delete",
                                                    "spec",
                                                    "persistentVolumeReclaimPolicy")));
        }
        remains.claimOf(volume).ifPresent(claim -> delete(claim, ", as told"));
    }

    private static String names(List<Item> items) {
        var names = items.stream().map(Item::name).distinct().toList();
        return names.size() > 5
                ? String.join(", ", names.subList(0, 5)) + " and " + (names.size() - 5) + " more"
                : String.join(", ", names);
    }

    private void finish(Remains remains) {
        for (var cluster : remains.clusters()) {
            delete(
                    cluster,
                    ", and wait until the node agents have removed its volume groups and the"
                            + " labels on the disks: "
                            + names(remains.groupsOf(cluster)));
        }
        for (var cluster : remains.nativeStor().clusters()) {
            var groups = names(remains.groupsOf(cluster));
            delete(
                    cluster,
                    NativeStorRemains.cleansUp(cluster)
                            ? ", and wait until the node agents have removed its volume groups and"
                                    + " the labels on the disks: "
                                    + groups
                            : "; its volume groups stay on the disks, since spec.cleanup is not"
                                    + " true: "
                                    + groups);
        }
    }

    /** What needs nobody to finish it, the guard last. */
    private void tidy(Remains remains) {
        remains.classes().forEach(item -> delete(item, ""));
        for (var node : remains.nodes()) {
            var marks = remains.marks();
            if (marks.on(node.object())) {
                add(new Step.Change("take our marks off " + node.text(), node, marks::cleaning));
            }
        }
        // The guard counts the volumes of another installation too.
        if (remains.foreign()) {
            deleteGuard(remains);
        }
        remains.installed().stream()
                .filter(item -> item.type() != Types.NAMESPACE)
                .forEach(item -> delete(item, ""));
        remains.nativeStor().steps().forEach(this::add);
        remains.installed().stream()
                .filter(item -> item.type() == Types.NAMESPACE && !isShared(item))
                .forEach(item -> delete(item, ""));
        if (!remains.foreign()) {
            deleteGuard(remains);
        }
    }

    /** A namespace that another system made may hold more than we know. */
    private static boolean isShared(Item item) {
        return !item.name().equals(Names.DEFAULT_NAMESPACE);
    }

    private void deleteGuard(Remains remains) {
        if (!remains.guard().isEmpty()) {
            add(new Step.Delete("delete the guard: " + names(remains.guard()), remains.guard()));
        }
    }
}
