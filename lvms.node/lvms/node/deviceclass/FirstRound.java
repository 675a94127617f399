package lvms.node.deviceclass;

import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.object.ObjectKey;

import java.io.IOException;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The first pass over each volume group. If lvmd.yaml is missing, as after a boot of a host whose
 * /etc is not persistent, the node does not know which classes it serves before the end of that
 * round. Until then a volume of an unknown class must not fail. Any thread may call.
 */
public final class FirstRound {
    private static final System.Logger LOG = System.getLogger(FirstRound.class.getName());

    private final Supplier<Collection<ObjectKey>> groups;
    private final DeviceClassStore classes;
    private final Set<ObjectKey> passed = ConcurrentHashMap.newKeySet();
    private volatile boolean over;

    /**
     * @param groups gives the keys of all groups
     */
    public FirstRound(Supplier<Collection<ObjectKey>> groups, DeviceClassStore classes) {
        this.groups = groups;
        this.classes = classes;
    }

    /** Notes that a pass over a group ended, however it ended. */
    public void passed(ObjectKey group) {
        if (over) {
            return;
        }
        passed.add(group);
        if (!passed.containsAll(groups.get())) {
            return;
        }
        try {
            classes.complete();
            over = true;
        } catch (IOException e) {
            LOG.log(
                    WARNING,
                    () -> "device classes are not known yet, will retry: " + e.getMessage());
        }
    }
}
