package lvms.tests.lab.standin;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a real cluster would have refused or tripped over. Any thread may add. */
public final class Violations {
    private final List<String> found = new CopyOnWriteArrayList<>();

    /** Keeps one, once. */
    public void add(String violation) {
        if (!found.contains(violation)) {
            found.add(violation);
        }
    }

    /** Adds the violation unless the rule holds; returns whether it holds. */
    public boolean demand(boolean holds, String violation) {
        if (!holds) {
            add(violation);
        }
        return holds;
    }

    /** Returns all of them, oldest first. */
    public List<String> all() {
        return List.copyOf(found);
    }
}
