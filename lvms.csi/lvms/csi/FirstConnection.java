package lvms.csi;

import java.io.EOFException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Opens an HTTP/2 connection and waits for the server's side of it (RFC 9113, section 3.4). */
final class FirstConnection {
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    private static final int FRAME_HEADER_BYTES = 9;
    private static final int TYPE_AT = 3;
    private static final byte SETTINGS = 4;

    private FirstConnection() {}

    /**
     * Returns when the server on the socket has answered.
     *
     * @throws IOException if it answers with something else, or ends the connection
     */
    static void make(Path socket) throws IOException {
        try (var channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            send(channel, ByteBuffer.wrap(PREFACE.getBytes(StandardCharsets.US_ASCII)));
            send(channel, emptySettings());
            var header = ByteBuffer.allocate(FRAME_HEADER_BYTES);
            while (header.hasRemaining()) {
                if (channel.read(header) < 0) {
                    throw new EOFException("no HTTP/2 on " + socket);
                }
            }
            if (header.get(TYPE_AT) != SETTINGS) {
                throw new IOException("no HTTP/2 on " + socket);
            }
        }
    }

    private static void send(SocketChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private static ByteBuffer emptySettings() {
        return ByteBuffer.allocate(FRAME_HEADER_BYTES).put(TYPE_AT, SETTINGS);
    }
}
