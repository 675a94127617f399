package lvms.k8s.exec;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.websocket.Received;
import lvms.k8s.websocket.WebSocket;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * A port on loopback whose connections lead to a port of a pod, as {@code kubectl port-forward}
 * makes it. It needs {@code create} and {@code get} of {@code pods/portforward}.
 *
 * <p>Each connection has a WebSocket of its own. Neither side can end only its half: if the local
 * program or the pod ends its side, both ends are closed.
 *
 * <p>Source: {@code portforward} of k8s.io/kubelet, subprotocol {@code v4.channel.k8s.io}: channel
 * 0 has data, channel 1 a failure, and the first message of each the port.
 */
public final class PortForward implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(PortForward.class.getName());
    private static final List<String> PROTOCOLS = List.of("v4.channel.k8s.io");
    private static final int DATA = 0;
    private static final int ERROR = 1;
    private static final int MOST_IN_A_MESSAGE = 32 << 10;
    private static final int WAITING = 50;
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int MOST_PORTS = 65535;

    private final KubeClient kube;
    private final ObjectKey pod;
    private final int port;
    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Thread acceptor;

    private PortForward(KubeClient kube, ObjectKey pod, int port, ServerSocket listener) {
        this.kube = kube;
        this.pod = pod;
        this.port = port;
        this.listener = listener;
        this.acceptor = Thread.ofVirtual().name("port-forward").start(this::accept);
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
        if (port < 1 || port > MOST_PORTS) {
            throw new IllegalArgumentException("not a port: " + port);
        }
        var listener = new ServerSocket();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), localPort), WAITING);
        return new PortForward(kube, pod, port, listener);
    }

    /** Returns the port on loopback. */
    public int localPort() {
        return listener.getLocalPort();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                var local = listener.accept();
                open.add(local);
                Thread.ofVirtual().name("port-forward-connection").start(() -> serve(local));
            } catch (IOException e) {
                pause(e);
            }
        }
    }

    /** The process may have no descriptor left, and get some back. */
    private void pause(IOException e) {
        if (!listener.isClosed()) {
            LOG.log(WARNING, () -> "port forward takes no connection pod=" + pod + " " + e);
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private void serve(Socket local) {
        try (local;
                var socket = kube.socket(pod, "portforward?ports=" + port, PROTOCOLS)) {
            local.setTcpNoDelay(true);
            Thread.ofVirtual().name("port-forward-to-pod").start(() -> toPod(local, socket));
            fromPod(socket, local.getOutputStream());
        } catch (ApiException e) {
            LOG.log(WARNING, () -> "port forward refused pod=" + pod + " " + e.getMessage());
        } catch (IOException e) {
            LOG.log(DEBUG, () -> "forwarded connection ended pod=" + pod + " " + e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(local);
        }
    }

    private static void toPod(Socket local, WebSocket socket) {
        var buffer = new byte[MOST_IN_A_MESSAGE + 1];
        buffer[0] = DATA;
        try {
            var in = local.getInputStream();
            for (int size = in.read(buffer, 1, MOST_IN_A_MESSAGE);
                    size >= 0;
                    size = in.read(buffer, 1, MOST_IN_A_MESSAGE)) {
                socket.send(Arrays.copyOf(buffer, size + 1));
            }
        } catch (IOException e) {
            LOG.log(DEBUG, () -> "forwarded connection ended " + e);
        } finally {
            socket.abort();
        }
    }

    private void fromPod(WebSocket socket, OutputStream local) throws IOException {
        boolean[] begun = new boolean[2];
        while (true) {
            switch (socket.receive()) {
                case Received.Message(var bytes) when bytes.length > 0 && bytes[0] <= ERROR -> {
                    int channel = bytes[0];
                    if (!begun[channel]) {
                        begun[channel] = true; // the port
                    } else if (channel == DATA) {
                        local.write(bytes, 1, bytes.length - 1);
                        local.flush();
                    } else {
                        var words = new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8);
                        LOG.log(WARNING, () -> "port forward failed pod=" + pod + " " + words);
                        return;
                    }
                }
                case Received.Message _ -> {}
                case Received.Closed _ -> {
                    return;
                }
            }
        }
    }

    /** Stops listening and ends all connections; then the local port is free. */
    @Override
    public void close() throws IOException {
        listener.close();
        try {
            acceptor.join(); // until it has ended, the system still takes connections
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        for (var local : open) {
            local.close();
        }
    }
}
