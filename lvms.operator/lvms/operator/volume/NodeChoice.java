package lvms.operator.volume;

import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.api.VolumeException;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Finds the node for a new volume and reserves the bytes there, in one step. */
final class NodeChoice {
    private static final int NODES_IN_MESSAGE = 5;

    private final NodeCapacities capacities;
    private final Ledger ledger;

    NodeChoice(NodeCapacities capacities, Ledger ledger) {
        this.capacities = capacities;
        this.ledger = ledger;
    }

    /**
     * Returns whether snapshots of a class have a store of their own, from the room of its node.
     */
    boolean thick(String node, String deviceClass) {
        return capacities.thick(node, deviceClass);
    }

    /**
     * Reserves bytes for something that belongs to a volume which is on the node already.
     *
     * @throws VolumeException RESOURCE_EXHAUSTED, saying how much is free
     */
    void reserveBeside(String name, String node, String deviceClass, long bytes)
            throws VolumeException {
        if (!ledger.reserve(name, capacities.slot(node, deviceClass), bytes)) {
            throw new VolumeException(
                    StatusCode.RESOURCE_EXHAUSTED, shortage(List.of(node), deviceClass, bytes));
        }
    }

    /**
     * Returns the node on which the bytes are now reserved for {@code name}.
     *
     * @throws VolumeException RESOURCE_EXHAUSTED, saying how much is free where
     */
    String reserve(String name, Placement placement, String deviceClass, long bytes)
            throws VolumeException {
        var candidates = inOrder(placement, deviceClass);
        for (var node : candidates) {
            if (!capacities.closed(node, deviceClass)
                    && ledger.reserve(name, capacities.slot(node, deviceClass), bytes)) {
                return node;
            }
        }
        throw new VolumeException(
                StatusCode.RESOURCE_EXHAUSTED, shortage(candidates, deviceClass, bytes));
    }

    private List<String> inOrder(Placement placement, String deviceClass) {
        return switch (placement) {
            case Placement.InOrder(var nodes) -> nodes;
            case Placement.Anywhere() -> byRoom(capacities.topology().schedulable(), deviceClass);
            case Placement.Among(var nodes) ->
                    byRoom(
                            capacities.topology().schedulable().stream()
                                    .filter(nodes::contains)
                                    .toList(),
                            deviceClass);
        };
    }

    private List<String> byRoom(List<String> nodes, String deviceClass) {
        record Room(String node, long bytes) {}
        return nodes.stream()
                .map(node -> new Room(node, capacities.free(node, deviceClass).orElse(-1)))
                .filter(room -> room.bytes() >= 0)
                .sorted(Comparator.comparingLong(Room::bytes).reversed())
                .map(Room::node)
                .toList();
    }

    private String shortage(List<String> nodes, String deviceClass, long bytes) {
        var what =
                SizeRules.text(bytes)
                        + " requested"
                        + (deviceClass.isEmpty() ? "" : " of device class " + deviceClass);
        if (nodes.isEmpty()) {
            return what + ", but no node reports this device class";
        }
        var parts = new ArrayList<String>();
        for (var node : nodes.subList(0, Math.min(NODES_IN_MESSAGE, nodes.size()))) {
            var free = capacities.free(node, deviceClass);
            parts.add(
                    capacities.closed(node, deviceClass)
                            ? "node "
                                    + node
                                    + " gets no new volumes (annotation "
                                    + Names.NO_NEW_VOLUMES_ANNOTATION
                                    + ")"
                            : free.isPresent()
                                    ? "node "
                                            + node
                                            + " has "
                                            + SizeRules.text(free.getAsLong())
                                            + " free"
                                    : "node " + node + " does not report this device class");
        }
        int more = nodes.size() - parts.size();
        return what
                + ", but "
                + String.join(", ", parts)
                + (more > 0 ? ", " + more + " other nodes have no more room" : "");
    }
}
