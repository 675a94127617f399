package lvms.k8s.exec;

import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ObjectKey;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Ports on loopback whose connections lead to ports of a pod, as {@code kubectl port-forward} makes
 * them. It needs {@code create} and {@code get} of {@code pods/portforward}.
 *
 * <p>Each connection has a WebSocket of its own, and there may be any number at once. Neither side
 * can end only its half: if the local program or the pod ends its side, both ends are closed. An
 * idle connection is kept alive by a ping each 20 s, and ends if the server is silent for a minute.
 */
public final class PortForward implements AutoCloseable {
    private final Map<Integer, ForwardedPort> ports;

    private PortForward(Map<Integer, ForwardedPort> ports) {
        this.ports = ports;
    }

    /**
     * Begins to listen. Whether the pod can be reached shows with the first connection.
     *
     * @param port of the pod
     * @param localPort on loopback, 0 for any that is free
     * @throws IOException if the local port is taken
     */
    public static PortForward open(KubeClient kube, ObjectKey pod, int port, int localPort)
            throws IOException {
        return open(kube, pod, Map.of(port, localPort));
    }

    /**
     * Begins to listen for several ports, or for none of them if one cannot be had.
     *
     * @param localPorts for each port of the pod the one on loopback, 0 for any that is free
     * @throws IOException if a local port is taken
     */
    public static PortForward open(KubeClient kube, ObjectKey pod, Map<Integer, Integer> localPorts)
            throws IOException {
        return open(PodStreams.of(kube), pod, localPorts);
    }

    static PortForward open(PodStreams streams, ObjectKey pod, Map<Integer, Integer> localPorts)
            throws IOException {
        if (localPorts.isEmpty()) {
            throw new IllegalArgumentException("no port");
        }
        localPorts.keySet().forEach(ForwardedPort::check);
        var forward = new PortForward(new LinkedHashMap<>());
        try {
            for (var port : localPorts.keySet()) {
                int local = localPorts.get(port);
                forward.ports.put(port, ForwardedPort.open(streams, pod, port, local));
            }
            return forward;
        } catch (IOException e) {
            forward.close();
            throw e;
        }
    }

    /**
     * Returns the port on loopback, if one port of the pod is forwarded.
     *
     * @throws IllegalStateException if there are several
     */
    public int localPort() {
        if (ports.size() > 1) {
            throw new IllegalStateException("several ports are forwarded: " + ports.keySet());
        }
        return ports.values().iterator().next().localPort();
    }

    /**
     * Returns the port on loopback that leads to a port of the pod.
     *
     * @throws IllegalArgumentException if that port is not forwarded
     */
    public int localPort(int port) {
        return forwarded(port).localPort();
    }

    /**
     * Returns why the last connection to a port of the pod failed, in the words of the pod's node
     * or the API server: such as that nobody listens there. Empty once the pod has sent something.
     *
     * @throws IllegalArgumentException if that port is not forwarded
     */
    public Optional<String> problem(int port) {
        return forwarded(port).problem();
    }

    private ForwardedPort forwarded(int port) {
        var forwarded = ports.get(port);
        if (forwarded == null) {
            throw new IllegalArgumentException("port " + port + " is not forwarded");
        }
        return forwarded;
    }

    /** Stops listening and ends all connections; then the local ports are free. */
    @Override
    public void close() throws IOException {
        for (var port : ports.values()) {
            port.close();
        }
    }
}
