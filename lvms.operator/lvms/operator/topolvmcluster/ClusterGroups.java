package lvms.operator.topolvmcluster;

import lvms.api.LvmVolumeGroup;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.Deletion;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.operator.unit.Applier;
import lvms.operator.unit.VolumeUse;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The LVMVolumeGroups of a TopolvmCluster; the nodes do the rest.
 *
 * <p>Each of them says that its volume group stays on the disks when the object goes. Only when the
 * volume group is to go, too, that is taken back just before the object is deleted: whatever else
 * deletes an object leaves the data alone.
 *
 * @param applier writes
 * @param volumeGroups LVMVolumeGroups of the namespace
 * @param use knows which volumes there are
 */
record ClusterGroups(Applier applier, Informer volumeGroups, VolumeUse use) {
    /** Returns those of the cluster, by name. */
    List<LvmVolumeGroup> of(TopolvmCluster cluster) {
        return volumeGroups.list().stream()
                .filter(group -> controls(cluster, group))
                .sorted(Comparator.comparing(KubeObject::name))
                .map(LvmVolumeGroup::of)
                .toList();
    }

    /** Returns those of an LVMCluster or of somebody else. */
    List<LvmVolumeGroup> ofOthers(TopolvmCluster cluster) {
        return volumeGroups.list().stream()
                .filter(group -> !controls(cluster, group))
                .map(LvmVolumeGroup::of)
                .toList();
    }

    private static boolean controls(TopolvmCluster cluster, KubeObject group) {
        return group.ownerReferences().stream()
                .anyMatch(o -> o.controller() && o.uid().equals(cluster.object().uid()));
    }

    /** Brings the objects nearer to what the cluster asks for. */
    GroupProgress carryOut(TopolvmCluster cluster, GroupChanges changes)
            throws ApiException, InterruptedException {
        var waiting = new ArrayList<>(changes.waiting());
        var leaving = new ArrayList<LeavingGroup>();
        for (var group : changes.handOver()) {
            release(group).ifPresent(waiting::add);
        }
        for (var group : changes.remove()) {
            var obstacle = obstacle(group);
            if (obstacle.isEmpty()) {
                remove(cluster, group).ifPresent(waiting::add);
            }
            leaving.add(new LeavingGroup(group, obstacle.orElse("")));
        }
        for (var wanted : changes.apply()) {
            apply(cluster, wanted).ifPresent(waiting::add);
        }
        return new GroupProgress(waiting, changes.refused(), leaving);
    }

    private Optional<String> apply(TopolvmCluster cluster, WantedGroup wanted)
            throws ApiException, InterruptedException {
        var key = ObjectKey.of(cluster.namespace(), wanted.name());
        if (volumeGroups.get(key).filter(KubeObject::terminating).isPresent()) {
            return Optional.of(
                    "LVMVolumeGroup "
                            + wanted.name()
                            + " is still being deleted; it is created again after that");
        }
        applier.apply(owned(cluster, wanted.name(), wanted.spec()), volumeGroups);
        return Optional.empty();
    }

    private static KubeObject owned(TopolvmCluster cluster, String name, LvmVolumeGroup.Spec spec) {
        return KubeObject.create(LvmVolumeGroup.TYPE, ObjectKey.of(cluster.namespace(), name))
                .controlledBy(cluster.object())
                .with(spec.json(), "spec");
    }

    /** Returns which volumes keep the volume group from going, empty if none. */
    Optional<String> obstacle(LvmVolumeGroup group) throws ApiException, InterruptedException {
        if (group.object().terminating()) {
            return Optional.empty();
        }
        var node = GroupChanges.node(group);
        var candidate =
                new VolumeUse.Candidate(group.deviceClass(), true, group.spec().isDefault());
        return use.logicalVolumesOn(candidate, name -> node.map(name::equals).orElse(true));
    }

    /** Deletes an LVMVolumeGroup with its volume group; returns what is still to be done. */
    Optional<String> remove(TopolvmCluster cluster, LvmVolumeGroup group)
            throws ApiException, InterruptedException {
        var spec = group.spec();
        if (spec.listing().retainOnDelete()) {
            var going =
                    new LvmVolumeGroup.Spec(
                            spec.isDefault(), spec.group(), spec.listing().retaining(false));
            applier.apply(owned(cluster, group.name(), going), volumeGroups);
        }
        return delete(group);
    }

    /** Deletes an LVMVolumeGroup whose volume group stays; returns what is still to be done. */
    Optional<String> release(LvmVolumeGroup group) throws ApiException, InterruptedException {
        return delete(group);
    }

    private Optional<String> delete(LvmVolumeGroup group)
            throws ApiException, InterruptedException {
        if (applier.delete(LvmVolumeGroup.TYPE, group.object()) == Deletion.GONE) {
            return Optional.empty();
        }
        var nodes = group.nodesWithFinalizer();
        return Optional.of(
                "LVMVolumeGroup "
                        + group.name()
                        + " is terminating"
                        + (nodes.isEmpty() ? "" : " (nodes " + String.join(", ", nodes) + ")"));
    }
}
