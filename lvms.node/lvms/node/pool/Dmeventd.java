package lvms.node.pool;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Whether dmeventd of this machine extends thin pools. LVM starts it with the first pool that it is
 * to monitor, and it may end, so it is looked for each time. Any thread may call.
 */
final class Dmeventd {
    private static final System.Logger LOG = System.getLogger(Dmeventd.class.getName());
    private static final String NAME = "dmeventd";

    private final boolean configured;
    private final Path proc;
    private Optional<Path> last = Optional.empty();

    /**
     * @param configured whether lvm.conf lets it extend pools; if not, nobody looks for it
     * @param proc the processes of the host, which the agent sees
     */
    Dmeventd(boolean configured, Path proc) {
        this.configured = configured;
        this.proc = proc;
    }

    /** Looks whether it runs, and says so once when that changes. */
    synchronized boolean extendsPools() throws IOException {
        if (!configured || last.filter(Dmeventd::isDmeventd).isPresent()) {
            return configured;
        }
        boolean before = last.isPresent();
        last = find();
        if (last.isPresent() != before) {
            LOG.log(
                    INFO,
                    before
                            ? "dmeventd of the host has ended, so the agent lets thin pools grow"
                            : "dmeventd of the host extends thin pools"
                                    + " (thin_pool_autoextend_threshold in lvm.conf), so the agent"
                                    + " lets none grow");
        }
        return last.isPresent();
    }

    private Optional<Path> find() throws IOException {
        try (var processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (var process : processes) {
                if (isDmeventd(process)) {
                    return Optional.of(process);
                }
            }
            return Optional.empty();
        }
    }

    private static boolean isDmeventd(Path process) {
        try {
            return Files.readString(process.resolve("comm")).strip().equals(NAME);
        } catch (IOException e) {
            LOG.log(DEBUG, () -> process + " has ended: " + e.getMessage());
            return false;
        }
    }
}
