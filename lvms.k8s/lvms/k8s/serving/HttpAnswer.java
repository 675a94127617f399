package lvms.k8s.serving;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * An answer.
 *
 * @param code HTTP status code
 * @param type content type
 * @param content what is sent
 */
public record HttpAnswer(int code, String type, byte[] content) {
    private static final String TEXT = "text/plain; charset=utf-8";

    public HttpAnswer(int code, String type, String body) {
        this(code, type, body.getBytes(StandardCharsets.UTF_8));
    }

    public static HttpAnswer text(int code, String body) {
        return new HttpAnswer(code, TEXT, body);
    }

    /** A text that is UTF-8 already. */
    public static HttpAnswer text(int code, byte[] body) {
        return new HttpAnswer(code, TEXT, body);
    }

    public static HttpAnswer json(String body) {
        return new HttpAnswer(200, "application/json", body);
    }

    public static HttpAnswer notFound() {
        return text(404, "404 page not found\n");
    }

    /** Writes head and content; a small answer is one packet. */
    void write(OutputStream out, boolean last) throws IOException {
        var buffered = new BufferedOutputStream(out);
        buffered.write(head(last));
        buffered.write(content);
        buffered.flush();
    }

    /** Writes what a HEAD is answered with: all but the content. */
    void writeHead(OutputStream out, boolean last) throws IOException {
        out.write(head(last));
        out.flush();
    }

    private byte[] head(boolean last) {
        return "HTTP/1.1 %d \r\nContent-Type: %s\r\nContent-Length: %d\r\n%s\r\n"
                .formatted(code, type, content.length, last ? "Connection: close\r\n" : "")
                .getBytes(StandardCharsets.US_ASCII);
    }
}
