package lvms.k8s.testkit.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads one HTTP/1.1 request from a connection. */
final class RequestReader {
    private static final int MAX_LINE = 1 << 20;

    /**
     * More than the server accepts, so that it can answer 413 instead of cutting the connection.
     */
    private static final int MAX_BODY = 16 << 20;

    private RequestReader() {}

    /** The next request, or empty when the client has closed the connection. */
    static Optional<HttpRequest> read(InputStream in, OutputStream out) throws IOException {
        var first = line(in);
        if (first == null || first.isEmpty()) {
            return Optional.empty();
        }
        var words = first.split(" ");
        if (words.length != 3 || !words[2].startsWith("HTTP/1.")) {
            throw new IOException("not an HTTP/1.1 request: " + first);
        }
        var headers = headers(in);
        if ("100-continue".equalsIgnoreCase(headers.get("expect"))) {
            out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
        }
        return Optional.of(HttpRequest.of(words[0], words[1], headers, body(in, headers)));
    }

    static Map<String, String> headers(InputStream in) throws IOException {
        var headers = new HashMap<String, String>();
        for (var line = line(in); line != null && !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            if (colon < 1) {
                throw new IOException("malformed header: " + line);
            }
            headers.merge(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip(),
                    (a, b) -> a + "," + b);
        }
        return headers;
    }

    static byte[] body(InputStream in, Map<String, String> headers) throws IOException {
        if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
            return chunks(in);
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        return exactly(in, bounded(length));
    }

    private static byte[] chunks(InputStream in) throws IOException {
        var body = new ByteArrayOutputStream();
        while (true) {
            var line = line(in);
            if (line == null) {
                throw new EOFException("chunked body cut");
            }
            int length = Integer.parseInt(line.split(";")[0].strip(), 16);
            if (length == 0) {
                headers(in);
                return body.toByteArray();
            }
            body.writeBytes(exactly(in, bounded(length + body.size()) - body.size()));
            line(in);
        }
    }

    private static int bounded(int length) throws IOException {
        if (length > MAX_BODY) {
            throw new IOException("request body of " + length + " bytes");
        }
        return length;
    }

    private static byte[] exactly(InputStream in, int length) throws IOException {
        var bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("request body cut");
        }
        return bytes;
    }

    static String line(InputStream in) throws IOException {
        var out = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                return out.size() == 0 ? null : out.toString(StandardCharsets.ISO_8859_1);
            }
            if (b != '\r') {
                out.write(b);
            }
            if (out.size() > MAX_LINE) {
                throw new IOException("line too long");
            }
        }
        return out.toString(StandardCharsets.ISO_8859_1);
    }
}
