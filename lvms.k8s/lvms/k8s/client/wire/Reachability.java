package lvms.k8s.client.wire;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import java.net.URI;
import java.util.HashSet;
import java.util.Set;

/**
 * Logs once that a server cannot be reached, once for each reason, and once that it can be reached
 * again. Every caller meets the same failure, and none of them knows more.
 */
public final class Reachability {
    private static final System.Logger LOG = System.getLogger(Reachability.class.getName());

    private static final int MOST_TEXTS = 16;

    private final URI server;
    private final Set<String> told = new HashSet<>();
    private volatile boolean failing;

    public Reachability(URI server) {
        this.server = server;
    }

    /**
     * A call got no answer, even after repeats.
     *
     * @param text why, such as that the connection was refused
     */
    public synchronized void failed(String text) {
        failing = true;
        if (told.size() < MOST_TEXTS && told.add(text)) {
            LOG.log(WARNING, () -> "API server cannot be reached server=" + server + " " + text);
        }
    }

    /** The server answered, no matter what. */
    public void answered() {
        if (failing) {
            again();
        }
    }

    private synchronized void again() {
        if (failing) {
            failing = false;
            told.clear();
            LOG.log(INFO, () -> "API server answers again server=" + server);
        }
    }
}
