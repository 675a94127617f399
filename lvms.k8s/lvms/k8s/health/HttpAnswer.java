package lvms.k8s.health;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * What is answered, after which the connection ends.
 *
 * @param code HTTP status code
 * @param type content type
 */
record HttpAnswer(int code, String type, String body) {
    private static final String TEXT = "text/plain; charset=utf-8";

    static HttpAnswer text(int code, String body) {
        return new HttpAnswer(code, TEXT, body);
    }

    static HttpAnswer notFound() {
        return text(404, "404 page not found\n");
    }

    byte[] bytes() {
        var content = body.getBytes(StandardCharsets.UTF_8);
        var head =
                "HTTP/1.1 %d \r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
                        .formatted(code, type, content.length);
        var all = new ByteArrayOutputStream(head.length() + content.length);
        all.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
        all.writeBytes(content);
        return all.toByteArray();
    }
}
