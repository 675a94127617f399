package lvms.node.vgmanager;

import lvms.api.LvmVolumeGroup;
import lvms.api.VolumeGroupStatus;
import lvms.api.disk.DeviceSelection.SelectedPath;
import lvms.api.listing.LoopDevice;
import lvms.api.listing.LoopState;
import lvms.k8s.client.ApiException;
import lvms.lvm2.LvmException;
import lvms.node.disk.Host;
import lvms.node.disk.InventoryReader;
import lvms.node.loop.LoopKeeper;
import lvms.node.proof.DiskTaking;
import lvms.node.proof.LoopFileRemoval;
import lvms.node.proof.Proofs;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * The loop devices of the groups. The node status remembers the file of each, and nothing is looked
 * up for a group that has none.
 *
 * @param status the node status
 * @param keeper makes, attaches and removes them
 * @param inventory the disks of the node
 * @param host looks at a disk once more before its file is removed
 */
record GroupLoops(NodeStatus status, LoopKeeper keeper, InventoryReader inventory, Host host) {
    /** Returns the loop devices that a group asks for; one that is not there leads nowhere. */
    List<SelectedPath> selected(LvmVolumeGroup group) throws IOException {
        var wishes = group.spec().listing().loops();
        if (wishes.isEmpty()) {
            return List.of();
        }
        var recorded = recorded(group);
        var selected = new ArrayList<SelectedPath>();
        for (var wish : wishes) {
            selected.add(wish.auto() ? made(group, wish, recorded) : theirs(wish));
        }
        return selected;
    }

    /**
     * The file is what stays the same over a boot. If it cannot be looked at, the state of the loop
     * device says why, and no other group has to wait.
     */
    private SelectedPath made(LvmVolumeGroup group, LoopDevice wish, List<LoopState> recorded) {
        try {
            var file = keeper.file(group.volumeGroup(), wish, recorded);
            var device = file.isPresent() ? keeper.device(file.get()) : Optional.<Path>empty();
            return new SelectedPath(
                    file.map(Path::toString).orElse(wish.name()), device.map(Path::toString));
        } catch (IOException e) {
            return new SelectedPath(wish.name(), Optional.empty());
        }
    }

    private SelectedPath theirs(LoopDevice wish) throws IOException {
        return SituationReader.resolved(host, wish.name());
    }

    /** What the node knows counts before what it is told, which another program once knew. */
    private List<LoopState> recorded(LvmVolumeGroup group) {
        var known = status.entry(group.name()).map(VolumeGroupStatus::loops).orElse(List.of());
        var told = told(group.spec().listing().loops());
        if (told.isEmpty()) {
            return known;
        }
        var recorded = new LinkedHashMap<String, LoopState>();
        known.forEach(state -> recorded.put(state.name(), state));
        for (var state : told) {
            recorded.merge(state.name(), state, (k, t) -> k.file().isEmpty() ? t : k);
        }
        return List.copyOf(recorded.values());
    }

    private List<LoopState> told(List<LoopDevice> wishes) {
        return wishes.stream()
                .flatMap(
                        wish ->
                                wish
                                        .fileOn(keeper.names().node())
                                        .map(file -> LoopState.failed(wish.name(), file, ""))
                                        .stream())
                .toList();
    }

    /**
     * Makes those that are missing, and attaches those that no longer are.
     *
     * @return why one of them is not there; empty if all are
     */
    Optional<String> make(LvmVolumeGroup group) throws ApiException, InterruptedException {
        return keep(group, true).stream()
                .limit(group.spec().listing().loops().size()) // the rest is no longer asked for
                .filter(state -> !state.isSuccessful())
                .map(state -> "loop device \"%s\": %s".formatted(state.name(), state.message()))
                .findFirst();
    }

    /** Attaches what was made before; makes nothing. */
    List<LoopState> attach(LvmVolumeGroup group) throws ApiException, InterruptedException {
        return keep(group, false);
    }

    private List<LoopState> keep(LvmVolumeGroup group, boolean make)
            throws ApiException, InterruptedException {
        var wishes = group.spec().listing().loops();
        var recorded = recorded(group);
        if (wishes.isEmpty() && recorded.isEmpty()) {
            return List.of();
        }
        var states = keeper.keep(group.volumeGroup(), wishes, recorded, make);
        if (!states.equals(recorded) && status.read().isPresent()) {
            status.putLoops(group, states);
        }
        return states;
    }

    /**
     * Takes down what was made for a group that is gone from the disks.
     *
     * @param states of its loop devices
     * @return why one has to stay; empty if all are gone
     */
    Optional<String> remove(LvmVolumeGroup group, List<LoopState> states)
            throws IOException, LvmException, InterruptedException {
        for (var file : keeper.made(group.volumeGroup(), states)) {
            var device = keeper.device(file);
            var found = device.isPresent() ? look(device.get()) : Optional.<DiskTaking>empty();
            var objection = Proofs.remove(new LoopFileRemoval(file.toString(), found));
            if (objection.isPresent()) {
                return objection;
            }
            keeper.remove(file, device.orElseThrow());
        }
        return Optional.empty();
    }

    private Optional<DiskTaking> look(Path device)
            throws IOException, LvmException, InterruptedException {
        var found = inventory.read().device(device.toString());
        return found.isPresent() ? Optional.of(host.lastLook(found.get())) : Optional.empty();
    }
}
