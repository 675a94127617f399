package lvms.k8s.exec;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.ApiException;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.websocket.Received;
import lvms.k8s.websocket.WebSocket;

import java.io.EOFException;
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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * A port on loopback whose connections lead to one port of a pod.
 *
 * <p>Source: {@code portforward} of k8s.io/kubelet, subprotocol {@code v4.channel.k8s.io}: channel
 * 0 has data, channel 1 a failure, and the first message of each the port.
 */
final class ForwardedPort implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(PortForward.class.getName());
    private static final List<String> PROTOCOLS = List.of("v4.channel.k8s.io");
    private static final int DATA = 0;
    private static final int ERROR = 1;
    private static final int MOST_IN_A_MESSAGE = 32 << 10;
    private static final int WAITING = 50;
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int MOST_PORTS = 65535;

    private final PodStreams streams;
    private final ObjectKey pod;
    private final int port;
    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Thread acceptor;
    private volatile Optional<String> problem = Optional.empty();

    private ForwardedPort(PodStreams streams, ObjectKey pod, int port, ServerSocket listener) {
        this.streams = streams;
        this.pod = pod;
        this.port = port;
        this.listener = listener;
        this.acceptor = Thread.ofVirtual().name("port-forward").start(this::accept);
    }

    static void check(int port) {
        if (port < 1 || port > MOST_PORTS) {
            throw new IllegalArgumentException("not a port: " + port);
        }
    }

    static ForwardedPort open(PodStreams streams, ObjectKey pod, int port, int localPort)
            throws IOException {
        var listener = new ServerSocket();
        try {
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), localPort);
            listener.bind(address, WAITING);
        } catch (IOException e) {
            listener.close();
            throw new IOException("port " + localPort + " of this machine: " + e.getMessage(), e);
        }
        return new ForwardedPort(streams, pod, port, listener);
    }

    int localPort() {
        return listener.getLocalPort();
    }

    Optional<String> problem() {
        return problem;
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
        try (local) {
            lead(local);
        } catch (IOException e) {
            LOG.log(DEBUG, () -> "forwarded connection ended pod=" + pod + " " + e);
        } finally {
            open.remove(local);
        }
    }

    private void lead(Socket local) throws IOException {
        try (var socket = streams.open(pod, "portforward?ports=" + port, PROTOCOLS)) {
            local.setTcpNoDelay(true);
            Thread.ofVirtual().name("port-forward-to-pod").start(() -> toPod(local, socket));
            fromPod(socket, local);
        } catch (ApiException e) {
            failed(e.getMessage());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** A program that tries again and again makes one line of it. */
    private void failed(String words) {
        var line = words.strip().replaceAll("\\s+", " ");
        var before = problem;
        problem = Optional.of(line);
        if (!before.equals(problem)) {
            LOG.log(WARNING, () -> "port forward failed pod=" + pod + " port=" + port + " " + line);
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

    private void fromPod(WebSocket socket, Socket local) throws IOException {
        boolean[] begun = new boolean[2];
        boolean answered = false;
        while (true) {
            switch (received(socket, answered)) {
                case Received.Message(var bytes) when isOurs(bytes) -> {
                    int channel = bytes[0];
                    if (!begun[channel]) {
                        begun[channel] = true; // the port
                    } else if (channel == DATA) {
                        answered = true;
                        problem = Optional.empty();
                        write(local.getOutputStream(), bytes);
                    } else {
                        failed(new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8));
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

    /** A pod that ends a connection rudely after its answer is no problem. */
    private Received received(WebSocket socket, boolean answered) throws IOException {
        try {
            return socket.receive();
        } catch (IOException e) {
            if (!answered && !socket.aborted() && !(e instanceof EOFException)) {
                problem = Optional.of(e.getMessage());
            }
            throw e;
        }
    }

    private static boolean isOurs(byte[] message) {
        return message.length > 0 && (message[0] == DATA || message[0] == ERROR);
    }

    private static void write(OutputStream local, byte[] message) throws IOException {
        local.write(message, 1, message.length - 1);
        local.flush();
    }

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
