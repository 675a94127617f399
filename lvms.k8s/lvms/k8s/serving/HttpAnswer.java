package lvms.k8s.serving;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * An answer.
 *
 * @param code HTTP status code
 * @param type content type
 * @param body what is sent, as UTF-8
 */
public record HttpAnswer(int code, String type, String body) {
    private static final String TEXT = "text/plain; charset=utf-8";

    public static HttpAnswer text(int code, String body) {
        return new HttpAnswer(code, TEXT, body);
    }

    public static HttpAnswer json(String body) {
        return new HttpAnswer(200, "application/json", body);
    }

    public static HttpAnswer notFound() {
        return text(404, "404 page not found\n");
    }

    byte[] bytes(boolean last) {
        var content = body.getBytes(StandardCharsets.UTF_8);
        var head =
                "HTTP/1.1 %d \r\nContent-Type: %s\r\nContent-Length: %d\r\n%s\r\n"
                        .formatted(code, type, content.length, last ? "Connection: close\r\n" : "");
        var all = new ByteArrayOutputStream(head.length() + content.length);
        all.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
        all.writeBytes(content);
        return all.toByteArray();
    }
}
