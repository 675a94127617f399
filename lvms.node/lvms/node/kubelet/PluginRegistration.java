package lvms.node.kubelet;

import lvms.node.socket.SocketKeeper;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Keeps the driver registered with kubelet: serves {@code DRIVER-reg.sock} in the plugins_registry
 * folder, and serves it again when the socket vanishes, since kubelet drops a driver whose socket
 * is gone. A restarted kubelet finds the socket by itself.
 *
 * <p>Start it only when the CSI socket answers: kubelet calls NodeGetInfo there at once. The file
 * has the name that the standard registrar uses, so that a rolling update replaces it. Threads:
 * {@link #start} and {@link #close} belong to one thread.
 */
public final class PluginRegistration implements AutoCloseable {
    private static final Logger LOG = System.getLogger(PluginRegistration.class.getName());

    /** A kubelet that looks into the folder calls within a second or two. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final RegistrationService service;
    private final SocketKeeper socket;
    private final Thread reminder;

    /**
     * Prepares the registration; nothing is opened yet.
     *
     * @param folder kubelet's plugins_registry folder
     * @param driver name of the CSI driver
     * @param endpoint path of the CSI socket as kubelet sees it
     */
    public PluginRegistration(Path folder, String driver, String endpoint) {
        service = new RegistrationService(driver, endpoint);
        socket =
                SocketKeeper.inSharedFolder(folder.resolve(driver + "-reg.sock"), List.of(service));
        reminder = Thread.ofVirtual().name("registration-reminder").unstarted(this::remind);
    }

    /** Warns, since nothing else tells a plugin that kubelet looks in another folder. */
    private void remind() {
        try {
            Thread.sleep(PATIENCE);
            if (!registered()) {
                LOG.log(
                        Level.WARNING,
                        () ->
                                "kubelet has not registered the driver socket="
                                        + socket.socket()
                                        + "; if kubelet's root folder is another one, name it:"
                                        + " --kubelet-root of the operator, or the folder of"
                                        + " topolvm-node's --csi-socket");
            }
        } catch (InterruptedException _) {
            LOG.log(Level.DEBUG, "registration ended"); // by close()
        }
    }

    /**
     * Offers the driver to kubelet until {@link #close}.
     *
     * @throws IOException if the socket cannot be served
     */
    public void start() throws IOException {
        socket.start();
        reminder.start();
    }

    /** Returns whether kubelet's last answer was that the driver is registered. */
    public boolean registered() {
        return service.registered();
    }

    /** Withdraws the driver: kubelet deregisters it when the socket is gone. */
    @Override
    public void close() {
        reminder.interrupt();
        socket.close();
    }
}
