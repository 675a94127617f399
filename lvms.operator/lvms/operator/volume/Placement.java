package lvms.operator.volume;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Which nodes may get a volume. */
public sealed interface Placement {
    /** The node with the most room. */
    record Anywhere() implements Placement {}

    /**
     * The one of these nodes with the most room.
     *
     * @param nodes names of nodes
     */
    record Among(Set<String> nodes) implements Placement {
        /** Keeps a private copy. */
        public Among {
            nodes = Set.copyOf(nodes);
        }
    }

    /**
     * The first of these nodes that has room.
     *
     * @param nodes names of nodes, the best first
     */
    record InOrder(List<String> nodes) implements Placement {
        /** Keeps a private copy. */
        public InOrder {
            nodes = List.copyOf(nodes);
        }
    }

    /** Returns the placement on exactly one node. */
    static Placement on(String node) {
        return new InOrder(List.of(node));
    }

    /** Returns whether a volume may be on the node. */
    default boolean allows(String node) {
        return switch (this) {
            case Anywhere() -> true;
            case Among(var nodes) -> nodes.contains(node);
            case InOrder(var nodes) -> nodes.contains(node);
        };
    }

    /** Returns the only node it allows, if it allows only one. */
    default Optional<String> only() {
        return switch (this) {
            case InOrder(var nodes) when nodes.size() == 1 -> Optional.of(nodes.getFirst());
            case Among(var nodes) when nodes.size() == 1 -> Optional.of(nodes.iterator().next());
            default -> Optional.empty();
        };
    }
}
