package lvms.tests.server;

import lvms.k8s.testkit.ApiServer;
import lvms.k8s.testkit.Options;
import lvms.tests.cluster.ControlPlane;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The API server that tests meet: ours in memory, or a real one behind the same front.
 *
 * <p>System property {@code lvms.apiserver}: {@code ours} (the default), or the version of a real
 * kube-apiserver such as {@code 1.36.3}. There is one real server for each JVM; every start makes
 * it empty but for the definitions of our types, so only one test at a time can have it. {@code
 * lvms.apiserver.all}: whether tests marked {@link OursAlone} run beside a real one.
 */
public final class Servers {
    private static final String CHOICE = System.getProperty("lvms.apiserver", "ours");
    private static final boolean ALL_TESTS = Boolean.getBoolean("lvms.apiserver.all");

    /** How many of the class and the method that run now are marked {@link OursAlone}. */
    private static final AtomicInteger MARKS = new AtomicInteger();

    private Servers() {}

    /** Whether the server in memory answers the test that runs now. */
    public static boolean ours() {
        return CHOICE.equals("ours") || MARKS.get() > 0;
    }

    /** Whether tests that a real server cannot take run all the same, in memory. */
    static boolean allTests() {
        return ALL_TESTS;
    }

    static void beginInMemory() {
        MARKS.incrementAndGet();
    }

    static void endInMemory() {
        MARKS.updateAndGet(marks -> Math.max(0, marks - 1));
    }

    /** Whether a real server older than a minor version of Kubernetes 1 answers. */
    public static boolean before(int minor) {
        return !ours() && Integer.parseInt(CHOICE.split("\\.")[1]) < minor;
    }

    /**
     * Starts a real API server and etcd beside the shared ones, for a test that does to their
     * processes what would disturb others; the caller closes them.
     *
     * @param purpose names the folder with the logs
     */
    public static ControlPlane own(String purpose) throws IOException {
        return RealServer.own(CHOICE, purpose);
    }

    /** Starts an empty server. */
    public static ApiServer start() throws IOException {
        return start(Options.defaults());
    }

    /** Starts an empty server; options about the cluster in memory do not bind a real one. */
    public static ApiServer start(Options options) throws IOException {
        if (ours()) {
            return ApiServer.start(options);
        }
        var real = RealServer.shared(CHOICE);
        real.empty();
        return ApiServer.start(options.upstream(real));
    }
}
