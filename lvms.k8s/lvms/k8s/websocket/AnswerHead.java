package lvms.k8s.websocket;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a server answered the request for a WebSocket (RFC 9112).
 *
 * @param headers by name, which ignores case
 */
record AnswerHead(int code, Map<String, List<String>> headers) {
    private static final int MAX_HEAD_BYTES = 64 << 10;
    private static final int MAX_BODY_BYTES = 64 << 10;
    private static final int SWITCHING_PROTOCOLS = 101;
    private static final int OK = 200;

    /** Reads up to the end of the head; interim answers before it are skipped. */
    static AnswerHead read(InputStream in) throws IOException {
        var lines = new Lines(in, MAX_HEAD_BYTES);
        while (true) {
            int code = code(lines.next());
            var headers = headers(lines);
            if (code == SWITCHING_PROTOCOLS || code >= OK) {
                return new AnswerHead(code, headers);
            }
        }
    }

    private static int code(String line) throws IOException {
        if (!line.matches("HTTP/1\\.[01] [1-9][0-9]{2}( .*)?")) {
            throw new IOException("the server's answer is no HTTP/1.1");
        }
        return Integer.parseInt(line.substring(9, 12));
    }

    private static Map<String, List<String>> headers(Lines lines) throws IOException {
        var headers = new TreeMap<String, List<String>>(String.CASE_INSENSITIVE_ORDER);
        for (var line = lines.next(); !line.isEmpty(); line = lines.next()) {
            int colon = line.indexOf(':');
            if (colon < 1) {
                throw new IOException("the server's answer has a line that is no header");
            }
            headers.computeIfAbsent(line.substring(0, colon), _ -> new ArrayList<>())
                    .add(line.substring(colon + 1).strip());
        }
        return headers;
    }

    /** Returns whether a header, a list, names this word in any case. */
    boolean names(String header, String word) {
        for (var value : headers.getOrDefault(header, List.of())) {
            for (var one : value.split(",")) {
                if (one.strip().equalsIgnoreCase(word)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns the value of a header, empty if there is none; several become one list. */
    String only(String header) {
        return String.join(", ", headers.getOrDefault(header, List.of()));
    }

    /** Reads the beginning of the body that comes behind it. */
    byte[] body(InputStream in) throws IOException {
        if (names("Transfer-Encoding", "chunked")) {
            return chunks(in);
        }
        var length = only("Content-Length");
        return in.readNBytes(
                length.matches("[0-9]{1,9}")
                        ? Math.min(Integer.parseInt(length), MAX_BODY_BYTES)
                        : MAX_BODY_BYTES);
    }

    private static byte[] chunks(InputStream in) throws IOException {
        var body = new ByteArrayOutputStream();
        var lines = new Lines(in, MAX_HEAD_BYTES);
        while (body.size() < MAX_BODY_BYTES) {
            int size = size(lines.next());
            if (size == 0) {
                break;
            }
            body.writeBytes(in.readNBytes(Math.min(size, MAX_BODY_BYTES - body.size())));
            if (body.size() < MAX_BODY_BYTES) {
                lines.next();
            }
        }
        return body.toByteArray();
    }

    private static int size(String line) throws IOException {
        var digits = line.replaceFirst("[; \t].*", "");
        if (!digits.matches("[0-9a-fA-F]{1,7}")) {
            throw new IOException("the server's answer has a chunk without a size");
        }
        return Integer.parseInt(digits, 16);
    }

    /** Lines that end with CRLF or LF, together at most some bytes. */
    private static final class Lines {
        private final InputStream in;
        private int left;

        Lines(InputStream in, int maxBytes) {
            this.in = in;
            this.left = maxBytes;
        }

        String next() throws IOException {
            var line = new StringBuilder();
            for (int c = read(); c != '\n'; c = read()) {
                line.append((char) c);
            }
            int end = line.length() - 1;
            return end >= 0 && line.charAt(end) == '\r' ? line.substring(0, end) : line.toString();
        }

        private int read() throws IOException {
            if (left-- == 0) {
                throw new IOException("the head of the server's answer is too long");
            }
            int c = in.read();
            if (c < 0) {
                throw new EOFException("the server ended the connection before it answered");
            }
            return c;
        }
    }
}
