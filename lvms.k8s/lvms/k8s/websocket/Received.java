package lvms.k8s.websocket;

/** What the other side of a WebSocket said. */
public sealed interface Received {
    /** A whole message of bytes, however many frames it came in. */
    record Message(byte[] bytes) implements Received {}

    /**
     * The other side closed the connection in order.
     *
     * @param code as in RFC 6455, section 7.4; 1000 is the normal end, 1005 means that none came
     * @param reason for people; empty if there is none
     */
    record Closed(int code, String reason) implements Received {}
}
