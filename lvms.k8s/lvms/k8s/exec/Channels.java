package lvms.k8s.exec;

import lvms.k8s.websocket.Received;
import lvms.k8s.websocket.WebSocket;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Sorts what comes over one WebSocket: the first byte of each message names its channel. */
final class Channels {
    private static final int STDOUT = 1;
    private static final int STDERR = 2;
    private static final int STATUS = 3;

    private final Output stdout;
    private final Output stderr;

    Channels(int maxBytes) {
        stdout = new Output(maxBytes);
        stderr = new Output(maxBytes);
    }

    /**
     * Reads up to the status that ends the command, and closes the connection in order.
     *
     * @throws IOException if the connection ends before
     */
    String status(WebSocket socket) throws IOException {
        try (socket) {
            while (true) {
                switch (socket.receive()) {
                    case Received.Message(var bytes)
                            when bytes.length > 0 && bytes[0] == STATUS -> {
                        return new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8);
                    }
                    case Received.Message(var bytes) -> keep(bytes);
                    case Received.Closed closed -> throw early(closed);
                }
            }
        }
    }

    private void keep(byte[] message) {
        switch (message.length == 0 ? 0 : message[0]) {
            case STDOUT -> stdout.add(message);
            case STDERR -> stderr.add(message);
            default -> {} // a channel that nobody opened
        }
    }

    private static IOException early(Received.Closed closed) {
        var why = closed.reason().isEmpty() ? "" : ": " + closed.reason();
        return new IOException(
                "the connection ended before the command, code " + closed.code() + why);
    }

    /** What was printed, once the status is there. */
    ExecResult result(int exitCode) {
        return new ExecResult(exitCode, stdout.bytes(), stderr.bytes(), stdout.cut || stderr.cut);
    }

    /** The first bytes of an output. */
    private static final class Output {
        private final int limit;
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private boolean cut;

        Output(int limit) {
            this.limit = limit;
        }

        void add(byte[] message) {
            int length = Math.min(message.length - 1, limit - kept.size());
            cut |= message.length - 1 > length;
            kept.write(message, 1, length);
        }

        byte[] bytes() {
            return kept.toByteArray();
        }
    }
}
