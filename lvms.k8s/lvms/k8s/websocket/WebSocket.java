package lvms.k8s.websocket;

import static java.lang.System.Logger.Level.DEBUG;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;

/**
 * The client's end of a WebSocket (RFC 6455) whose messages are bytes.
 *
 * <p>One thread receives, and is blocked while nothing comes; on a virtual thread an interrupt ends
 * the connection. Pings are answered by the thread that receives. Any thread may {@link #abort}.
 *
 * <p>A server that dies without a word is noticed only if {@link #keepAlive} was asked for.
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
    private volatile Optional<Heartbeat> heartbeat = Optional.empty();
    private boolean within;
    private Received.Closed closed;
    private boolean told;
    private volatile boolean aborted;

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
     * Sends a ping each period from now on, so that nothing on the way forgets an idle connection,
     * and ends the connection if a thread receives and the server is silent for three periods. Call
     * it once, before anything is sent.
     */
    public void keepAlive(Duration period) {
        var beating = new Heartbeat(period, System::nanoTime);
        heartbeat = Optional.of(beating);
        beating.start(
                new Heartbeat.Connection() {
                    @Override
                    public boolean ping(byte[] payload) {
                        return wrote(Frame.PING, payload);
                    }

                    @Override
                    public void abort() {
                        end();
                    }
                });
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
                var frame = next();
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

    private Frame next() throws IOException {
        heartbeat.ifPresent(Heartbeat::receives);
        try {
            var frame = frames.next(MAX_MESSAGE_BYTES - begun.size());
            heartbeat.ifPresent(Heartbeat::heard);
            return frame;
        } catch (IOException e) {
            var silence = heartbeat.map(Heartbeat::problem).orElse("");
            throw silence.isEmpty() ? e : new IOException(silence, e);
        }
    }

    /**
     * Sends a message. Any thread may send; it waits while the server does not read.
     *
     * @throws IOException if the connection has ended
     */
    public void send(byte[] message) throws IOException {
        heartbeat.ifPresent(beating -> beating.sends(message.length));
        writer.write(Frame.BINARY, message);
    }

    private void control(Frame frame) throws Violation {
        switch (frame.opcode()) {
            case Frame.PING -> tell(Frame.PONG, frame.payload());
            case Frame.PONG -> heartbeat.ifPresent(beating -> beating.answered(frame.payload()));
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
        wrote(opcode, payload);
    }

    private boolean wrote(int opcode, byte[] payload) {
        try {
            writer.write(opcode, payload);
            return true;
        } catch (IOException e) {
            LOG.log(DEBUG, () -> "not sent opcode=" + opcode + " " + e);
            return false;
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
        aborted = true;
        end();
    }

    /** Returns whether somebody on this side ended the connection; silence did not. */
    public boolean aborted() {
        return aborted;
    }

    private void end() {
        heartbeat.ifPresent(Heartbeat::end);
        try {
            connection.close();
        } catch (IOException e) {
            LOG.log(DEBUG, () -> "closing a connection failed: " + e);
        }
    }
}
