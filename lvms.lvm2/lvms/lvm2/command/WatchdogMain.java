package lvms.lvm2.command;

import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.ffi.OwnSession;
import lvms.lvm2.watchdog.WatchdogLoop;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The process that lets I/O go on when the one that suspended devices is dead; see {@link
 * WatchdogLoop}. It has a session of its own, in which no signal but SIGKILL ends it.
 */
public final class WatchdogMain {
    private static final System.Logger LOG = System.getLogger(WatchdogMain.class.getName());

    /** LVM's commands hold a lock for milliseconds, but a check of a pool's metadata for hours. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private WatchdogMain() {}

    /**
     * Starts it.
     *
     * @param args the folder of LVM's locks
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        OwnSession.begin();
        spareMe();
        var resumption = Resumption.in(Path.of(args[0]), PATIENCE);
        boolean _ = DeviceMapper.system().list().isEmpty(); // what it needs then is in memory
        new WatchdogLoop(System.in, System.out, note -> resume(resumption, note)).run();
    }

    /** It is needed when the machine has no memory; see proc_pid_oom_score_adj(5). */
    private static void spareMe() {
        try {
            Files.writeString(Path.of("/proc/self/oom_score_adj"), "-1000");
        } catch (IOException e) {
            LOG.log(Level.DEBUG, () -> "may be killed for its memory: " + e);
        }
    }

    private static void resume(Resumption resumption, Path note) {
        try {
            resumption.after(note);
        } catch (InterruptedException e) {
            throw new AssertionError("no thread interrupts it", e);
        }
    }
}
