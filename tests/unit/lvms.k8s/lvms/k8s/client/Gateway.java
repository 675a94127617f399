package lvms.k8s.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What translates addresses on the way to a server, and may forget the connections that it has:
 * then they neither carry anything nor end, while new ones work.
 */
final class Gateway implements AutoCloseable {
    private final ServerSocket listener;
    private final int server;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Set<Socket> forgotten = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();

    Gateway(int server) throws IOException {
        this.listener = new ServerSocket(0, 64, InetAddress.ofLiteral("127.0.0.1"));
        this.server = server;
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Returns how many connections were made so far. */
    int accepted() {
        return accepted.get();
    }

    /** Returns how many of the forgotten connections the client still has. */
    long kept() {
        return forgotten.stream().filter(open::contains).count();
    }

    void forget() {
        forgotten.addAll(open);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                var client = listener.accept();
                accepted.incrementAndGet();
                open.add(client);
                Thread.ofVirtual().start(() -> lead(client));
            } catch (IOException _) {
                return; // it was closed
            }
        }
    }

    private void lead(Socket client) {
        try (client;
                var behind = new Socket(InetAddress.ofLiteral("127.0.0.1"), server)) {
            Thread.ofVirtual().start(() -> copy(behind, client, client));
            copy(client, behind, client);
        } catch (IOException _) {
            return; // there is no server
        } finally {
            open.remove(client);
        }
    }

    private void copy(Socket from, Socket to, Socket client) {
        var buffer = new byte[8192];
        try {
            for (int size = from.getInputStream().read(buffer);
                    size >= 0;
                    size = from.getInputStream().read(buffer)) {
                if (!forgotten.contains(client)) {
                    to.getOutputStream().write(buffer, 0, size);
                }
            }
            if (!forgotten.contains(client)) {
                to.close();
            }
        } catch (IOException _) {
            return; // one side ended, so the other does
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (var client : open) {
            client.close();
        }
    }
}
