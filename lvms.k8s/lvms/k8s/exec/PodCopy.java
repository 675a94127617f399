package lvms.k8s.exec;

import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * One copy by a command of the container. Its first cause is the failure that is told: what this
 * machine could not read or write, then what the command complains about, then the connection.
 *
 * @param what is copied, for messages
 * @param progress what to say about how far it came; empty for nothing
 */
record PodCopy(String what, Duration deadline, Supplier<String> progress) {
    private static final int MOST_WORDS = 4096;
    private static final int BUFFER_BYTES = 32 << 10;

    /** Writes what the command is to read. */
    interface Feed {
        void to(OutputStream stdin) throws IOException;
    }

    /** Reads what the command prints, up to its end. */
    interface Drain {
        void from(InputStream stdout) throws IOException;
    }

    private interface Step<T> {
        T make() throws IOException;
    }

    /** Copies, and ends the session. */
    void run(PodSession session, Optional<Feed> in, Drain out)
            throws ExecException, InterruptedException {
        long end = System.nanoTime() + deadline.toNanos();
        try (session) {
            if (in.isPresent() && !session.canEndInput()) {
                throw failed("the server cannot end a standard input", null);
            }
            var words = begin("words", () -> words(session.stderr()));
            var output =
                    begin(
                            "output",
                            () -> {
                                out.from(session.stdout());
                                return null;
                            });
            var sending = new Sending(session);
            var input = begin("input", () -> in.isPresent() && sending.send(in.get()));
            finish(session, words, output, input, sending, end);
        }
    }

    private void finish(
            PodSession session,
            FutureTask<String> words,
            FutureTask<?> output,
            FutureTask<?> input,
            Sending sending,
            long end)
            throws ExecException, InterruptedException {
        try {
            var broken = brokenOff(output, end);
            int code = exitCode(session, broken, end);
            if (code != 0) {
                throw failed("exit code " + code + ": " + await(words, end), null);
            }
            if (broken.isPresent()) {
                throw broken.get();
            }
            await(input, end);
        } catch (ExecException e) {
            if (sending.unreadable != null) {
                throw failed(text(sending.unreadable), sending.unreadable);
            }
            throw e;
        }
    }

    /** An output that broke off may be that of a command which failed, and said why. */
    private Optional<ExecException> brokenOff(FutureTask<?> output, long end)
            throws ExecException, InterruptedException {
        try {
            await(output, end);
            return Optional.empty();
        } catch (ExecException e) {
            if (e.getCause() instanceof EOFException) {
                return Optional.of(e);
            }
            throw e;
        }
    }

    private int exitCode(PodSession session, Optional<ExecException> broken, long end)
            throws ExecException, InterruptedException {
        try {
            return session.exitCode(left(end));
        } catch (ExecException e) {
            throw broken.orElseGet(() -> failed(e.getMessage(), e));
        }
    }

    private static <T> FutureTask<T> begin(String name, Step<T> step) {
        var task = new FutureTask<>(step::make);
        Thread.ofVirtual().name("pod-copy-" + name).start(task);
        return task;
    }

    private static Duration left(long endNanos) {
        return Duration.ofNanos(Math.max(1, endNanos - System.nanoTime()));
    }

    private <T> T await(FutureTask<T> task, long endNanos)
            throws ExecException, InterruptedException {
        try {
            return task.get(left(endNanos).toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw failed("it did not end within " + deadline, e);
        } catch (ExecutionException e) {
            throw failed(text(e.getCause()), e.getCause());
        }
    }

    private ExecException failed(String why, Throwable cause) {
        var came = progress.get();
        return new ExecException(what + ": " + why + (came.isEmpty() ? "" : "; " + came), cause);
    }

    /** The message of some of the JDK's failures is only a path. */
    private static String text(Throwable failure) {
        return switch (failure) {
            case NoSuchFileException e -> "there is no " + e.getFile();
            case AccessDeniedException e -> "no permission for " + e.getFile();
            case IOException e when e.getMessage() != null -> e.getMessage();
            default -> failure.toString();
        };
    }

    /** The beginning of what the command complains about, as one line. */
    private static String words(InputStream stderr) throws IOException {
        var bytes = stderr.readNBytes(MOST_WORDS);
        stderr.close(); // the rest must not hold up the output
        return new String(bytes, StandardCharsets.UTF_8).strip().replaceAll("\\s+", " ");
    }

    /**
     * Sends the standard input. If it cannot be made, the command would wait for the rest of it, so
     * the session ends; if it cannot be sent, the command has ended, and says why.
     */
    private static final class Sending extends OutputStream {
        private final PodSession session;
        private boolean broken;
        private volatile IOException unreadable;

        Sending(PodSession session) {
            this.session = session;
        }

        boolean send(Feed feed) throws IOException {
            var buffered = new BufferedOutputStream(this, BUFFER_BYTES);
            try {
                feed.to(buffered);
                buffered.flush();
                session.stdin().close();
                return true;
            } catch (IOException e) {
                if (!broken) {
                    unreadable = e;
                    session.close();
                }
                throw e;
            }
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            try {
                session.stdin().write(bytes, offset, length);
            } catch (IOException e) {
                broken = true;
                throw e;
            }
        }
    }
}
