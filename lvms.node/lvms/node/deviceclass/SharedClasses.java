package lvms.node.deviceclass;

import java.io.IOException;
import java.util.Optional;

/**
 * The device classes of a node, which people's classes can join. Any thread may call.
 *
 * <p>Whoever comes first is served. What comes later and shares a name, a group or the default with
 * it is refused as a whole, so volumes never change their class by a change of a file.
 */
public interface SharedClasses {
    /** Returns whether the classes of the LVMVolumeGroups are known, so that others may join. */
    boolean ownKnown();

    /**
     * Serves people's classes, all of them or none, instead of those that joined before.
     *
     * @return why none of them is served, in one line; what was served before then stays
     */
    Optional<String> join(UserClasses classes) throws IOException;

    /** Says that no classes join for now; those that did stay. */
    void joinNone() throws IOException;
}
