package lvms.lvm2.lock;

import lvms.lvm2.LvmException;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Turns within this process, so that our own commands never compete for LVM's locks, where they
 * would have to poll. Reads of one group run together; a change of a group excludes all else in
 * that group. A change of which group a device belongs to also excludes others of its kind and
 * reports of all devices, as LVM's global lock does. No turn of one group ever waits for another
 * group. The turns are fair, so nobody starves. Only a read may nest in a change.
 *
 * <p>If a single turn lasts very long, those who wait give up: its command is held up by a device,
 * or repairs a pool, and they would only occupy their threads.
 */
public final class GroupLocks {
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    /** One turn; closing it ends it. */
    public interface Turn extends AutoCloseable {
        @Override
        void close();
    }

    private final Duration patience;
    private final Turns devices;
    private final ConcurrentMap<String, Turns> groups = new ConcurrentHashMap<>();

    /**
     * @param patience how long the turn of another caller may last for those who wait
     */
    public GroupLocks(Duration patience) {
        this.patience = patience;
        this.devices = new Turns("the list of devices", patience);
    }

    /** Waits for the turn to read one group. */
    public Turn read(String vg) throws LvmException, InterruptedException {
        return group(vg).read();
    }

    /** Waits for the turn to change one group. */
    public Turn change(String vg) throws LvmException, InterruptedException {
        return group(vg).change();
    }

    /** Waits for the turn to read which devices there are. */
    public Turn survey() throws LvmException, InterruptedException {
        return devices.read();
    }

    /** Waits for the turn to change a device that belongs to no group. */
    public Turn devices() throws LvmException, InterruptedException {
        return devices.change();
    }

    /** Waits for the turn to change which devices belong to this group. */
    public Turn devices(String vg) throws LvmException, InterruptedException {
        var outer = devices.change();
        try {
            var inner = change(vg);
            return () -> {
                inner.close();
                outer.close();
            };
        } catch (LvmException | InterruptedException e) {
            outer.close();
            throw e;
        }
    }

    private Turns group(String vg) {
        return groups.computeIfAbsent(vg, name -> new Turns("volume group " + name, patience));
    }
}
