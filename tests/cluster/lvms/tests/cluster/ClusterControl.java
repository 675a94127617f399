package lvms.tests.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The control plane of a running cluster, for faults. Any thread may use it. */
public final class ClusterControl {
    private final Requests requests;

    ClusterControl(Requests requests) {
        this.requests = requests;
    }

    /** Stops the API server in the middle of what it does (SIGSTOP). */
    public void freeze() throws IOException {
        requests.require("freeze");
    }

    /** Lets a frozen API server go on (SIGCONT). */
    public void thaw() throws IOException {
        requests.require("thaw");
    }

    /** Kills the API server (SIGKILL); it stays away until {@link #start}. */
    public void kill() throws IOException {
        requests.require("kill");
    }

    /** Starts a killed API server and waits until it is ready. */
    public void start() throws IOException {
        requests.require("start");
    }

    /** Compacts etcd up to its present revision, so that a watch of an older one ends with 410. */
    public void compact() throws IOException {
        requests.require("compact");
    }

    /** Returns a kubeconfig of a user in the given groups. */
    public Path kubeconfig(String user, String... groups) throws IOException {
        var words = new ArrayList<>(List.of("kubeconfig", user));
        words.addAll(List.of(groups));
        return Path.of(requests.require(words.toArray(String[]::new)));
    }
}
