package lvms.launcher;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.queue.Backoff;

import java.time.Duration;

/**
 * Says once, for a node service that works either way, that nothing keeps it to its own node, or
 * that this cannot be known. It asks in the background.
 */
final class GuardNotice implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("lvms");
    private static final Backoff RETRY =
            new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30), 0.1);

    /** After this many, some minutes, it is no passing trouble. */
    private static final int TRIES = 10;

    private final KubeClient kube;
    private final String program;
    private final String node;
    private final Thread thread;

    private GuardNotice(KubeClient kube, String program, String node) {
        this.kube = kube;
        this.program = program;
        this.node = node;
        thread = Thread.ofVirtual().name("guard-notice").unstarted(this::run);
    }

    static GuardNotice start(KubeClient kube, String program, String node) {
        var notice = new GuardNotice(kube, program, node);
        notice.thread.start();
        return notice;
    }

    private void run() {
        try {
            for (int tries = 1; !answered(tries == TRIES); tries++) {
                Thread.sleep(RETRY.after(tries));
            }
        } catch (InterruptedException _) {
            LOG.log(DEBUG, "ended before it was known whether there is a guard"); // by close()
        }
    }

    private boolean answered(boolean last) throws InterruptedException {
        try {
            if (Guard.isMissing(kube, node)) {
                LOG.log(
                        WARNING,
                        () ->
                                "this cluster lets "
                                        + program
                                        + " write about other nodes than "
                                        + node
                                        + "; guard.enabled of our chart makes policies against"
                                        + " that");
            }
            return true;
        } catch (ApiException e) {
            boolean known = last || e instanceof ApiException.Forbidden;
            if (known) {
                LOG.log(
                        WARNING,
                        () ->
                                "it cannot be known whether this cluster keeps "
                                        + program
                                        + " to node "
                                        + node
                                        + ": "
                                        + e.getMessage());
            }
            return known;
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
