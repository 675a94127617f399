package lvms.lvm2;

import java.util.List;

/**
 * What thin_check(8) reported about a pool's metadata.
 *
 * @param pool the pool
 * @param scope what was checked
 * @param sound whether no damage was found
 * @param messages what the program printed, line by line
 */
public record ThinPoolCheck(LvName pool, Scope scope, boolean sound, List<String> messages) {
    /** What was checked. */
    public enum Scope {
        /** The metadata of an inactive pool. */
        WHOLE,
        /** A snapshot of the metadata of an active pool, as of the last commit. */
        SNAPSHOT
    }

    public ThinPoolCheck {
        messages = List.copyOf(messages);
    }
}
