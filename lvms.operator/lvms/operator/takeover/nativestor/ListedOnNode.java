package lvms.operator.takeover.nativestor;

import lvms.api.nativestor.ClusterStorage;
import lvms.api.nativestor.ListedClass;
import lvms.api.nativestor.NodeClasses;
import lvms.operator.topolvmcluster.rule.StorageShape;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The classes that a TopolvmCluster asks for on one node, in any of its shapes.
 *
 * @param classes none if it does not list the node
 */
record ListedOnNode(List<ListedClass> classes) {
    static ListedOnNode of(ClusterStorage storage, String node) {
        var shape = StorageShape.of(storage);
        var listed =
                storage.deviceClasses().orElse(List.of()).stream()
                        .filter(entry -> entry.nodeName().equals(node))
                        .reduce((_, last) -> last); // as NativeStor reads it
        if (!shape.oneClass()) {
            return new ListedOnNode(listed.map(NodeClasses::classes).orElse(List.of()));
        }
        boolean here = shape.allNodes() || listed.isPresent();
        return new ListedOnNode(here ? List.of(one(storage)) : List.of());
    }

    private static ListedClass one(ClusterStorage storage) {
        return new ListedClass(
                storage.className(),
                storage.volumeGroupName(),
                storage.devices().orElse(List.of()),
                true,
                OptionalInt.empty(),
                OptionalInt.empty(),
                "");
    }

    /** Returns whether a volume of this class has one; the empty name means the default class. */
    boolean has(String name) {
        return name.isEmpty()
                ? classes.stream().anyMatch(ListedClass::isDefault)
                : named(name).isPresent();
    }

    Optional<ListedClass> named(String name) {
        return classes.stream().filter(listed -> listed.className().equals(name)).findFirst();
    }
}
