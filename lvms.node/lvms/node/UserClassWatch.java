package lvms.node;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.SharedClasses;
import lvms.node.deviceclass.UserClasses;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Follows the file with people's device classes. One that is wrong, or that has no place beside the
 * LVMVolumeGroups, is refused with a line in the log, and the former one stays. It is looked at
 * once a second, and one that was refused is tried again every ten seconds, since what kept it out
 * may go.
 *
 * <p>Threads: {@link #groupsChanged} may be called from any and returns at once.
 */
final class UserClassWatch implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(UserClassWatch.class.getName());
    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final int PATIENCE = 10;

    private final UserClassFile source;
    private final SharedClasses shared;
    private final MissingGroups missing;
    private final Thread thread = Thread.ofVirtual().name("user-classes").unstarted(this::run);
    private DeviceClasses served = DeviceClasses.none();
    private String seen = "never";
    private String complaint = "";
    private boolean refused;
    private int looks;

    /**
     * @param missing says which groups and pools are not there
     */
    UserClassWatch(UserClassFile source, SharedClasses shared, MissingGroups missing) {
        this.source = source;
        this.shared = shared;
        this.missing = missing;
    }

    void start() {
        thread.start();
    }

    /** Looks again which groups and pools are on this node. */
    void groupsChanged() {
        missing.groupsChanged();
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void run() {
        try {
            while (true) {
                if (shared.ownKnown()) {
                    look();
                }
                Thread.sleep(PERIOD);
            }
        } catch (InterruptedException _) {
            LOG.log(DEBUG, "the watch of people's device classes ended"); // by close()
        }
    }

    /** One look at the file and, if groups have changed, at those that it names. */
    void look() throws InterruptedException {
        try {
            looks++;
            var now = source.fingerprint();
            if (!now.equals(seen) || refused && looks % PATIENCE == 0) {
                refused = true; // until it is served
                seen = now;
                read();
            }
        } catch (LvmdConfigException | IOException e) {
            refuse(e.getMessage());
        }
        missing.look(served);
    }

    private void read() throws LvmdConfigException, IOException {
        var settings = source.read();
        if (settings.isEmpty()) {
            refuseNone();
            return;
        }
        var file = source.file().orElse(source.place());
        var refusal = shared.join(new UserClasses(file, settings.get().classes()));
        if (refusal.isPresent()) {
            refuse(refusal.get());
            return;
        }
        refused = false;
        complaint = "";
        if (!served.equals(settings.get().classes())) {
            served = settings.get().classes();
            tell(file, settings.get());
        }
        missing.groupsChanged();
    }

    private void tell(Path file, LvmdSettings settings) throws IOException {
        LOG.log(INFO, () -> "people's device classes are in force file=" + file);
        settings.remarks()
                .forEach(remark -> LOG.log(WARNING, () -> "ignored in " + file + ": " + remark));
        if (!settings.commandPrefix().isEmpty()) {
            LOG.log(
                    WARNING,
                    () ->
                            "ignored in "
                                    + file
                                    + ": lvm-command-prefix; the agent's lvmd.yaml counts");
        }
        settings.classes().refusals().forEach(why -> LOG.log(WARNING, () -> file + ": " + why));
        source.disagreements()
                .forEach(line -> LOG.log(WARNING, () -> source.place() + ": " + line));
    }

    /** A node that needs no file has none; where there was one, it may have been lost. */
    private void refuseNone() throws IOException {
        shared.joinNone();
        if (served.classes().isEmpty()) {
            refused = false;
        } else {
            refuse(source.place() + " has no file for this node any more");
        }
    }

    private void refuse(String why) {
        if (!why.equals(complaint)) {
            complaint = why;
            LOG.log(WARNING, () -> "people's device classes refused, the former ones stay: " + why);
        }
        try {
            shared.joinNone();
        } catch (IOException e) {
            LOG.log(WARNING, () -> "cannot read the agent's lvmd.yaml: " + e.getMessage());
        }
    }
}
