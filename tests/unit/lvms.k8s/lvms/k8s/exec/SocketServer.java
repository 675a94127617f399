package lvms.k8s.exec;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A server of WebSockets (RFC 6455) that answers each connection as a script says, and keeps what
 * it was asked.
 */
final class SocketServer implements AutoCloseable {
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int BINARY = 2;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG_BYTES = 6; // without content, but with a mask
    private static final int FINAL = 0x80;
    private static final int SHORT = 126; // lengths from here on have bytes of their own
    private static final int HEAD_BYTES = 10; // at most

    /** What is said on one connection. */
    interface Script {
        void play(Conversation with) throws Exception;
    }

    private final ServerSocket listener;
    private final Script script;
    final LinkedBlockingQueue<List<String>> heads = new LinkedBlockingQueue<>();

    SocketServer(ServerSocket listener, Script script) {
        this.listener = listener;
        this.script = script;
        Thread.ofVirtual().start(this::accept);
    }

    static SocketServer start(Script script) throws IOException {
        return new SocketServer(new ServerSocket(0, 8, InetAddress.getLoopbackAddress()), script);
    }

    int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                var socket = listener.accept();
                Thread.ofVirtual().start(() -> converse(socket));
            } catch (IOException _) {
                return; // it was closed
            }
        }
    }

    private void converse(Socket socket) {
        try (socket) {
            var in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            var head = new ArrayList<String>();
            for (var line = line(in); !line.isEmpty(); line = line(in)) {
                head.add(line);
            }
            heads.add(List.copyOf(head));
            script.play(new Conversation(head, in, socket.getOutputStream()));
        } catch (Exception _) {
            return; // the client sees that the connection ended
        }
    }

    private static String line(DataInputStream in) throws IOException {
        var line = new StringBuilder();
        for (int c = in.readUnsignedByte(); c != '\n'; c = in.readUnsignedByte()) {
            line.append((char) c);
        }
        return line.toString().strip();
    }

    /** One connection. */
    record Conversation(List<String> head, DataInputStream in, OutputStream out) {
        String header(String name) {
            return head.stream()
                    .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .findFirst()
                    .orElse("");
        }

        void refuse(int code, String body) throws IOException {
            out.write(
                    ("HTTP/1.1 %d x\r\n"
                                    + "Content-Type: application/json\r\n"
                                    + "Content-Length: %d\r\n\r\n"
                                    + "%s")
                            .formatted(code, body.length(), body)
                            .getBytes(StandardCharsets.UTF_8));
            out.flush();
        }

        void accept(String protocol) throws Exception {
            var sha1 = MessageDigest.getInstance("SHA-1");
            var key = (header("Sec-WebSocket-Key") + GUID).getBytes(StandardCharsets.US_ASCII);
            out.write(
                    ("HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                    + "Sec-WebSocket-Accept: "
                                    + Base64.getEncoder().encodeToString(sha1.digest(key))
                                    + "\r\nSec-WebSocket-Protocol: "
                                    + protocol
                                    + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
        }

        void say(int channel, String text) throws IOException {
            var bytes = text.getBytes(StandardCharsets.UTF_8);
            var payload = new byte[bytes.length + 1];
            payload[0] = (byte) channel;
            System.arraycopy(bytes, 0, payload, 1, bytes.length);
            frame(FINAL | BINARY, payload, 0, payload.length);
        }

        /** One message in two frames, cut after some bytes. */
        void sayInParts(int channel, String text, int cut) throws IOException {
            var payload = ((char) channel + text).getBytes(StandardCharsets.US_ASCII);
            frame(BINARY, payload, 0, cut);
            frame(FINAL, payload, cut, payload.length);
        }

        void end(int code, String reason) throws IOException {
            var payload = new byte[reason.length() + 2];
            payload[0] = (byte) (code >> 8);
            payload[1] = (byte) code;
            System.arraycopy(
                    reason.getBytes(StandardCharsets.US_ASCII), 0, payload, 2, reason.length());
            frame(FINAL | CLOSE, payload, 0, payload.length);
        }

        private void frame(int head, byte[] payload, int from, int to) throws IOException {
            int length = to - from;
            var frame = ByteBuffer.allocate(HEAD_BYTES + length).put((byte) head);
            if (length < SHORT) {
                frame.put((byte) length);
            } else if (length < 1 << 16) {
                frame.put((byte) SHORT).putShort((short) length);
            } else {
                frame.put((byte) (SHORT + 1)).putLong(length);
            }
            frame.put(payload, from, length);
            out.write(frame.array(), 0, frame.position());
            out.flush();
        }

        /**
         * Waits until the client reads what it gets. The JDK's WebSocket may stall for good if more
         * than a buffer comes right behind the handshake; no API server is that fast.
         */
        void awaitPong() throws IOException {
            frame(FINAL | PING, new byte[0], 0, 0);
            in.readNBytes(PONG_BYTES);
        }

        /** Waits until the client ends the connection. */
        void awaitEnd() throws IOException {
            while (in.read() >= 0) {
                continue;
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
