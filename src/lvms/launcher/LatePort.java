package lvms.launcher;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.ApiException;
import lvms.k8s.serving.HttpListener;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** A port that is opened once what it needs is there, such as a Secret that is mounted later. */
final class LatePort implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("lvms");

    /** How often what is missing is looked for. */
    static final Duration PERIOD = Duration.ofSeconds(15);

    private final String what;
    private final Duration period;
    private final Opening opening;
    private final Thread opener = Thread.ofVirtual().name("late-port").unstarted(this::run);
    private String trouble = "";
    private volatile HttpListener listener;

    /** How the port is opened, and whether it can be. */
    @FunctionalInterface
    interface Opening {
        /**
         * Returns what listens; empty if something is not there yet.
         *
         * @throws IOException if something is there and cannot be used
         */
        Optional<HttpListener> open() throws IOException, ApiException, InterruptedException;
    }

    private LatePort(String what, Duration period, Opening opening) {
        this.what = what;
        this.period = period;
        this.opening = opening;
    }

    /** Tries now and then until the port is open. */
    static LatePort start(String what, Duration period, Opening opening) {
        var port = new LatePort(what, period, opening);
        port.opener.start();
        return port;
    }

    private void run() {
        try {
            while (!opens()) {
                Thread.sleep(period);
            }
        } catch (InterruptedException _) {
            LOG.log(DEBUG, () -> what + " were never served");
        }
    }

    private boolean opens() throws InterruptedException {
        try {
            var opened = opening.open();
            listener = opened.orElse(null);
            opened.ifPresent(
                    port -> LOG.log(INFO, () -> what + " are served address=" + port.address()));
            return opened.isPresent();
        } catch (IOException | ApiException e) {
            if (!trouble.equals(e.getMessage())) { // once for each reason
                trouble = e.getMessage();
                LOG.log(WARNING, () -> what + " are not served yet cause=" + trouble);
            }
            return false;
        }
    }

    boolean isOpen() {
        return listener != null;
    }

    @Override
    public void close() {
        opener.interrupt();
        try {
            opener.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (listener != null) {
            listener.close();
        }
    }
}
