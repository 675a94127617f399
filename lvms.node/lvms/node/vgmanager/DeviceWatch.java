package lvms.node.vgmanager;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.time.Duration;

/**
 * Notices within a second that a disk came, went or changed its size, or that somebody edited
 * lvmd.yaml. It reads a few small files and starts no process.
 */
final class DeviceWatch implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(DeviceWatch.class.getName());
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final Host host;
    private final LvmdConfigFile config;
    private final Runnable onChange;
    private final Thread thread;
    private boolean failing;

    DeviceWatch(Host host, LvmdConfigFile config, Runnable onChange) {
        this.host = host;
        this.config = config;
        this.onChange = onChange;
        this.thread = Thread.ofVirtual().name("device-watch").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void run() {
        var last = "";
        try {
            while (true) {
                var now = look(last);
                if (!now.equals(last)) {
                    last = now;
                    onChange.run();
                }
                Thread.sleep(PERIOD);
            }
        } catch (InterruptedException e) {
            LOG.log(DEBUG, "device watch ended"); // only close() interrupts this thread
        }
    }

    private String look(String last) {
        try {
            var now = host.fingerprint() + config.fingerprint();
            failing = false;
            return now;
        } catch (IOException e) {
            if (!failing) {
                failing = true;
                LOG.log(WARNING, () -> "devices cannot be watched, will retry: " + e.getMessage());
            }
            return last;
        }
    }
}
