package lvms.tests.cluster;

import java.io.Closeable;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** A cluster of this process: control plane, network and nodes. */
final class RunningCluster implements Closeable {
    private RunningCluster() {}

    static RunningCluster start(ClusterOptions options, Consumer<String> progress) {
        throw new UnsupportedOperationException("the control plane is not there yet: " + options);
    }

    Path kubeconfig() {
        throw new UnsupportedOperationException("not there yet");
    }

    Path kubeconfig(String user, List<String> groups) {
        throw new UnsupportedOperationException("not there yet: " + user + groups);
    }

    List<String> nodeNames() {
        throw new UnsupportedOperationException("not there yet");
    }

    KubeNode node(String name) {
        throw new UnsupportedOperationException("not there yet: " + name);
    }

    void addNode(NodeSpec spec) {
        throw new UnsupportedOperationException("not there yet: " + spec);
    }

    void removeNode(String name) {
        throw new UnsupportedOperationException("not there yet: " + name);
    }

    void control(String verb) {
        throw new UnsupportedOperationException("not there yet: " + verb);
    }

    String status() {
        throw new UnsupportedOperationException("not there yet");
    }

    @Override
    public void close() {}
}
