package lvms.k8s.websocket;

import java.util.List;
import java.util.Map;

/** The server answered a handshake with a failure. */
public final class Refusal extends Exception {
    private static final long serialVersionUID = 1;

    private final int code;
    private final transient Map<String, List<String>> headers;
    private final transient byte[] body;

    Refusal(int code, Map<String, List<String>> headers, byte[] body) {
        super("the server refused the WebSocket with code " + code);
        this.code = code;
        this.headers = headers;
        this.body = body;
    }

    /** Returns the code of the answer, at least 300. */
    public int code() {
        return code;
    }

    /** Returns the headers; their names ignore case. */
    public Map<String, List<String>> headers() {
        return headers;
    }

    /** Returns the beginning of the body, at most 64 KiB. */
    public byte[] body() {
        return body;
    }
}
