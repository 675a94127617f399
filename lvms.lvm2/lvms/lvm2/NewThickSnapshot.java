package lvms.lvm2;

import java.util.Set;

/**
 * A thick (classic) snapshot to create: it stores old blocks of its source, and is lost when its
 * store is full. It slows down writes to the source. For a thin volume use {@link NewSnapshot}.
 *
 * @param name its name; the group is the source's
 * @param source name of the volume to snapshot, in the same group
 * @param storeBytes size of its store; LVM makes it no larger than the whole source needs
 * @param writable whether it may be written
 * @param tags its tags
 */
public record NewThickSnapshot(
        LvName name, String source, long storeBytes, boolean writable, Set<String> tags)
        implements Snapshots.Request {
    public NewThickSnapshot {
        tags = Set.copyOf(tags);
        Grammar.requireLvName(name);
        Grammar.requireLvName(new LvName(name.vg(), source));
        Grammar.requireSize("snapshot store", storeBytes);
        tags.forEach(Grammar::requireTag);
    }
}
