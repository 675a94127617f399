package lvms.node.vgmanager;

import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.api.UnclaimedVolume;
import lvms.api.VolumeGroupStatus;
import lvms.api.disk.Disk;
import lvms.api.listing.LoopState;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The LVMVolumeGroupNodeStatus of this node and no other. The operator makes and removes it.
 *
 * @param kube the API server
 * @param informer cache that holds the object
 * @param key namespace and node name
 * @param unclaimed the volumes of a class that no object names
 */
record NodeStatus(
        KubeClient kube,
        Informer informer,
        ObjectKey key,
        Function<String, List<UnclaimedVolume>> unclaimed) {
    /**
     * UUIDs of physical volumes that are being taken out of a group: the proof that a label without
     * a group is ours to remove, if the process dies between the two.
     */
    private static final String RETIRING = Names.LVM_GROUP + "/retiring-physical-volumes";

    /**
     * The volume groups that are in service here, {@code NAME=UUID} each: one that is not seen is
     * on disks that are away, unless we removed it.
     */
    private static final String KNOWN_GROUPS = Names.LVM_GROUP + "/known-volume-groups";

    private static final ResourceType TYPE = LvmVolumeGroupNodeStatus.TYPE;
    private static final int ATTEMPTS = 5;

    Optional<KubeObject> read() {
        return informer.get(key);
    }

    /** Returns the entry of the LVMVolumeGroup of that name. */
    Optional<VolumeGroupStatus> entry(String group) {
        return read().flatMap(o -> entry(o, group));
    }

    private static Optional<VolumeGroupStatus> entry(KubeObject object, String group) {
        return LvmVolumeGroupNodeStatus.of(object).volumeGroup(group);
    }

    /** Writes the entry of a group. */
    void put(VolumeGroupStatus entry, KubeObject group) throws ApiException, InterruptedException {
        var whole = entry.withUnclaimed(unclaimed.apply(entry.deviceClass()));
        edit(current -> NodeStatusEdit.put(current, withLoops(whole, current), group));
    }

    /** Whoever writes an entry knows nothing of its loop devices. */
    private static VolumeGroupStatus withLoops(VolumeGroupStatus entry, KubeObject current) {
        return entry(current, entry.name())
                .map(before -> entry.withLoops(before.loops()))
                .orElse(entry);
    }

    /** Writes what became of the loop devices of a group, and leaves the rest of its entry. */
    void putLoops(LvmVolumeGroup group, List<LoopState> loops)
            throws ApiException, InterruptedException {
        edit(
                current ->
                        NodeStatusEdit.put(
                                current,
                                entry(current, group.name())
                                        .orElseGet(() -> StatusEntry.begun(group))
                                        .withLoops(loops),
                                group.object()));
    }

    /** Removes what is said about groups that never had a device, but for these. */
    void forgetAllBut(Collection<LvmVolumeGroup> groups) throws ApiException, InterruptedException {
        var names = groups.stream().map(LvmVolumeGroup::name).collect(Collectors.toSet());
        edit(current -> NodeStatusEdit.keep(current, names));
    }

    /** Writes which disks the node has. */
    void putDisks(List<Disk> disks) throws ApiException, InterruptedException {
        edit(current -> NodeStatusEdit.disks(current, disks));
    }

    /**
     * Writes what the agent says of itself; nothing before there is a status.
     *
     * @param build which build it is
     * @param watchdogObstacle what keeps its watchdog from outliving it
     */
    void putAgent(String build, Optional<String> watchdogObstacle)
            throws ApiException, InterruptedException {
        if (read().isEmpty()) {
            return; // its creation leads to another pass
        }
        edit(
                current -> {
                    boolean known =
                            current.annotation(Names.BUILD_ANNOTATION).equals(Optional.of(build))
                                    && current.annotation(Names.WATCHDOG_ANNOTATION)
                                            .equals(watchdogObstacle);
                    var patch = MergePatch.of(current).annotation(Names.BUILD_ANNOTATION, build);
                    var whole =
                            watchdogObstacle
                                    .map(why -> patch.annotation(Names.WATCHDOG_ANNOTATION, why))
                                    .orElse(patch.withoutAnnotation(Names.WATCHDOG_ANNOTATION));
                    return known ? Optional.empty() : Optional.of(whole);
                });
    }

    /** Removes the entry of a group, and the owner reference to it. */
    void remove(KubeObject group) throws ApiException, InterruptedException {
        edit(current -> NodeStatusEdit.remove(current, group.name(), group));
    }

    Set<String> retiring() {
        return read().flatMap(o -> o.annotation(RETIRING)).stream()
                .flatMap(text -> Arrays.stream(text.split(" ")))
                .filter(uuid -> !uuid.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the UUID of the volume group of this name that was in service here. */
    Optional<String> knownGroup(String vg) {
        return read().map(NodeStatus::knownGroups).map(known -> known.get(vg));
    }

    private static Map<String, String> knownGroups(KubeObject object) {
        var known = new TreeMap<String, String>();
        for (var entry : object.annotation(KNOWN_GROUPS).orElse("").split(" ")) {
            var parts = entry.split("=", 2);
            if (parts.length == 2) {
                known.put(parts[0], parts[1]);
            }
        }
        return known;
    }

    /** Notes that a volume group is in service. */
    void know(String vg, String uuid) throws ApiException, InterruptedException {
        edit(current -> knowing(current, known -> known.put(vg, uuid)));
    }

    /** Notes that a volume group goes, or is none of ours. */
    void forget(String vg) throws ApiException, InterruptedException {
        if (read().isPresent()) {
            edit(current -> knowing(current, known -> known.remove(vg)));
        }
    }

    private static Optional<MergePatch> knowing(
            KubeObject current, Consumer<Map<String, String>> change) {
        var known = knownGroups(current);
        var next = new TreeMap<>(known);
        change.accept(next);
        if (next.equals(known)) {
            return Optional.empty();
        }
        var text =
                next.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining(" "));
        var patch = MergePatch.of(current);
        return Optional.of(
                next.isEmpty()
                        ? patch.withoutAnnotation(KNOWN_GROUPS)
                        : patch.annotation(KNOWN_GROUPS, text));
    }

    /** Says what a person does if a volume group that is not seen does not come back. */
    String goneForGood(String vg) {
        return "volume group \""
                + vg
                + "\" was in service on this node, and none of its disks is there: bring them back;"
                + " if they are lost for good, take its name off annotation "
                + KNOWN_GROUPS
                + " of LVMVolumeGroupNodeStatus "
                + key;
    }

    /** Notes the intent to take these physical volumes out of their group. */
    void retire(Set<String> uuids) throws ApiException, InterruptedException {
        var all = new TreeSet<>(retiring());
        all.addAll(uuids);
        edit(
                current ->
                        Optional.of(
                                MergePatch.of(current)
                                        .annotation(RETIRING, String.join(" ", all))));
    }

    /** Notes that nothing is being taken out any more. */
    void retired() throws ApiException, InterruptedException {
        edit(current -> Optional.of(MergePatch.of(current).withoutAnnotation(RETIRING)));
    }

    /** Writes the change of the current object; after a conflict, the change of the newer one. */
    private void edit(Function<KubeObject, Optional<MergePatch>> change)
            throws ApiException, InterruptedException {
        var current = read().isPresent() ? read().get() : kube.get(TYPE, key);
        for (int attempt = 1; ; attempt++) {
            var patch = change.apply(current);
            if (patch.isEmpty()) {
                return;
            }
            try {
                informer.patch(patch.get());
                return;
            } catch (ApiException.Conflict e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                current = kube.get(TYPE, key);
            }
        }
    }
}
