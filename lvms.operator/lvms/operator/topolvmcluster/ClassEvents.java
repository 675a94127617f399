package lvms.operator.topolvmcluster;

import lvms.api.nativestor.ClassState;
import lvms.api.nativestor.ClassState.DeviceState;
import lvms.api.nativestor.NodeStorageState;
import lvms.operator.event.EventReason;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What people are told when the state of a TopolvmCluster's classes changes. Pure functions. */
final class ClassEvents {
    private ClassEvents() {}

    /** One Event about a TopolvmCluster. */
    record Note(EventReason reason, String text) {}

    /**
     * Compares two reports.
     *
     * @param wanted what is asked for: only a class that nobody wants was deleted
     */
    static List<Note> between(
            List<NodeStorageState> before, List<NodeStorageState> after, List<WantedGroup> wanted) {
        var notes = new ArrayList<Note>();
        var nodes = new TreeSet<String>();
        Stream.concat(before.stream(), after.stream()).forEach(n -> nodes.add(n.node()));
        for (var node : nodes) {
            var ofNode = wanted.stream().filter(w -> w.on(node)).toList();
            node(node, find(before, node), find(after, node), ofNode, notes);
        }
        return notes;
    }

    private static NodeStorageState find(List<NodeStorageState> states, String node) {
        return states.stream()
                .filter(s -> s.node().equals(node))
                .findFirst()
                .orElse(
                        new NodeStorageState(
                                node, Optional.empty(), List.of(), List.of(), List.of()));
    }

    private static void node(
            String node,
            NodeStorageState before,
            NodeStorageState after,
            List<WantedGroup> wanted,
            List<Note> notes) {
        for (var now : after.successClasses()) {
            var former = find(now.className(), before.successClasses());
            if (former.isEmpty()) {
                add(notes, EventReason.CLASS_CREATED, node, now, "is there on", online(now));
            } else {
                moved(node, former.get(), now, notes);
            }
            failed(node, former, now, notes);
        }
        for (var now : after.failClasses()) {
            failed(node, find(now.className(), before.failClasses()), now, notes);
        }
        for (var former : before.successClasses()) {
            boolean asked =
                    wanted.stream().anyMatch(w -> w.deviceClass().equals(former.className()));
            if (!asked && find(former.className(), after.successClasses()).isEmpty()) {
                add(notes, EventReason.CLASS_DELETED, node, former, "is gone from", online(former));
            }
        }
    }

    private static Optional<ClassState> find(String name, List<ClassState> classes) {
        return classes.stream().filter(c -> c.className().equals(name)).findFirst();
    }

    private static void moved(String node, ClassState former, ClassState now, List<Note> notes) {
        var added = online(now).filter(d -> members(former).noneMatch(f -> same(f, d)));
        var removed =
                online(former).filter(f -> now.deviceStates().stream().noneMatch(d -> same(f, d)));
        add(notes, EventReason.CLASS_EXPANDED, node, now, "now has", added);
        add(notes, EventReason.CLASS_SHRUNK, node, now, "no longer has", removed);
    }

    /**
     * A boot may give disks other names, and even exchange them; names count if nothing else does.
     */
    private static boolean same(DeviceState one, DeviceState other) {
        return one.uuid().isEmpty() || other.uuid().isEmpty()
                ? one.name().equals(other.name())
                : one.uuid().equals(other.uuid());
    }

    /** Returns the devices of the volume group, those that are missing among them. */
    private static Stream<DeviceState> members(ClassState state) {
        return state.deviceStates().stream().filter(d -> isOnline(d) || !d.uuid().isEmpty());
    }

    private static Stream<DeviceState> online(ClassState state) {
        return state.deviceStates().stream().filter(ClassEvents::isOnline);
    }

    private static boolean isOnline(DeviceState device) {
        return device.state().equals(DeviceState.ONLINE);
    }

    private static void add(
            List<Note> notes,
            EventReason reason,
            String node,
            ClassState state,
            String what,
            Stream<DeviceState> devices) {
        var names = devices.map(DeviceState::name).collect(Collectors.joining(", "));
        if (!names.isEmpty()) {
            var group = "volume group " + state.vgName() + " " + what;
            notes.add(new Note(reason, "%s: %s %s".formatted(place(node, state), group, names)));
        }
    }

    private static void failed(
            String node, Optional<ClassState> former, ClassState now, List<Note> notes) {
        boolean good = now.message().isEmpty() || now.message().equals(ClassMessage.CREATED.text());
        boolean known = former.filter(f -> f.message().equals(now.message())).isPresent();
        if (!good && !known) {
            notes.add(
                    new Note(
                            EventReason.CLASS_FAILED,
                            place(node, now) + ": " + now.message() + ClusterReport.devices(now)));
        }
    }

    private static String place(String node, ClassState state) {
        return "node " + node + ": class " + state.className();
    }
}
