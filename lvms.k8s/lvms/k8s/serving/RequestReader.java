package lvms.k8s.serving;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** Reads the requests of one connection (RFC 9112), within the limits. */
final class RequestReader {
    private static final int BUFFER_BYTES = 2 << 10;
    private static final int CHUNK_LINE_BYTES = 256;
    private static final String TOO_LONG = "the body is too long";
    private static final byte[] GO_ON =
            "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final String client;
    private final InputStream in;
    private final OutputStream out;
    private final Limits limits;
    private final Semaphore bodies;
    private int headLeft;

    /**
     * @param client IP address of the client
     * @param bodies bytes that may still be taken for bodies; {@link #release} gives them back
     */
    RequestReader(
            String client, InputStream in, OutputStream out, Limits limits, Semaphore bodies) {
        this.client = client;
        this.in = new BufferedInputStream(in, BUFFER_BYTES);
        this.out = out;
        this.limits = limits;
        this.bodies = bodies;
    }

    /** A request that is answered without being read, after which the connection ends. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;
        private final transient HttpAnswer answer;

        Refused(int code, String text) {
            super(text);
            answer = HttpAnswer.text(code, text + "\n");
        }

        HttpAnswer answer() {
            return answer;
        }
    }

    /** Waits for the first byte of a request; returns whether there is one. */
    boolean awaitNext() throws IOException {
        in.mark(1);
        boolean more = in.read() >= 0;
        in.reset();
        return more;
    }

    /** Reads a request; its body counts until it is released. */
    HttpRequest read() throws IOException, Refused, InterruptedException {
        headLeft = limits.headBytes();
        var words = line().split(" ");
        if (words.length != 3 || !words[2].startsWith("HTTP/1.")) {
            throw new Refused(400, "not a request of HTTP/1.1");
        }
        var headers = headers();
        var target = target(words[1]);
        boolean last =
                words[2].equals("HTTP/1.0")
                        || headers.getOrDefault("connection", "").equalsIgnoreCase("close");
        return new HttpRequest(
                client,
                words[0],
                target.getPath(),
                Optional.ofNullable(target.getQuery()),
                headers,
                body(headers),
                last);
    }

    private static URI target(String text) throws Refused {
        try {
            var target = new URI(text);
            if (target.getPath() != null) {
                return target;
            }
        } catch (URISyntaxException _) {
            throw new Refused(400, "not a path");
        }
        throw new Refused(400, "not a path");
    }

    private Map<String, String> headers() throws IOException, Refused {
        var headers = new HashMap<String, String>();
        while (true) {
            var line = line();
            if (line.isEmpty()) {
                return headers;
            }
            int colon = line.indexOf(':');
            if (colon < 1) {
                throw new Refused(400, "not a header");
            }
            headers.putIfAbsent(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
    }

    private String line() throws IOException, Refused {
        var line = new StringBuilder();
        while (headLeft-- > 0) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the client hung up");
            }
            if (next == '\n') {
                int end = line.length() - 1;
                return end >= 0 && line.charAt(end) == '\r'
                        ? line.substring(0, end)
                        : line.toString();
            }
            line.append((char) next);
        }
        throw new Refused(431, "the request is too long");
    }

    private byte[] body(Map<String, String> headers)
            throws IOException, Refused, InterruptedException {
        if (headers.containsKey("transfer-encoding")) {
            return chunks(headers);
        }
        int length = length(headers.getOrDefault("content-length", "0"));
        if (length > limits.bodyBytes()) {
            throw new Refused(413, TOO_LONG);
        }
        bodies.acquire(length);
        try {
            invite(headers);
            var body = in.readNBytes(length);
            if (body.length < length) {
                throw new EOFException("the client hung up");
            }
            return body;
        } catch (IOException e) {
            bodies.release(length);
            throw e;
        }
    }

    /**
     * Reads a body that tells the size of each piece; until it is whole, it counts as the largest.
     */
    private byte[] chunks(Map<String, String> headers)
            throws IOException, Refused, InterruptedException {
        if (!headers.get("transfer-encoding").equalsIgnoreCase("chunked")) {
            throw new Refused(501, "a transfer encoding other than chunked");
        }
        if (headers.containsKey("content-length")) {
            throw new Refused(400, "a body with two lengths");
        }
        int counted = limits.bodyBytes();
        bodies.acquire(counted);
        try {
            invite(headers);
            var body = new ByteArrayOutputStream();
            for (int size = bytesOfChunk(); size > 0; size = bytesOfChunk()) {
                if (size > limits.bodyBytes() - body.size()) {
                    throw new Refused(413, TOO_LONG);
                }
                var chunk = in.readNBytes(size);
                if (chunk.length < size) {
                    throw new EOFException("the client hung up");
                }
                body.writeBytes(chunk);
                requireEnd();
            }
            headLeft = limits.headBytes();
            headers(); // trailers mean nothing here
            var whole = body.toByteArray();
            bodies.release(counted - whole.length);
            counted = whole.length;
            return whole;
        } catch (IOException | Refused e) {
            bodies.release(counted);
            throw e;
        }
    }

    private int bytesOfChunk() throws IOException, Refused {
        headLeft = CHUNK_LINE_BYTES;
        var size = line().replaceFirst(";.*", "").strip(); // extensions mean nothing here
        if (!size.matches("[0-9a-fA-F]{1,15}")) {
            throw new Refused(400, "not the size of a chunk");
        }
        return (int) Math.min(Long.parseLong(size, 16), Integer.MAX_VALUE);
    }

    private void requireEnd() throws IOException, Refused {
        headLeft = CHUNK_LINE_BYTES;
        if (!line().isEmpty()) {
            throw new Refused(400, "a chunk is longer than it says");
        }
    }

    private void invite(Map<String, String> headers) throws IOException {
        if (headers.getOrDefault("expect", "").equalsIgnoreCase("100-continue")) {
            out.write(GO_ON);
        }
    }

    private static int length(String text) throws Refused {
        try {
            long length = Long.parseLong(text);
            if (length >= 0) {
                return (int) Math.min(length, Integer.MAX_VALUE);
            }
        } catch (NumberFormatException _) {
            throw new Refused(400, "not a length");
        }
        throw new Refused(400, "not a length");
    }

    /**
     * Reads what the client still sends, until it hangs up: a connection that ends with unread
     * bytes takes the answer with it, if the client reads that only after it has sent all.
     */
    void drain() throws IOException {
        in.transferTo(OutputStream.nullOutputStream());
    }

    /** Gives back what the body of a request took. */
    void release(HttpRequest request) {
        bodies.release(request.body().length);
    }
}
