package lvms.lvm2.plan;

import java.util.Collections;
import java.util.Set;

/** Tells which physical volumes count as one place because of a configured tag. */
record ClingTags(Set<String> configured) {
    boolean isEmpty() {
        return configured.isEmpty();
    }

    boolean match(Set<String> one, Set<String> other) {
        if (configured.contains("*") && !Collections.disjoint(one, other)) {
            return true;
        }
        return configured.stream().anyMatch(tag -> one.contains(tag) && other.contains(tag));
    }
}
