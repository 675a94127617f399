package lvms.k8s.object;

import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

/** Whether an object has everything that was sent, or is to be sent, to the server. */
public final class Subset {
    private Subset() {}

    /**
     * Returns whether every value in {@code wanted} is in {@code present}.
     *
     * <p>Members that only {@code present} has are defaults of the server or belong to others.
     * Elements of lists are compared one by one, where the server may have added members too; the
     * exceptions are the lists of metadata, to which others add elements.
     */
    public static boolean holds(ObjectTree wanted, ObjectTree present) {
        for (var member : wanted.members().entrySet()) {
            var other = present.at(member.getKey());
            var value = member.getValue();
            boolean found =
                    switch (member.getKey()) {
                        case "finalizers", "ownerReferences" -> containsAll(value, other);
                        default -> holds(value, other);
                    };
            if (!found) {
                return false;
            }
        }
        return true;
    }

    private static boolean holds(Tree wanted, Tree present) {
        if (present.isNull()) {
            // The server drops empty lists and objects of some fields.
            return wanted.isNull()
                    || wanted instanceof ListTree a && a.isEmpty()
                    || wanted instanceof ObjectTree o && o.isEmpty();
        }
        if (wanted instanceof ObjectTree w && present instanceof ObjectTree p) {
            return holds(w, p);
        }
        if (wanted instanceof ListTree w && present instanceof ListTree p) {
            return sameElements(w, p);
        }
        return wanted.equals(present);
    }

    private static boolean sameElements(ListTree wanted, ListTree present) {
        if (wanted.size() != present.size()) {
            return false;
        }
        for (int i = 0; i < wanted.size(); i++) {
            if (!holds(wanted.at(i), present.at(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean containsAll(Tree wanted, Tree present) {
        if (!(present instanceof ListTree elements)) {
            return wanted.asList().isEmpty();
        }
        for (var element : wanted.asList()) {
            if (elements.stream().noneMatch(other -> holds(element, other))) {
                return false;
            }
        }
        return true;
    }
}
