package lvms.k8s.websocket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.LinkedBlockingQueue;

/** A proxy that leads each CONNECT to one port on loopback, whatever name it was asked for. */
public final class Tunnel implements AutoCloseable {
    private final ServerSocket listener;
    private final int target;
    public final LinkedBlockingQueue<String> asked = new LinkedBlockingQueue<>();

    public Tunnel(int target) throws IOException {
        this.listener = new ServerSocket(0, 8, InetAddress.ofLiteral("127.0.0.1"));
        this.target = target;
        Thread.ofVirtual().start(this::accept);
    }

    public int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                var client = listener.accept();
                Thread.ofVirtual().start(() -> lead(client));
            } catch (IOException _) {
                return; // it was closed
            }
        }
    }

    private void lead(Socket client) {
        try (client;
                var server = new Socket(InetAddress.ofLiteral("127.0.0.1"), target)) {
            asked.add(head(client));
            var ok = "HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
            client.getOutputStream().write(ok);
            Thread.ofVirtual().start(() -> copy(server, client));
            client.getInputStream().transferTo(server.getOutputStream());
        } catch (IOException _) {
            return; // one side ended, so the other does
        }
    }

    private static void copy(Socket from, Socket to) {
        try (to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException _) {
            return; // one side ended, so the other does
        }
    }

    private static String head(Socket client) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int c = client.getInputStream().read();
            if (c < 0) {
                throw new IOException("no request");
            }
            head.append((char) c);
        }
        return head.substring(0, head.indexOf("\r\n"));
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
