package lvms.k8s.exec;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Sorts what comes over one WebSocket: the first byte of each message names its channel. A message
 * may come in several parts.
 */
final class Channels implements WebSocket.Listener {
    private static final int STDOUT = 1;
    private static final int STDERR = 2;
    private static final int STATUS = 3;
    private static final int NONE = -1;
    private static final int MAX_STATUS_BYTES = 64 << 10;

    private final Output stdout;
    private final Output stderr;
    private final Output end = new Output(MAX_STATUS_BYTES);
    private final CompletableFuture<String> status = new CompletableFuture<>();
    private int channel = NONE;

    Channels(int maxBytes) {
        stdout = new Output(maxBytes);
        stderr = new Output(maxBytes);
    }

    /** The status that ends the command; a connection that ended before is a failure. */
    CompletableFuture<String> status() {
        return status;
    }

    /** What was printed, once the status is there. */
    ExecResult result(int exitCode) {
        return new ExecResult(exitCode, stdout.bytes(), stderr.bytes(), stdout.cut || stderr.cut);
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
        if (channel == NONE && data.hasRemaining()) {
            channel = data.get();
        }
        switch (channel) {
            case STDOUT -> stdout.add(data);
            case STDERR -> stderr.add(data);
            case STATUS -> end.add(data);
            default -> data.position(data.limit());
        }
        if (last) {
            if (channel == STATUS) {
                status.complete(new String(end.bytes(), StandardCharsets.UTF_8));
            }
            channel = NONE;
        }
        socket.request(1);
        return null;
    }

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
        var why = reason.isEmpty() ? "" : ": " + reason;
        onError(
                socket,
                new IOException("the connection ended before the command, code " + code + why));
        return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
        status.completeExceptionally(error);
    }

    /** The first bytes of an output. Its thread is the socket's, until the status is there. */
    private static final class Output {
        private final int limit;
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private boolean cut;

        Output(int limit) {
            this.limit = limit;
        }

        void add(ByteBuffer data) {
            var bytes = new byte[Math.min(data.remaining(), limit - kept.size())];
            cut |= data.remaining() > bytes.length;
            data.get(bytes);
            kept.writeBytes(bytes);
        }

        byte[] bytes() {
            return kept.toByteArray();
        }
    }
}
