package lvms.operator.volume;

import lvms.api.Names;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The nodes with what they have free for each device class. Any thread may use it.
 *
 * <p>Nodes report in annotations; a value that is not a number counts as no report.
 */
public final class NodeCapacities {
    private final VolumeSettings settings;
    private final NodeTopology topology;
    private final Informer nodes;
    private final Ledger ledger;
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();

    NodeCapacities(VolumeSettings settings, Informer nodes, Ledger ledger) {
        this.settings = settings;
        this.nodes = nodes;
        this.topology = new NodeTopology(settings.driver(), nodes);
        this.ledger = ledger;
        nodes.addHandler(this::follow);
    }

    /** Calls {@code listener} with the name of a node whenever one of its classes got more room. */
    public void onMoreRoom(Consumer<String> listener) {
        listeners.add(listener);
    }

    /**
     * Calls {@code listener} with the name of a node whenever something is reserved there or
     * released; it must not block.
     */
    public void onReservation(Consumer<String> listener) {
        ledger.onChange(slot -> listener.accept(slot.node()));
    }

    /** Returns whether something is reserved on a node for a class. */
    public boolean reserves(String node, String deviceClass) {
        return ledger.reserves(slot(node, deviceClass));
    }

    /**
     * Returns what a node has free for new volumes of a class, minus what is reserved, in bytes.
     */
    public OptionalLong free(String node, String deviceClass) {
        var free = ledger.free(slot(node, deviceClass));
        return free.isPresent() && closed(node, deviceClass) ? OptionalLong.of(0) : free;
    }

    /** Returns whether a person wants no new volumes of a class on a node. */
    boolean closed(String node, String deviceClass) {
        return nodes.get(ObjectKey.cluster(node))
                .filter(n -> ClosedClasses.closed(n, settings.canonicalClass(deviceClass)))
                .isPresent();
    }

    /** Returns whether a node takes snapshots of the volumes of a thick class. */
    boolean thick(String node, String deviceClass) {
        var key = settings.canonicalClass(deviceClass);
        return nodes.get(ObjectKey.cluster(node))
                .flatMap(n -> n.annotation(settings.driver().thickClassesAnnotation()))
                .filter(classes -> List.of(classes.split(",")).contains(key))
                .isPresent();
    }

    /** Returns what all nodes have free for a class together, minus what is reserved, in bytes. */
    public long freeEverywhere(String deviceClass) {
        long sum = 0;
        for (var node : nodes.list()) {
            sum += free(node.name(), deviceClass).orElse(0);
        }
        return sum;
    }

    /** Returns what the node with the most room for a class has free, in bytes. */
    public long mostFree(String deviceClass) {
        long most = 0;
        for (var node : nodes.list()) {
            most = Math.max(most, free(node.name(), deviceClass).orElse(0));
        }
        return most;
    }

    /** Returns the nodes by their labels. */
    public NodeTopology topology() {
        return topology;
    }

    Slot slot(String node, String deviceClass) {
        return new Slot(node, settings.canonicalClass(deviceClass));
    }

    private void follow(Optional<KubeObject> before, Optional<KubeObject> after) {
        var old = before.map(this::parse).orElse(Map.of());
        var now = after.map(this::parse).orElse(Map.of());
        var name = after.or(() -> before).orElseThrow().name();
        boolean more = !wish(before).equals(wish(after)); // perhaps a class is open again
        for (var value : now.entrySet()) {
            ledger.report(new Slot(name, value.getKey()), value.getValue());
            more |= value.getValue() > old.getOrDefault(value.getKey(), 0L);
        }
        for (var gone : old.keySet()) {
            if (!now.containsKey(gone)) {
                ledger.forget(new Slot(name, gone));
            }
        }
        if (more) {
            listeners.forEach(listener -> listener.accept(name));
        }
    }

    private static Optional<String> wish(Optional<KubeObject> node) {
        return node.flatMap(n -> n.annotation(Names.NO_NEW_VOLUMES_ANNOTATION));
    }

    private Map<String, Long> parse(KubeObject node) {
        var values = new HashMap<String, Long>();
        for (var annotation : node.annotations().entrySet()) {
            var ofClass = settings.driver().classOf(annotation.getKey());
            if (ofClass.isPresent()) {
                try {
                    long bytes = Long.parseLong(annotation.getValue());
                    values.put(ofClass.get(), Math.max(0, bytes));
                } catch (NumberFormatException _) {
                    continue; // as if the node had said nothing
                }
            }
        }
        return values;
    }
}
