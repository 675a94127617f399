package lvms.lvm2;

/**
 * Which volume, group or physical volume is meant: one that was read, under the name it had then.
 * Names are given again, LVM's UUID never is. Every change takes the identity of what was read
 * before, and refuses ({@link LvmException.Replaced}) another one that has the name by now.
 *
 * @param <N> an {@link LvName}, the name of a group, or the device of a physical volume
 * @param name what commands call it
 * @param uuid LVM's UUID of it, as reports print it
 */
public record Identity<N>(N name, String uuid) {
    public Identity {
        Grammar.requireUuid(uuid);
    }

    /**
     * Checks that what has the name now is the one that was read.
     *
     * @param found its UUID
     */
    public void require(String found) throws LvmException.Replaced {
        if (!uuid.equals(found)) {
            throw new LvmException.Replaced(
                    "%s has the UUID %s, but %s was meant: read it again"
                            .formatted(name, found, uuid));
        }
    }

    /** Returns the name and the UUID, for messages. */
    @Override
    public String toString() {
        return name + " (" + uuid + ')';
    }
}
