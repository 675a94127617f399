package lvms.k8s.websocket;

import static java.lang.System.Logger.Level.DEBUG;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The client's end of a WebSocket (RFC 6455) whose messages are bytes.
 *
 * <p>One thread receives, and is blocked while nothing comes; on a virtual thread an interrupt ends
 * the connection. Pings are answered by the thread that receives. Any thread may {@link #abort}.
 */
public final class WebSocket implements AutoCloseable {
    /** Kubernetes writes at most 32 KiB of a stream into one message. */
    private static final int MAX_MESSAGE_BYTES = 1 << 20;

    private static final System.Logger LOG = System.getLogger(WebSocket.class.getName());
    private static final int NORMAL = 1000;

    private final String protocol;
    private final FrameReader frames;
    private final FrameWriter writer;
    private final Closeable connection;
    private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
    private boolean within;
    private Received.Closed closed;
    private boolean told;

    WebSocket(String protocol, InputStream in, OutputStream out, Closeable connection) {
        this.protocol = protocol;
        this.frames = new FrameReader(in);
        this.writer = new FrameWriter(out);
        this.connection = connection;
    }

    /** Returns the subprotocol that the server chose. */
    public String protocol() {
        return protocol;
    }

    /**
     * Waits for the next message, or for the close; after a close there is nothing more.
     *
     * @throws EOFException if the connection ended without a close
     * @throws IOException if it broke, or the server broke the protocol; it cannot be used any more
     */
    public Received receive() throws IOException {
        try {
            while (closed == null) {
                var frame = frames.next(MAX_MESSAGE_BYTES - begun.size());
                if (Frame.isControl(frame.opcode())) {
                    control(frame);
                } else if (completes(frame)) {
                    return message();
                }
            }
            return closed;
        } catch (Violation e) {
            tell(Frame.CLOSE, CloseFrame.of(e.code()));
            throw new IOException("the server sent " + e.getMessage(), e);
        } catch (EOFException e) {
            throw (EOFException)
                    new EOFException("the connection ended without a close").initCause(e);
        }
    }

    /**
     * Sends a message. Any thread may send; it waits while the server does not read.
     *
     * @throws IOException if the connection has ended
     */
    public void send(byte[] message) throws IOException {
        writer.write(Frame.BINARY, message);
    }

    private void control(Frame frame) throws Violation {
        switch (frame.opcode()) {
            case Frame.PING -> tell(Frame.PONG, frame.payload());
            case Frame.PONG -> LOG.log(DEBUG, "a pong that nobody asked for");
            case Frame.CLOSE -> {
                closed = CloseFrame.read(frame.payload());
                tell(Frame.CLOSE, CloseFrame.answer(closed));
            }
            default -> throw new Violation(Violation.PROTOCOL, "opcode " + frame.opcode());
        }
    }

    private boolean completes(Frame part) throws Violation {
        boolean fits =
                switch (part.opcode()) {
                    case Frame.CONTINUATION -> within;
                    case Frame.BINARY -> !within;
                    case Frame.TEXT ->
                            throw new Violation(Violation.UNSUPPORTED, "text instead of bytes");
                    default -> throw new Violation(Violation.PROTOCOL, "opcode " + part.opcode());
                };
        if (!fits) {
            throw new Violation(Violation.PROTOCOL, "parts of messages out of order");
        }
        begun.writeBytes(part.payload());
        within = !part.last();
        return part.last();
    }

    private Received.Message message() {
        var message = new Received.Message(begun.toByteArray());
        begun.reset();
        return message;
    }

    /** Says something that nobody waits for: what keeps it from arriving, the next read meets. */
    private void tell(int opcode, byte[] payload) {
        if (told) {
            return;
        }
        told = opcode == Frame.CLOSE;
        try {
            writer.write(opcode, payload);
        } catch (IOException e) {
            LOG.log(DEBUG, () -> "not sent opcode=" + opcode + " " + e);
        }
    }

    /**
     * Closes it in order, by the thread that receives. The server's answer is not awaited: nothing
     * that it could still say is wanted.
     */
    @Override
    public void close() {
        tell(Frame.CLOSE, CloseFrame.of(NORMAL));
        abort();
    }

    /** Ends the connection at once, also while a thread receives. */
    public void abort() {
        try {
            connection.close();
        } catch (IOException e) {
            LOG.log(DEBUG, () -> "closing a connection failed: " + e);
        }
    }
}
