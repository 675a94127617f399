package lvms.lvm2;

import java.util.Set;

/**
 * A thin snapshot to create: a thin volume of its own with the content of another one. It takes
 * part in plain activation like any other volume and is active afterwards.
 *
 * @param name its name; the group is the source's
 * @param source name of the thin volume to snapshot, in the same group
 * @param writable whether it may be written
 * @param tags its tags
 */
public record NewSnapshot(LvName name, String source, boolean writable, Set<String> tags)
        implements Snapshots.Request {
    public NewSnapshot {
        tags = Set.copyOf(tags);
        Grammar.requireLvName(name);
        Grammar.requireLvName(new LvName(name.vg(), source));
        tags.forEach(Grammar::requireTag);
    }
}
