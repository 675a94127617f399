package lvms.k8s.testkit.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Reads one HTTP/1.1 response from a connection. */
public final class ResponseReader {
    /** A whole response. */
    public record Response(int code, byte[] body) {}

    private ResponseReader() {}

    /** Reads the response to the only request of a connection. */
    public static Response read(InputStream in) throws IOException {
        var first = RequestReader.line(in);
        if (first == null) {
            throw new EOFException("no response");
        }
        var words = first.split(" ");
        if (words.length < 2 || !words[0].startsWith("HTTP/1.")) {
            throw new IOException("not an HTTP/1.1 response: " + first);
        }
        var headers = RequestReader.headers(in);
        boolean sized =
                headers.containsKey("content-length") || headers.containsKey("transfer-encoding");
        var body = sized ? RequestReader.body(in, headers) : in.readAllBytes();
        return new Response(Integer.parseInt(words[1]), body);
    }
}
