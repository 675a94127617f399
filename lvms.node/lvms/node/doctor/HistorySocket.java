package lvms.node.doctor;

import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.JsonException;
import lvms.k8s.tree.ListTree;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Where an agent gives the history of its pools to a command that runs in the same container: who
 * connects gets a JSON list and the end. Only the owner of the process may connect.
 */
public final class HistorySocket implements AutoCloseable {
    /** In a container it is gone with the container. */
    public static final Path PATH = Path.of("/run/lvms/history.sock");

    private static final System.Logger LOG = System.getLogger(HistorySocket.class.getName());
    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final int MOST_BYTES = 2 << 20;

    private final Path path;
    private final ServerSocketChannel server;
    private final Supplier<ListTree> history;

    private HistorySocket(Path path, ServerSocketChannel server, Supplier<ListTree> history) {
        this.path = path;
        this.server = server;
        this.history = history;
    }

    /**
     * Serves it. A socket that a dead process left is replaced.
     *
     * @throws IOException if the socket cannot be made
     */
    public static HistorySocket serve(Path path, Supplier<ListTree> history) throws IOException {
        Files.createDirectories(path.toAbsolutePath().getParent());
        Files.deleteIfExists(path);
        var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(path));
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
        } catch (IOException e) {
            server.close();
            throw e;
        }
        var served = new HistorySocket(path, server, history);
        Thread.ofVirtual().name("pool-history").start(served::run);
        return served;
    }

    private void run() {
        try {
            while (true) {
                var client = server.accept();
                Thread.ofVirtual().start(() -> answer(client));
            }
        } catch (ClosedChannelException _) { // by close()
        } catch (IOException e) {
            LOG.log(WARNING, () -> "the history of pools is no longer served error=" + e);
        }
    }

    private void answer(SocketChannel client) {
        try (client) {
            var bytes = history.get().toString().getBytes(StandardCharsets.UTF_8);
            var buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                client.write(buffer);
            }
        } catch (IOException e) {
            LOG.log(WARNING, () -> "the history of pools was not sent error=" + e);
        }
    }

    /**
     * Asks the agent of this container.
     *
     * @return no sample, if none is there
     * @throws IOException if there is one and it gives no answer
     */
    public static ListTree read(Path path) throws IOException, InterruptedException {
        if (!Files.exists(path)) {
            return ListTree.EMPTY;
        }
        var task = new FutureTask<>(() -> bytes(path));
        var thread = Thread.ofVirtual().start(task);
        try {
            var text = task.get(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
            if (Json.parse(text) instanceof ListTree history) {
                return history;
            }
            throw new IOException(path + ": the answer is no list");
        } catch (ExecutionException e) {
            throw new IOException(path + ": " + e.getCause().getMessage(), e);
        } catch (TimeoutException e) {
            throw new IOException(path + ": the agent gives no answer", e);
        } catch (JsonException e) {
            throw new IOException(path + ": " + e.getMessage(), e);
        } finally {
            thread.interrupt();
        }
    }

    private static String bytes(Path path) throws IOException {
        try (var channel = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            var bytes = Channels.newInputStream(channel).readNBytes(MOST_BYTES);
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        Files.deleteIfExists(path);
    }
}
