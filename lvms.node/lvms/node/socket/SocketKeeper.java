package lvms.node.socket;

import io.grpc.BindableService;

import lvms.csi.UnixSocketServer;
import lvms.k8s.queue.Backoff;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Serves gRPC on a Unix socket and makes the socket again when its file vanishes: somebody cleaned
 * the folder, or the pod that this one replaces removed it when it ended. It leaves alone a file
 * that another process put there, so two pods never fight over it.
 *
 * <p>Threads: {@link #start} and {@link #close} belong to one thread.
 */
public final class SocketKeeper implements AutoCloseable {
    private static final Logger LOG = System.getLogger(SocketKeeper.class.getName());

    /** Inotify reports the loss of the file; this period is for the loss of the whole folder. */
    private static final Duration RECHECK = Duration.ofSeconds(30);

    private static final Backoff RETRY =
            new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10), 0);

    private final Path socket;
    private final boolean ownFolder;
    private final List<BindableService> services;
    private final Thread keeper;
    private UnixSocketServer server;

    private SocketKeeper(Path socket, boolean ownFolder, List<BindableService> services) {
        this.socket = socket.toAbsolutePath();
        this.ownFolder = ownFolder;
        this.services = services;
        keeper = Thread.ofVirtual().name("socket-keeper").unstarted(this::keep);
    }

    /**
     * Prepares a socket that has a folder of its own; nothing is opened yet.
     *
     * @param socket path of the socket
     * @param services what it serves
     */
    public static SocketKeeper inOwnFolder(Path socket, List<? extends BindableService> services) {
        return new SocketKeeper(socket, true, List.copyOf(services));
    }

    /**
     * Prepares a socket in somebody else's folder; nothing is opened yet.
     *
     * @param socket path of the socket
     * @param services what it serves
     */
    public static SocketKeeper inSharedFolder(
            Path socket, List<? extends BindableService> services) {
        return new SocketKeeper(socket, false, List.copyOf(services));
    }

    /**
     * Serves until {@link #close}.
     *
     * @throws IOException if the socket cannot be served now
     */
    public void start() throws IOException {
        serve();
        keeper.start();
    }

    public Path socket() {
        return socket;
    }

    /** Stops serving and removes the socket. */
    @Override
    public void close() {
        keeper.interrupt();
        try {
            keeper.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        stopServing();
    }

    private void keep() {
        int failures = 0;
        try {
            while (true) {
                try {
                    awaitLoss();
                    LOG.log(Level.WARNING, () -> "socket vanished path=" + socket);
                    serve();
                    failures = 0;
                } catch (IOException e) {
                    LOG.log(
                            Level.WARNING,
                            () -> "cannot serve the socket, will retry path=" + socket,
                            e);
                    failures++;
                    Thread.sleep(RETRY.after(failures));
                }
            }
        } catch (InterruptedException _) {
            LOG.log(Level.DEBUG, () -> "socket keeper ended path=" + socket); // by close()
        }
    }

    /** The watch is set before the first look, so no loss is overlooked. */
    private void awaitLoss() throws IOException, InterruptedException {
        try (var watch = socket.getFileSystem().newWatchService()) {
            socket.getParent().register(watch, StandardWatchEventKinds.ENTRY_DELETE);
            while (exists()) {
                awaitChange(watch);
            }
        } catch (NoSuchFileException _) {
            LOG.log(Level.DEBUG, () -> "folder vanished path=" + socket.getParent());
        }
    }

    private static void awaitChange(WatchService watch) throws InterruptedException {
        var key = watch.poll(RECHECK.toMillis(), TimeUnit.MILLISECONDS);
        if (key != null) {
            key.pollEvents();
            key.reset();
        }
    }

    private void serve() throws IOException {
        stopServing();
        server =
                ownFolder
                        ? UnixSocketServer.inOwnFolder(socket, services)
                        : UnixSocketServer.inSharedFolder(socket, services);
        server.start();
    }

    private void stopServing() {
        if (server != null) {
            server.close();
            server = null;
        }
    }

    private boolean exists() {
        return Files.exists(socket, LinkOption.NOFOLLOW_LINKS);
    }
}
