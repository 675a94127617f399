package lvms.k8s.testkit.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** The server's side of one request: sends one answer, whole or as a stream. */
public final class Exchange {
    private static final String CRLF = "\r\n";
    private static final int NOT_MODIFIED = 304;
    private static final int SLOW_PIECES = 50;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private boolean streaming;
    private boolean ended;

    Exchange(Socket socket, InputStream in, OutputStream out) {
        this.socket = socket;
        this.in = in;
        this.out = out;
    }

    /** Adds a header to the answer; a repeated one becomes a list. */
    public void header(String name, String value) {
        headers.merge(name, value, (a, b) -> a + ", " + b);
    }

    /** Sends a whole answer. */
    public void send(int code, String contentType, byte[] body) throws IOException {
        if (code != NOT_MODIFIED) { // its headers would replace what the client knows
            header("Content-Type", contentType);
            header("Content-Length", Integer.toString(body.length));
        }
        writeHead(code);
        out.write(body);
        out.flush();
        ended = true;
    }

    /** Announces a body, and sends only {@code sent} of its bytes. */
    public void sendPart(int code, String contentType, byte[] body, int sent) throws IOException {
        header("Content-Type", contentType);
        header("Content-Length", Integer.toString(body.length));
        writeHead(code);
        out.write(body, 0, Math.min(sent, body.length));
        out.flush();
    }

    /** Sends a whole answer, whose body comes in pieces over a time. */
    public void sendSlowly(int code, String contentType, byte[] body, Duration time)
            throws IOException {
        sendPart(code, contentType, body, 0);
        int piece = body.length / SLOW_PIECES + 1;
        for (int from = 0; from < body.length; from += piece) {
            LockSupport.parkNanos(time.dividedBy(SLOW_PIECES).toNanos());
            out.write(body, from, Math.min(piece, body.length - from));
            out.flush();
        }
        ended = true;
    }

    /** Says nothing more until the client has gone, and closes the connection then. */
    public void hold() throws IOException {
        awaitEnd();
        cut();
    }

    /** Starts a chunked answer. */
    public void startStream(int code, String contentType) throws IOException {
        header("Content-Type", contentType);
        header("Transfer-Encoding", "chunked");
        writeHead(code);
        out.flush();
        streaming = true;
    }

    /** Sends one chunk at once. */
    public void chunk(byte[] bytes) throws IOException {
        out.write((Integer.toHexString(bytes.length) + CRLF).getBytes(StandardCharsets.US_ASCII));
        out.write(bytes);
        out.write(CRLF.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    /** Ends a chunked answer properly. */
    public void endStream() throws IOException {
        out.write(("0" + CRLF + CRLF).getBytes(StandardCharsets.US_ASCII));
        out.flush();
        ended = true;
    }

    /** Closes the TCP connection without a TLS close. */
    public void cut() throws IOException {
        socket.close();
    }

    /** Runs the action once the client has gone; for streams, whose clients send nothing more. */
    public void onDisconnect(Runnable action) {
        Thread.ofVirtual()
                .name("http-disconnect")
                .start(
                        () -> {
                            awaitEnd();
                            action.run();
                        });
    }

    private void awaitEnd() {
        try {
            in.read();
        } catch (IOException _) {
            // A broken connection is what this waits for.
        }
    }

    /** A stream's connection is never reused: its reader may have consumed the next request. */
    boolean reusable(HttpRequest request) {
        return ended
                && !streaming
                && !"close".equalsIgnoreCase(request.header("Connection").orElse(""))
                && !"close".equalsIgnoreCase(headers.get("Connection"));
    }

    private void writeHead(int code) throws IOException {
        if (streaming || ended) {
            throw new IllegalStateException("an answer was already sent");
        }
        var head = new StringBuilder("HTTP/1.1 ").append(code).append(' ').append("Status");
        head.append(CRLF);
        headers.forEach((name, value) -> head.append(name + ": " + value + CRLF));
        if (headers.containsKey("Transfer-Encoding")) {
            head.append("Connection: close").append(CRLF);
        }
        head.append(CRLF);
        out.write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
    }
}
