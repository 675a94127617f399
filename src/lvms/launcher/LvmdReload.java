package lvms.launcher;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.launcher.flag.UsageException;
import lvms.lvm2.LvmException;
import lvms.node.ClassServer;
import lvms.node.LvmdConfigException;
import lvms.node.LvmdSettings;
import lvms.node.deviceclass.LvmdConfigFile;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Follows lvmd.yaml: the settings in force, and those that may replace them. One thread. */
final class LvmdReload {
    /** How often the file is looked at; a look is one system call. */
    static final Duration PERIOD = Duration.ofSeconds(1);

    /** After this many looks, a file that names a missing volume group is tried again. */
    private static final int PATIENCE = 10;

    private static final System.Logger LOG = System.getLogger("lvms");

    private final Path path;
    private final Reader reader;
    private final LvmdConfigFile file;
    private final Optional<String> lvmPath;
    private LvmdSettings inForce;
    private Optional<LvmdSettings> former = Optional.empty();
    private String seen = "";
    private String complaint = "";
    private boolean waiting;
    private int looks;

    /** Reads the file as it is meant here. */
    interface Reader {
        LvmdSettings read(Path file) throws LvmdConfigException;
    }

    /**
     * @param lvmPath path of the lvm program, if a flag gives it
     */
    LvmdReload(Path path, Reader reader, Optional<String> lvmPath) {
        this.path = path;
        this.reader = reader;
        this.lvmPath = lvmPath;
        file = new LvmdConfigFile(path);
    }

    /** Reads the first settings, without which nothing is served. */
    void start() throws LvmdConfigException, IOException, UsageException {
        seen = file.fingerprint();
        inForce = reader.read(path);
        if (lvmPath.isPresent() && !inForce.commandPrefix().isEmpty()) {
            throw new UsageException(
                    "flag --lvm-path and lvm-command-prefix in " + path + " exclude each other");
        }
        remark(inForce);
    }

    Path path() {
        return path;
    }

    LvmdSettings inForce() {
        return inForce;
    }

    Optional<String> lvmPath() {
        return lvmPath;
    }

    /**
     * Checks whether the file has changed and can be served; returns whether it is in force now.
     * Logs once what is wrong with it.
     */
    boolean renewed(ClassServer server) throws InterruptedException {
        try {
            var now = file.fingerprint();
            looks++;
            boolean again = waiting && looks % PATIENCE == 0;
            if (now.equals(seen) && !again) {
                return false;
            }
            seen = now;
            waiting = false;
            return take(reader.read(path), server);
        } catch (LvmdConfigException | IOException | LvmException e) {
            complain(e.getMessage());
            return false;
        }
    }

    private boolean take(LvmdSettings next, ClassServer server)
            throws LvmException, InterruptedException {
        var missing = server.missing(next);
        if (missing.isPresent()) {
            waiting = true;
            complain(path + ": " + missing.get());
            return false;
        }
        complaint = "";
        if (next.equals(inForce)) {
            return false;
        }
        former = next.servedLike(inForce) ? Optional.empty() : Optional.of(inForce);
        inForce = next;
        LOG.log(INFO, () -> "configuration in force file=" + path);
        remark(next);
        return true;
    }

    /** Puts the former settings back in force if the new ones never served anybody. */
    boolean reverted(String why) {
        if (former.isEmpty()) {
            return false;
        }
        inForce = former.get();
        former = Optional.empty();
        complain(why);
        return true;
    }

    /** Notes that there is a server for the settings in force. */
    void served() {
        former = Optional.empty();
    }

    private void complain(String what) {
        if (!what.equals(complaint)) {
            complaint = what;
            LOG.log(WARNING, () -> "configuration refused, the former one stays: " + what);
        }
    }

    private void remark(LvmdSettings settings) {
        settings.remarks()
                .forEach(remark -> LOG.log(WARNING, () -> "ignored in " + path + ": " + remark));
        settings.classes()
                .refusals()
                .forEach(refusal -> LOG.log(WARNING, () -> path + ": " + refusal));
    }
}
