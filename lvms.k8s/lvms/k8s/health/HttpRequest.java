package lvms.k8s.health;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;

/**
 * The head of a request, of which the first line counts.
 *
 * @param line the first line
 * @param complete whether the head ended within the bound
 */
record HttpRequest(String line, boolean complete) {
    private static final int MOST_BYTES = 8192;

    /** Reads a head; throws EOFException if the client hung up before its end. */
    static HttpRequest read(InputStream in) throws IOException {
        var bytes = new byte[MOST_BYTES];
        int length = 0;
        while (length < MOST_BYTES) {
            int read = in.read(bytes, length, MOST_BYTES - length);
            if (read < 0) {
                throw new EOFException("the client hung up");
            }
            length += read;
            var head = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
            if (head.contains("\r\n\r\n") || head.contains("\n\n")) {
                return new HttpRequest(head.lines().findFirst().orElse(""), true);
            }
        }
        return new HttpRequest("", false);
    }

    HttpAnswer answer(HttpListener.Pages pages) {
        if (!complete) {
            return HttpAnswer.text(431, "the request is too long\n");
        }
        var words = line.split(" ");
        if (words.length != 3 || !words[2].startsWith("HTTP/1.")) {
            return HttpAnswer.text(400, "not a request of HTTP/1.1\n");
        }
        if (!words[0].equals("GET")) {
            return HttpAnswer.text(405, "only GET\n");
        }
        try {
            var target = new URI(words[1]);
            return target.getPath() == null
                    ? HttpAnswer.notFound()
                    : pages.get(target.getPath(), target.getQuery());
        } catch (URISyntaxException e) {
            return HttpAnswer.text(400, "not a path\n");
        }
    }
}
