package lvms.k8s.exec;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ObjectKey;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Copies files from and to containers, as {@code kubectl cp} does: by {@code cat}, {@code sh} and
 * {@code tar} of the container. Any thread may use it.
 *
 * <p>A folder comes as a tar archive, which the caller reads; names in it are the container's word,
 * and may lead out of any folder they are unpacked to.
 *
 * @param deadline of one copy
 */
public record PodFiles(KubeClient kube, Duration deadline) {
    private static final int MOST_WORDS = 4096;

    /** Copies a file of the container. */
    public void read(ObjectKey pod, String container, String path, OutputStream to)
            throws ApiException, ExecException, InterruptedException {
        copy(pod, container, List.of("cat", "--", path), Optional.empty(), to);
    }

    /** Copies into a file of the container, which is replaced; its folder has to exist. */
    public void write(ObjectKey pod, String container, InputStream from, String path)
            throws ApiException, ExecException, InterruptedException {
        var command = List.of("sh", "-c", "cat > \"$1\"", "sh", path); // the path is no code
        copy(pod, container, command, Optional.of(from), OutputStream.nullOutputStream());
    }

    /** Copies a folder of the container into a tar archive with names below it. */
    public void readFolder(ObjectKey pod, String container, String path, OutputStream tar)
            throws ApiException, ExecException, InterruptedException {
        var command = List.of("tar", "-cf", "-", "-C", path, ".");
        copy(pod, container, command, Optional.empty(), tar);
    }

    /** Unpacks a tar archive into a folder of the container, which has to exist. */
    public void writeFolder(ObjectKey pod, String container, InputStream tar, String path)
            throws ApiException, ExecException, InterruptedException {
        var command = List.of("tar", "-xf", "-", "-C", path);
        copy(pod, container, command, Optional.of(tar), OutputStream.nullOutputStream());
    }

    private void copy(
            ObjectKey pod,
            String container,
            List<String> command,
            Optional<InputStream> in,
            OutputStream out)
            throws ApiException, ExecException, InterruptedException {
        var what = "copy by " + command.getFirst() + " in pod " + pod;
        long end = System.nanoTime() + deadline.toNanos();
        try (var session = PodSession.exec(kube, pod, container, command, in.isPresent())) {
            if (in.isPresent() && !session.canEndInput()) {
                throw new ExecException(what + ": the server cannot end a standard input", null);
            }
            var words = begin("words", () -> words(session.stderr()));
            var output = begin("output", () -> session.stdout().transferTo(out));
            var input = begin("input", () -> in.isPresent() ? send(in.get(), session.stdin()) : 0L);
            await(what, output, end);
            int code = session.exitCode(left(end));
            if (code != 0) {
                var why = what + ": exit code " + code + ": " + await(what, words, end);
                throw new ExecException(why, null);
            }
            await(what, input, end);
        }
    }

    private interface Step<T> {
        T make() throws IOException;
    }

    private static <T> FutureTask<T> begin(String name, Step<T> step) {
        var task = new FutureTask<>(step::make);
        Thread.ofVirtual().name("pod-files-" + name).start(task);
        return task;
    }

    private static Duration left(long endNanos) {
        return Duration.ofNanos(Math.max(1, endNanos - System.nanoTime()));
    }

    private <T> T await(String what, FutureTask<T> task, long endNanos)
            throws ExecException, InterruptedException {
        try {
            return task.get(left(endNanos).toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new ExecException(what + ": it did not end within " + deadline, e);
        } catch (ExecutionException e) {
            throw new ExecException(what + ": " + e.getCause().getMessage(), e.getCause());
        }
    }

    private static long send(InputStream in, OutputStream stdin) throws IOException {
        long sent = in.transferTo(stdin);
        stdin.close();
        return sent;
    }

    /** The beginning of what the command complains about, as one line. */
    private static String words(InputStream stderr) throws IOException {
        var bytes = stderr.readNBytes(MOST_WORDS);
        stderr.close(); // the rest must not hold up the output
        return new String(bytes, StandardCharsets.UTF_8).strip().replaceAll("\\s+", " ");
    }
}
