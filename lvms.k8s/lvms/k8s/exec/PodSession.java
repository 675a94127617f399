package lvms.k8s.exec;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.websocket.Received;
import lvms.k8s.websocket.WebSocket;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A command in a container, or the container's own process, with its streams. One thread for each
 * stream; any thread may wait for the end and close it.
 *
 * <p>Both outputs come over one connection: whoever does not read one of them holds up the other,
 * so close what you do not want. A terminal has one output, and its standard error is empty.
 *
 * <p>The server gets a ping each 20 s. If it is silent for a minute while somebody reads, the
 * session breaks, unless more than 32 KiB of standard input may still be unread (ADR 118).
 *
 * <p>Source: {@code v5.channel.k8s.io} (KEP-4006); an older server speaks {@code
 * v4.channel.k8s.io}, which cannot tell that the standard input has ended.
 */
public final class PodSession implements AutoCloseable {
    private static final String V5 = "v5.channel.k8s.io";
    private static final List<String> PROTOCOLS = List.of(V5, "v4.channel.k8s.io");
    private static final int STDIN = 0;
    private static final int STDOUT = 1;
    private static final int STDERR = 2;
    private static final int STATUS = 3;
    private static final int RESIZE = 4;
    private static final int CLOSE = 255;
    private static final int MOST_IN_A_MESSAGE = 32 << 10;

    private final String what;
    private final WebSocket socket;
    private final Pipe stdout = new Pipe();
    private final Pipe stderr = new Pipe();
    private final CompletableFuture<String> status = new CompletableFuture<>();
    private final OutputStream stdin = new StandardInput();
    private final Thread reader;

    private PodSession(String what, WebSocket socket) {
        this.what = what;
        this.socket = socket;
        this.reader = Thread.ofVirtual().name("pod-session").start(this::receive);
    }

    /**
     * Starts a command, never through a shell.
     *
     * @param stdin whether it gets a standard input
     * @throws ApiException if the API server refuses
     */
    public static PodSession exec(
            KubeClient kube, ObjectKey pod, String container, List<String> command, boolean stdin)
            throws ApiException, InterruptedException {
        return exec(PodStreams.of(kube), pod, container, command, stdin);
    }

    static PodSession exec(
            PodStreams streams,
            ObjectKey pod,
            String container,
            List<String> command,
            boolean stdin)
            throws ApiException, InterruptedException {
        var target = Targets.exec(container, command, stdin);
        return new PodSession(what(pod, command), streams.open(pod, target, PROTOCOLS));
    }

    private static String what(ObjectKey pod, List<String> command) {
        return "exec " + command.getFirst() + " in pod " + pod;
    }

    /**
     * Starts a command on a terminal of its own, such as a shell, with standard input.
     *
     * @param size at the beginning
     * @throws ApiException if the API server refuses
     */
    public static PodSession terminal(
            KubeClient kube,
            ObjectKey pod,
            String container,
            List<String> command,
            TerminalSize size)
            throws ApiException, InterruptedException {
        var target = Targets.terminal(container, command);
        var socket = PodStreams.of(kube).open(pod, target, PROTOCOLS);
        return new PodSession(what(pod, command), socket).sized(size);
    }

    /**
     * Joins the process that the container runs. Closing the session does not end the process.
     *
     * @param stdin whether to write to its standard input, if the container keeps that open
     * @throws ApiException if the API server refuses
     */
    public static PodSession attach(KubeClient kube, ObjectKey pod, String container, boolean stdin)
            throws ApiException, InterruptedException {
        return attached(kube, pod, Targets.attach(container, stdin));
    }

    /**
     * Joins the process of a container with {@code tty: true} at its terminal.
     *
     * @param size from now on
     * @throws ApiException if the API server refuses
     */
    public static PodSession attachTerminal(
            KubeClient kube, ObjectKey pod, String container, TerminalSize size)
            throws ApiException, InterruptedException {
        return attached(kube, pod, Targets.attachTerminal(container)).sized(size);
    }

    private static PodSession attached(KubeClient kube, ObjectKey pod, String target)
            throws ApiException, InterruptedException {
        var socket = PodStreams.of(kube).open(pod, target, PROTOCOLS);
        return new PodSession("attach to pod " + pod, socket);
    }

