package lvms.operator.topolvmcluster;

import lvms.api.LvmVolumeGroup;
import lvms.api.listing.LoopDevice;
import lvms.api.listing.LoopFile;
import lvms.api.listing.LoopState;
import lvms.api.nativestor.NodeStorageState;

import java.util.List;
import java.util.Optional;

/**
 * Knows the files behind the loop devices that NativeStor made. Their names are random, so only its
 * last status has them. Pure.
 *
 * @param reported the status of the nodes before this pass
 * @param wanted all that the cluster asks for
 */
record RecordedLoops(List<NodeStorageState> reported, List<WantedGroup> wanted) {
    RecordedLoops {
        reported = List.copyOf(reported);
        wanted = List.copyOf(wanted);
    }

    /**
     * Returns what is wanted with the files that its loop devices have already. As for {@link
     * Adoption}, the LVMVolumeGroup keeps them as soon as there is one.
     *
     * @param group what is wanted
     * @param present its LVMVolumeGroup, if there is one
     */
    WantedGroup of(WantedGroup group, Optional<LvmVolumeGroup> present) {
        return group.withLoops(
                group.loops().stream()
                        .map(
                                loop ->
                                        loop.with(
                                                present.map(there -> kept(there, loop))
                                                        .orElseGet(() -> files(group, loop))))
                        .toList());
    }

    private static List<LoopFile> kept(LvmVolumeGroup present, LoopDevice loop) {
        return present.spec().listing().loops().stream()
                .filter(before -> before.name().equals(loop.name()))
                .flatMap(before -> before.files().stream())
                .toList();
    }

    private List<LoopFile> files(WantedGroup group, LoopDevice loop) {
        return reported.stream()
                .filter(state -> group.on(state.node()) && isMeant(state, group, loop))
                .flatMap(state -> file(state, group, loop).stream())
                .toList();
    }

    /** The status names a device, not its class: of two the one that is there has it. */
    private boolean isMeant(NodeStorageState state, WantedGroup group, LoopDevice loop) {
        return Adoption.has(state, group)
                || wanted.stream()
                        .filter(other -> other.on(state.node()))
                        .filter(other -> !other.name().equals(group.name()))
                        .flatMap(other -> other.loops().stream())
                        .noneMatch(other -> other.name().equals(loop.name()));
    }

    private static Optional<LoopFile> file(
            NodeStorageState state, WantedGroup group, LoopDevice loop) {
        var own = LoopFile.nameOf(group.volumeGroup(), loop.name(), state.node());
        return state.loops().stream()
                .filter(made -> made.name().equals(loop.name()))
                .filter(LoopState::hadFile)
                .map(made -> new LoopFile(state.node(), made.file()))
                .filter(made -> !made.file().endsWith("/" + own)) // nodes find theirs by its name
                .findFirst();
    }
}
