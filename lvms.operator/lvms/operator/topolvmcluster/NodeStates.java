package lvms.operator.topolvmcluster;

import lvms.api.VolumeGroupState;
import lvms.api.VolumeGroupStatus;
import lvms.api.listing.LoopDevice;
import lvms.api.listing.LoopState;
import lvms.api.nativestor.ClassState;
import lvms.api.nativestor.ClassState.DeviceState;
import lvms.api.nativestor.NodeStorageState;
import lvms.api.nativestor.Phase;
import lvms.operator.topolvmcluster.rule.AdoptionRequest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Turns what a node reports into the words of NativeStor. Pure functions. */
final class NodeStates {
    private static final String UNUSABLE =
            "disk may has filesystem or is not raw disk please check";
    private static final String UNREPORTED = "the node has not said anything of it yet";

    private NodeStates() {}

    /**
     * Returns the entry of a node.
     *
     * @param wanted the volume groups that are asked for on it
     * @param leaving volume groups on it that nothing asks for any more
     */
    static NodeStorageState of(
            NodeView node, List<WantedGroup> wanted, List<LeavingGroup> leaving) {
        var failed = new ArrayList<ClassState>();
        var there = new ArrayList<ClassState>();
        for (var group : wanted) {
            entry(node, group.name()).ifPresent(e -> place(node, group, e, failed, there));
        }
        for (var group : leaving) {
            entry(node, group.group().name())
                    .filter(NodeStates::exists)
                    .ifPresent(e -> there.add(leaving(group, e)));
        }
        var byName = Comparator.comparing(ClassState::className);
        failed.sort(byName);
        there.sort(byName);
        return new NodeStorageState(
                node.name(),
                Optional.of(phase(node, there)),
                failed,
                there,
                loops(node, wanted, leaving));
    }

    private static List<LoopState> loops(
            NodeView node, List<WantedGroup> wanted, List<LeavingGroup> leaving) {
        var reported =
                Stream.concat(
                                wanted.stream().map(WantedGroup::name),
                                leaving.stream().map(group -> group.group().name()))
                        .flatMap(name -> entry(node, name).stream())
                        .flatMap(entry -> entry.loops().stream());
        return Stream.concat(reported, unreported(node, wanted))
                .distinct()
                .sorted(Comparator.comparing(LoopState::name))
                .toList();
    }

    /** What another program made stays known until the node has its turn. */
    private static Stream<LoopState> unreported(NodeView node, List<WantedGroup> wanted) {
        return wanted.stream()
                .filter(
                        group ->
                                entry(node, group.name()).stream()
                                        .allMatch(e -> e.loops().isEmpty()))
                .flatMap(group -> group.loops().stream())
                .flatMap(
                        loop ->
                                loop
                                        .fileOn(node.name())
                                        .map(
                                                file ->
                                                        LoopState.failed(
                                                                loop.name(), file, UNREPORTED))
                                        .stream());
    }

    private static Optional<VolumeGroupStatus> entry(NodeView node, String name) {
        return node.report().flatMap(report -> report.volumeGroup(name));
    }

    private static Phase phase(NodeView node, List<ClassState> there) {
        boolean serves = there.stream().anyMatch(c -> c.state().equals(ClassState.READY));
        return node.phase() == Phase.READY && !serves ? Phase.UNKNOWN : node.phase();
    }

    /** A cluster works as long as one of its nodes does. */
    static Phase cluster(List<NodeStorageState> nodes) {
        return nodes.stream().anyMatch(n -> n.phase().equals(Optional.of(Phase.READY)))
                ? Phase.READY
                : Phase.FAILURE;
    }

    private static boolean exists(VolumeGroupStatus entry) {
        return !entry.devices().isEmpty();
    }

    private static void place(
            NodeView node,
            WantedGroup group,
            VolumeGroupStatus entry,
            List<ClassState> failed,
            List<ClassState> there) {
        if (exists(entry)) {
            there.add(existing(group, entry));
        } else if (entry.is(VolumeGroupState.FAILED) || entry.is(VolumeGroupState.DEGRADED)) {
            failed.add(missing(node.name(), group, entry));
        }
    }

