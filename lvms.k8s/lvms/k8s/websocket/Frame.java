package lvms.k8s.websocket;

/**
 * A message, a part of one, or a word about the connection.
 *
 * @param last whether the message ends with it
 */
record Frame(boolean last, int opcode, byte[] payload) {
    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    /** The longest payload of a frame that is about the connection. */
    static final int MAX_CONTROL_BYTES = 125;

    /** From here on a length has two bytes of its own. */
    static final int TWO_BYTES = 126;

    static final int EIGHT_BYTES = 127;
    static final int LAST_BIT = 0x80;
    static final int RESERVED_BITS = 0x70;
    static final int OPCODE_BITS = 0x0f;
    static final int MASK_BIT = 0x80;

    static boolean isControl(int opcode) {
        return opcode >= CLOSE;
    }
}
