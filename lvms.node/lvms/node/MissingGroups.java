package lvms.node;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.lvm2.LvmException;
import lvms.node.deviceclass.DeviceClasses;

import java.util.Map;

/**
 * Says once that the group or pool of a device class is not on this node, and once that it is back.
 *
 * <p>Threads: {@link #groupsChanged} may be called from any and returns at once; the rest belongs
 * to one.
 */
final class MissingGroups {
    private static final System.Logger LOG = System.getLogger(MissingGroups.class.getName());

    /**
     * After this many looks, LVM is asked again for what was missing: nothing tells of its coming.
     */
    private static final int PATIENCE = 30;

    /** Says what is not on this node, by the names of the classes. */
    interface Source {
        Map<String, String> of(DeviceClasses classes) throws LvmException, InterruptedException;
    }

    private final Source missing;
    private final Runnable came;
    private Map<String, String> absent = Map.of();
    private int looks;
    private volatile boolean changed = true;

    /**
     * @param missing asks LVM
     * @param came called after groups or pools came or went; it must return at once
     */
    MissingGroups(Source missing, Runnable came) {
        this.missing = missing;
        this.came = came;
    }

    /** The next look asks LVM which groups and pools are on this node. */
    void groupsChanged() {
        changed = true;
    }

    /** Asks LVM, if groups have changed or it is time to ask again for what is missing. */
    void look(DeviceClasses served) throws InterruptedException {
        looks++;
        if (!changed && (absent.isEmpty() || looks % PATIENCE != 0)) {
            return;
        }
        changed = false;
        try {
            tell(missing.of(served), served);
        } catch (LvmException e) {
            changed = true;
            LOG.log(DEBUG, () -> "cannot look for the groups, will retry: " + e.getMessage());
        }
    }

    private void tell(Map<String, String> now, DeviceClasses served) {
        now.forEach(
                (name, what) -> {
                    if (!what.equals(absent.get(name))) {
                        LOG.log(
                                WARNING,
                                () -> "no volumes for now: device class " + name + ": " + what);
                    }
                });
        absent.keySet().stream()
                .filter(name -> !now.containsKey(name) && served.find(name).isPresent())
                .forEach(
                        name ->
                                LOG.log(
                                        INFO,
                                        () ->
                                                "volumes again: what was missing is there class="
                                                        + name));
        if (!now.equals(absent)) {
            absent = now;
            came.run();
        }
    }
}
