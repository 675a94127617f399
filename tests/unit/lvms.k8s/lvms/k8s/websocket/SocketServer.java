package lvms.k8s.websocket;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
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
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A server of WebSockets (RFC 6455) that answers each connection as a script says, and keeps what
 * it was asked and told.
 */
public final class SocketServer implements AutoCloseable {
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int BINARY = 2;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG = 10;
    private static final int FINAL = 0x80;
    private static final int MASKED = 0x80;
    private static final int SHORT = 126; // lengths from here on have bytes of their own
    private static final int HEAD_BYTES = 10; // at most

    /** What is said on one connection. */
    public interface Script {
        void play(Conversation with) throws Exception;
    }

    /**
     * What a client said.
     *
     * @param head the first byte of its frame
     * @param payload without its mask
     */
    public record Heard(int head, byte[] payload) {
        public boolean isPing() {
            return head == (FINAL | PING);
        }

        /** Returns the code of a close. */
        public int code() {
            return ByteBuffer.wrap(payload).getShort();
        }
    }

    private final ServerSocket listener;
    private final Optional<TlsSide> tls;
    private final Script script;
    public final LinkedBlockingQueue<List<String>> heads = new LinkedBlockingQueue<>();
    public final LinkedBlockingQueue<Heard> heard = new LinkedBlockingQueue<>();

    private SocketServer(Optional<TlsSide> tls, Script script) throws IOException {
        this.listener = new ServerSocket(0, 64, InetAddress.ofLiteral("127.0.0.1"));
        this.tls = tls;
        this.script = script;
        Thread.ofVirtual().start(this::accept);
    }

    public static SocketServer start(Script script) throws IOException {
        return new SocketServer(Optional.empty(), script);
    }

    public static SocketServer start(TlsSide tls, Script script) throws IOException {
        return new SocketServer(Optional.of(tls), script);
    }

    public int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                var connection = listener.accept();
                Thread.ofVirtual().start(() -> converse(connection));
            } catch (IOException _) {
                return; // it was closed
            }
        }
    }

    private void converse(Socket connection) {
        try (connection) {
            var socket = tls.isPresent() ? tls.get().on(connection) : connection;
            var in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            var head = new ArrayList<String>();
            for (var line = line(in); !line.isEmpty(); line = line(in)) {
                head.add(line);
            }
            heads.add(List.copyOf(head));
            script.play(new Conversation(head, in, socket.getOutputStream(), heard));
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

    /** One connection. It ends with its script, with TLS in the middle of it. */
    public record Conversation(
            List<String> head,
            DataInputStream in,
            OutputStream out,
            LinkedBlockingQueue<Heard> heard) {
        private String header(String name) {
            return head.stream()
                    .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .findFirst()
                    .orElse("");
        }

        public void raw(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
        }

        public void raw(byte[] bytes) throws IOException {
            out.write(bytes);
            out.flush();
        }

        public void refuse(int code, String body) throws IOException {
            raw(
                    ("HTTP/1.1 %d x\r\n"
                                    + "Content-Type: application/json\r\n"
                                    + "Content-Length: %d\r\n\r\n"
                                    + "%s")
                            .formatted(code, body.length(), body));
        }

        /** The value that proves that the request was read. */
        public String proof() throws Exception {
            var sha1 = MessageDigest.getInstance("SHA-1");
            var key = (header("Sec-WebSocket-Key") + GUID).getBytes(StandardCharsets.US_ASCII);
            return Base64.getEncoder().encodeToString(sha1.digest(key));
        }

        public void accept(String protocol) throws Exception {
            raw(
                    "HTTP/1.1 101 x\r\nupgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n"
                            + "Sec-WebSocket-Accept: %s\r\nSec-WebSocket-Protocol: %s\r\n\r\n"
                                    .formatted(proof(), protocol));
        }

        /** All that a script says, in one write. */
        public void atOnce(Script script) throws Exception {
            var all = new ByteArrayOutputStream();
            script.play(new Conversation(head, in, all, heard));
            raw(all.toByteArray());
        }

        public void say(int channel, String text) throws IOException {
            say(channel, text.getBytes(StandardCharsets.UTF_8));
        }

        /** Any thread may say something. */
        public void say(int channel, byte[] bytes) throws IOException {
            var payload = new byte[bytes.length + 1];
            payload[0] = (byte) channel;
            System.arraycopy(bytes, 0, payload, 1, bytes.length);
            frame(FINAL | BINARY, payload, 0, payload.length);
        }

        /** One message in two frames, cut after some bytes, with a ping between them. */
        public void sayInParts(int channel, String text, int cut) throws IOException {
            var payload = ((char) channel + text).getBytes(StandardCharsets.US_ASCII);
            frame(BINARY, payload, 0, cut);
            frame(FINAL | PING, payload, 0, 1);
            frame(FINAL, payload, cut, payload.length);
        }

        public void end(int code, String reason) throws IOException {
            var payload = new byte[reason.length() + 2];
            payload[0] = (byte) (code >> 8);
            payload[1] = (byte) code;
            System.arraycopy(
                    reason.getBytes(StandardCharsets.US_ASCII), 0, payload, 2, reason.length());
            frame(FINAL | CLOSE, payload, 0, payload.length);
        }

        /** Answers a ping. */
        public void pong(Heard ping) throws IOException {
            frame(FINAL | PONG, ping.payload(), 0, ping.payload().length);
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
            synchronized (out) {
                out.write(frame.array(), 0, frame.position());
                out.flush();
            }
        }

        /** Keeps what the client says until it ends the connection. */
        public void awaitEnd() throws IOException {
            while (true) {
                heard.add(hear());
            }
        }

        /** Waits for the client's next frame. */
        public Heard hear() throws IOException {
            int first = in.readUnsignedByte();
            int second = in.readUnsignedByte();
            if ((second & MASKED) == 0) {
                throw new IOException("a client's frames have a mask");
            }
            var mask = new byte[4];
            int length = length(second & ~MASKED);
            in.readFully(mask);
            var payload = in.readNBytes(length);
            for (int i = 0; i < payload.length; i++) {
                payload[i] ^= mask[i % mask.length];
            }
            return new Heard(first, payload);
        }

        private int length(int told) throws IOException {
            return switch (told) {
                case SHORT -> in.readUnsignedShort();
                case SHORT + 1 -> (int) in.readLong();
                default -> told;
            };
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
