package lvms.tests.cluster;

import lvms.tests.cluster.PlaneOptions.Part;

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
        requests.require("control", "freeze");
    }

    /** Lets a frozen API server go on (SIGCONT). */
    public void thaw() throws IOException {
        requests.require("control", "thaw");
    }

    /** Kills the API server (SIGKILL); it stays away until {@link #start}. */
    public void kill() throws IOException {
        requests.require("control", "kill");
    }

    /** Starts a killed API server and waits until it is ready. */
    public void start() throws IOException {
        requests.require("control", "start");
    }

    /** Starts the API server again with a certificate that expired an hour ago, or a good one. */
    public void restartWithCertificate(boolean expired) throws IOException {
        requests.require("control", "certificate", expired ? "expired" : "good");
    }

    /** Kills a part of the control plane; it stays away until {@link #startPart}. */
    public void killPart(Part part) throws IOException {
        requests.require("control", "kill-part", part.name());
    }

    /** Starts a killed part again. */
    public void startPart(Part part) throws IOException {
        requests.require("control", "start-part", part.name());
    }

    /** Returns the API server's own metrics in Prometheus' text format. */
    public String metrics() throws IOException {
        return requests.require("control", "metrics");
    }

    /** Returns the folder of the programs' logs, {@code NAME.log} each. */
    public Path logs() throws IOException {
        return Path.of(requests.require("control", "folder"));
    }

    /** Compacts etcd up to its present revision, so that a watch of an older one ends with 410. */
    public void compact() throws IOException {
        requests.require("control", "compact");
    }

    public Path kubeconfig(String user, String... groups) throws IOException {
        var words = new ArrayList<>(List.of("kubeconfig", user));
        words.addAll(List.of(groups));
        return Path.of(requests.require(words.toArray(String[]::new)));
    }
}