    private static ClassState missing(String node, WantedGroup group, VolumeGroupStatus entry) {
        return state(
                group,
                ClassState.UNREADY,
                failure(node, group, entry),
                unusable(group, entry, DeviceState.OFFLINE));
    }

    private static String failure(String node, WantedGroup group, VolumeGroupStatus entry) {
        if (!entry.reason().contains("without the tag")) {
            return ClassMessage.CREATE_FAILED.with(entry.reason());
        }
        var message = ClassMessage.GROUP_EXISTS.with(entry.reason());
        return group.spec().listing().adoptsOn(node)
                ? message
                : message
                        + "; or name it in the annotation "
                        + AdoptionRequest.ANNOTATION
                        + " of the TopolvmCluster, if all its disks are among those of the class";
    }

    private static ClassState existing(WantedGroup group, VolumeGroupStatus entry) {
        var devices = new ArrayList<DeviceState>();
        for (var device : entry.devices()) {
            boolean lost = device.equals(VolumeGroupStatus.MISSING_DEVICE);
            devices.add(
                    new DeviceState(device, lost ? DeviceState.OFFLINE : DeviceState.ONLINE, ""));
        }
        var refused = unusable(group, entry, DeviceState.ERROR);
        devices.addAll(refused);
        boolean lost = entry.devices().contains(VolumeGroupStatus.MISSING_DEVICE);
        return state(
                group,
                lost ? ClassState.UNREADY : ClassState.READY,
                lost ? entry.reason() : message(group, entry, !refused.isEmpty()),
                devices);
    }

    private static String message(WantedGroup group, VolumeGroupStatus entry, boolean refused) {
        if (entry.is(VolumeGroupState.READY) || entry.is(VolumeGroupState.PROGRESSING)) {
            return refused ? ClassMessage.EXPAND_WARNING.text() : ClassMessage.CREATED.text();
        }
        if (shrinks(group, entry)) {
            return ClassMessage.SHRINK_ERROR.with(entry.reason());
        }
        return (refused ? ClassMessage.EXPAND_WARNING : ClassMessage.EXPAND_ERROR)
                .with(entry.reason());
    }

    /** Whether the group still has a device that the list no longer names. */
    private static boolean shrinks(WantedGroup group, VolumeGroupStatus entry) {
        var loops = group.spec().listing().loops(); // those of people are named as devices, too
        long listed = named(group).size() + loops.stream().filter(LoopDevice::auto).count();
        return listed > 0 && entry.devices().size() > listed;
    }

    /** Devices that are listed and cannot be used, with the reasons of the node. */
    private static List<DeviceState> unusable(
            WantedGroup group, VolumeGroupStatus entry, String state) {
        var named = new HashSet<>(named(group));
        entry.loops().forEach(loop -> named.add(loop.deviceName()));
        return entry.excluded().stream()
                .filter(device -> named.contains(device.name()))
                .map(
                        device ->
                                new DeviceState(
                                        device.name(),
                                        state,
                                        UNUSABLE + ": " + String.join("; ", device.reasons())))
                .toList();
    }

    private static List<String> named(WantedGroup group) {
        return group.spec()
                .group()
                .deviceSelector()
                .map(s -> s.paths().isEmpty() ? s.optionalPaths() : s.paths())
                .orElse(List.of());
    }

    private static ClassState state(
            WantedGroup group, String state, String message, List<DeviceState> devices) {
        return new ClassState(group.deviceClass(), group.volumeGroup(), state, message, devices);
    }

    /** NativeStor forgot a class whose group could not go; its volumes were nobody's then. */
    private static ClassState leaving(LeavingGroup leaving, VolumeGroupStatus entry) {
        var devices =
                entry.devices().stream()
                        .map(device -> new DeviceState(device, DeviceState.ONLINE, ""))
                        .toList();
        var reason = leaving.obstacle().isEmpty() ? entry.reason() : leaving.obstacle();
        return new ClassState(
                leaving.group().deviceClass(),
                leaving.group().volumeGroup(),
                ClassState.READY,
                reason.isEmpty() ? "" : ClassMessage.DELETE_ERROR.with(reason),
                devices);
    }
}