    /** A connection that is gone by now is a failure of the streams. */
    private PodSession sized(TerminalSize size) {
        try {
            resize(size);
        } catch (IOException e) {
            fail(e);
        }
        return this;
    }

    /**
     * Tells the terminal its new size; the program on it gets SIGWINCH.
     *
     * @throws IOException if the session has broken
     */
    public void resize(TerminalSize size) throws IOException {
        var json = size.json().getBytes(StandardCharsets.UTF_8);
        var message = new byte[json.length + 1];
        message[0] = RESIZE;
        System.arraycopy(json, 0, message, 1, json.length);
        socket.send(message);
    }

    private void receive() {
        try {
            while (true) {
                switch (socket.receive()) {
                    case Received.Message(var bytes) when bytes.length > 0 -> take(bytes);
                    case Received.Message _ -> {}
                    case Received.Closed closed -> {
                        fail(early(closed));
                        return;
                    }
                }
            }
        } catch (IOException e) {
            fail(e);
        } catch (InterruptedException _) {
            fail(new IOException("the session was closed"));
        }
    }

    private static IOException early(Received.Closed closed) {
        var why = closed.reason().isEmpty() ? "" : ": " + closed.reason();
        return new IOException("the connection ended, code " + closed.code() + why);
    }

    private void take(byte[] message) throws InterruptedException {
        switch (message[0]) {
            case STDOUT -> stdout.write(message);
            case STDERR -> stderr.write(message);
            case STATUS -> {
                status.complete(new String(message, 1, message.length - 1, StandardCharsets.UTF_8));
                stdout.end();
                stderr.end();
            }
            default -> {} // the end of a stream, or one that nobody opened
        }
    }

    /** After the status the end of the connection is no failure any more. */
    private void fail(IOException cause) {
        if (status.completeExceptionally(cause)) {
            stdout.fail(cause);
            stderr.fail(cause);
        }
    }

    /**
     * Returns what writes to the standard input. Closing it ends the input.
     *
     * <p>Each write is sent at once, and waits while the command does not read.
     */
    public OutputStream stdin() {
        return stdin;
    }

    /** Whether closing the standard input ends it. */
    boolean canEndInput() {
        return socket.protocol().equals(V5);
    }

    /** Returns the standard output; it fails with an {@link IOException} if the session breaks. */
    public InputStream stdout() {
        return stdout;
    }

    /** Returns the standard error; it fails with an {@link IOException} if the session breaks. */
    public InputStream stderr() {
        return stderr;
    }

    /**
     * Waits for the end.
     *
     * @return the exit code; 128 plus the number of the signal that ended it
     * @throws ExecException if it did not run, does not end in time, or its end is not known
     */
    public int exitCode(Duration timeout) throws ExecException, InterruptedException {
        try {
            return ExecStatus.exitCode(status.get(timeout.toNanos(), TimeUnit.NANOSECONDS), what);
        } catch (TimeoutException e) {
            throw new ExecException(what + ": it did not end within " + timeout, e);
        } catch (ExecutionException e) {
            throw new ExecException(what + ": " + e.getCause().getMessage(), e.getCause());
        }
    }

    /** Ends the connection; whether the command goes on then is up to the container runtime. */
    @Override
    public void close() {
        socket.abort();
        reader.interrupt();
    }

    /** Sends what is written, in messages that every server takes. */
    private final class StandardInput extends OutputStream {
        private boolean closed;

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, bytes.length);
            for (int from = 0; from < length; from += MOST_IN_A_MESSAGE) {
                int to = Math.min(length, from + MOST_IN_A_MESSAGE);
                var message = new byte[to - from + 1];
                message[0] = STDIN;
                System.arraycopy(bytes, offset + from, message, 1, to - from);
                socket.send(message);
            }
        }

        @Override
        public void close() throws IOException {
            if (closed) {
                return;
            }
            closed = true;
            if (!canEndInput()) {
                throw new IOException(what + ": the server cannot end a standard input");
            }
            socket.send(new byte[] {(byte) CLOSE, STDIN});
        }
    }
}
