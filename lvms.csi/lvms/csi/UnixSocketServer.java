package lvms.csi;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufAllocator;
import io.grpc.netty.shaded.io.netty.buffer.PooledByteBufAllocator;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A gRPC server on a Unix socket of mode 0600 in a folder of mode 0700.
 *
 * <p>It is kept small: one event loop thread, buffers of one arena with 64 KiB chunks, and a
 * virtual thread per call. Threads: {@link #start} and {@link #close} belong to one thread.
 */
public final class UnixSocketServer implements AutoCloseable {
    private static final Logger LOG = System.getLogger(UnixSocketServer.class.getName());
    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> SOCKET =
            PosixFilePermissions.fromString("rw-------");
    private static final int MESSAGE_LIMIT_BYTES = 1 << 20; // no request of kubelet comes near
    private static final int PAGE_BYTES = 8192;
    private static final int CHUNK_ORDER = 3; // 8 KiB << 3 = 64 KiB
    private static final long DRAIN_SECONDS = 5;
    private static final long QUIET_MILLIS = 0;

    /** kubelet's watcher ignores names that start with a dot. */
    private static final String FRESH = ".";

    private static final long MOST_RANDOM = 1L << 32; // eight digits: paths of sockets are short

    private final Path socket;
    private final boolean ownFolder;
    private final List<BindableService> services;
    private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
    private EventLoopGroup eventLoop;
    private Server server;
    private Optional<Object> bound = Optional.empty();

    private UnixSocketServer(
            Path socket, boolean ownFolder, List<? extends BindableService> services) {
        this.socket = socket;
        this.ownFolder = ownFolder;
        this.services = List.copyOf(services);
    }

    /**
     * Prepares a server whose socket has a folder of its own: the folder is created and closed to
     * others.
     *
     * @param socket path of the socket
     * @param services what it serves
     */
    public static UnixSocketServer inOwnFolder(
            Path socket, List<? extends BindableService> services) {
        return new UnixSocketServer(socket, true, services);
    }

    /**
     * Prepares a server whose socket is in somebody else's folder, which stays as it is.
     *
     * @param socket path of the socket
     * @param services what it serves
     */
    public static UnixSocketServer inSharedFolder(
            Path socket, List<? extends BindableService> services) {
        return new UnixSocketServer(socket, false, services);
    }

    /**
     * Binds the socket. It replaces an existing socket, whether a dead process left it or somebody
     * still answers on it: kubelet allows the successor of a pod to do that. It replaces no other
     * file. The path is a socket at every moment, so nobody who watches it sees it vanish. It gets
     * its name when it has served a first connection: that one takes a JVM a hundred times longer
     * than the next, and the standard sidecars give up and end after a second.
     *
     * @throws IOException if the path is taken by something else, or binding fails
     */
    public void start() throws IOException {
        var folder = socket.toAbsolutePath().getParent();
        prepareFolder(folder);
        requireSocketOrNothing();
        long random = ThreadLocalRandom.current().nextLong(MOST_RANDOM);
        var fresh = folder.resolve(FRESH + Long.toHexString(random));
        eventLoop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        try {
            server = build(fresh).start();
            Files.setPosixFilePermissions(fresh, SOCKET);
            bound = key(fresh);
            FirstConnection.make(fresh);
            Files.move(fresh, socket, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | RuntimeException e) {
            close();
            throw new IOException("cannot serve on " + socket, e);
        }
        LOG.log(Level.INFO, () -> "socket is served path=" + socket);
    }

    /**
     * Ends the server. It removes the socket unless a successor has replaced it, and gives running
     * calls five seconds.
     */
    @Override
    public void close() {
        if (server != null) {
            removeOwn();
            server.shutdown();
            awaitEnd(server);
            server = null;
        }
        if (eventLoop != null) {
            eventLoop.shutdownGracefully(QUIET_MILLIS, DRAIN_SECONDS, TimeUnit.SECONDS);
            eventLoop = null;
        }
        calls.shutdownNow();
    }

    private static void awaitEnd(Server server) {
        try {
            if (!server.awaitTermination(DRAIN_SECONDS, TimeUnit.SECONDS)) {
                server.shutdownNow();
            }
        } catch (InterruptedException _) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    private void removeOwn() {
        try {
            if (bound.equals(key(socket))) {
                Files.delete(socket);
            }
        } catch (NoSuchFileException _) {
            LOG.log(Level.DEBUG, () -> "socket is gone already path=" + socket);
        } catch (IOException e) {
            LOG.log(Level.WARNING, () -> "socket could not be removed path=" + socket + ": " + e);
        }
    }

    private static Optional<Object> key(Path file) throws IOException {
        var attributes =
                Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return Optional.of(attributes.fileKey());
    }

    private Server build(Path address) {
        var allocator = smallAllocator();
        var builder =
                NettyServerBuilder.forAddress(new DomainSocketAddress(address.toFile()))
                        .channelType(EpollServerDomainSocketChannel.class)
                        .bossEventLoopGroup(eventLoop)
                        .workerEventLoopGroup(eventLoop)
                        .withOption(ChannelOption.ALLOCATOR, allocator)
                        .withChildOption(ChannelOption.ALLOCATOR, allocator)
                        .withChildOption(ChannelOption.SO_KEEPALIVE, SocketChannel.UNSET)
                        .maxInboundMessageSize(MESSAGE_LIMIT_BYTES)
                        .executor(calls);
        services.forEach(builder::addService);
        return builder.build();
    }

    /** Epoll writes from direct memory, so: no heap arena, one direct arena, no thread caches. */
    private static ByteBufAllocator smallAllocator() {
        return new PooledByteBufAllocator(true, 0, 1, PAGE_BYTES, CHUNK_ORDER, 0, 0, false);
    }

    private void prepareFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        } else if (ownFolder && belongsToUs(folder)) {
            Files.setPosixFilePermissions(folder, OWNER_ONLY);
        }
    }

    /** The emptyDir of a non-root pod belongs to root; nobody else has it, so its mode stays. */
    private static boolean belongsToUs(Path folder) throws IOException {
        var user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        return Files.getAttribute(folder, "unix:uid").equals(user);
    }

    private void requireSocketOrNothing() throws IOException {
        if (!Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        var attributes =
                Files.readAttributes(socket, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isOther()) {
            throw new IOException("exists and is not a socket: " + socket);
        }
    }
}
