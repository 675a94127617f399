package lvms.operator.takeover.nativestor;

import lvms.api.nativestor.ListedClass;
import lvms.k8s.tree.ObjectTree;
import lvms.operator.topolvm.LvmdFile;
import lvms.operator.uninstall.Item;

import java.util.ArrayList;
import java.util.List;

/**
 * The classes of one node by its lvmd.yaml, which NativeStor wrote once, and by the TopolvmCluster,
 * which counts from a take-over on: NativeStor ignored most edits of a class.
 *
 * @param item the ConfigMap with the file
 * @param node name of the node
 * @param listed what the TopolvmCluster says
 */
record ClassesOfNode(Item item, String node, ListedOnNode listed) {
    /** Returns the names of the classes in the file; none if it cannot be read. */
    List<String> names() {
        try {
            return LvmdFile.of(item).content().objects("device-classes").stream()
                    .map(entry -> text(entry, "name"))
                    .toList();
        } catch (IllegalArgumentException _) {
            return List.of();
        }
    }

    /** Returns what the file has and the TopolvmCluster has not, or has in another group. */
    List<String> missing() {
        var found = new ArrayList<String>();
        try {
            for (var entry : LvmdFile.of(item).content().objects("device-classes")) {
                compareGroups(entry, found);
            }
        } catch (IllegalArgumentException e) {
            found.add(item.text() + ": lvmd.yaml cannot be read: " + e.getMessage());
        }
        return found;
    }

    private void compareGroups(ObjectTree entry, List<String> found) {
        var name = text(entry, "name");
        var group = text(entry, "volume-group");
        var same = listed.named(name);
        if (same.isEmpty()) {
            found.add(
                    ("%s: class %s on volume group %s is not in the TopolvmCluster for node %s:"
                                    + " add it to the spec")
                            .formatted(item.text(), name, group, node));
        } else if (!same.get().volumeGroup().equals(group)) {
            found.add(
                    ("%s: class %s is on volume group %s, in the TopolvmCluster on %s: write"
                                    + " there what is on the node")
                            .formatted(item.text(), name, group, same.get().volumeGroup()));
        }
    }

    /** Returns where both have a class and mean something else by it. */
    List<String> differences() {
        var found = new ArrayList<String>();
        try {
            for (var entry : LvmdFile.of(item).content().objects("device-classes")) {
                listed.named(text(entry, "name"))
                        .ifPresent(
                                wanted -> {
                                    compare(entry, wanted, found);
                                });
            }
        } catch (IllegalArgumentException _) {
            return List.of(); // missing() says so, and nothing is done then
        }
        return found;
    }

    private void compare(ObjectTree entry, ListedClass wanted, List<String> found) {
        compare("default", entry.flag("default").orElse(false), wanted.isDefault(), wanted, found);
        compare(
                "spareGb",
                spare(entry.number("spare-gb").orElse(0)),
                spare(wanted.spareGb().orElse(0)),
                wanted,
                found);
        compare(
                "stripe",
                entry.number("stripe").orElse(0),
                (long) wanted.stripe().orElse(0),
                wanted,
                found);
        compare("stripeSize", text(entry, "stripe-size"), wanted.stripeSize(), wanted, found);
    }

    private static long spare(long gib) {
        return gib == 0 ? ListedClass.DEFAULT_SPARE_GB : gib;
    }

    private void compare(
            String field, Object before, Object after, ListedClass wanted, List<String> found) {
        if (!before.equals(after)) {
            found.add(
                    "node %s: %s of class %s is %s and becomes %s, as the TopolvmCluster says"
                            .formatted(node, field, wanted.className(), before, after));
        }
    }

    private static String text(ObjectTree entry, String field) {
        return entry.text(field).orElse("");
    }
}
