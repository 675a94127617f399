package lvms.k8s.exec;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decides which names and links of an archive stay within the folder that is copied. */
final class ArchiveNames {
    private ArchiveNames() {}

    /** Returns the steps from the folder to a name; empty if it leads out. */
    static Optional<List<String>> steps(String name) {
        if (name.startsWith("/")) {
            return Optional.empty();
        }
        var steps = new ArrayList<String>();
        for (var step : name.split("/")) {
            if (step.equals("..")) {
                return Optional.empty();
            }
            if (!step.isEmpty() && !step.equals(".")) {
                steps.add(step);
            }
        }
        return Optional.of(steps);
    }

    /**
     * Returns whether a symbolic link leads out of the folder, or may do so together with other
     * links: behind a name, {@code ..} is the parent of wherever that name leads to.
     *
     * @param depth how many folders below the copied one the link is
     */
    static boolean leadsOut(int depth, String target) {
        if (target.isEmpty() || target.startsWith("/")) {
            return true;
        }
        int up = 0;
        boolean named = false;
        for (var step : target.split("/")) {
            if (step.equals("..")) {
                if (named || ++up > depth) {
                    return true;
                }
            } else if (!step.isEmpty() && !step.equals(".")) {
                named = true;
            }
        }
        return false;
    }
}
