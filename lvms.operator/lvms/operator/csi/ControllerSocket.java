package lvms.operator.csi;

import static java.lang.System.Logger.Level.INFO;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.buffer.PooledByteBufAllocator;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A gRPC server on a Unix socket of mode 0600 in a folder of mode 0700: one event loop, one small
 * arena of buffers, a virtual thread for each call. One thread starts and closes it.
 */
final class ControllerSocket implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ControllerSocket.class.getName());
    private static final int PAGE_BYTES = 8192;
    private static final int CHUNK_ORDER = 3; // 8 KiB << 3 = 64 KiB
    private static final long DRAIN_SECONDS = 10;

    private final Path socket;
    private final EventLoopGroup eventLoop;
    private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
    private final Server server;

    private ControllerSocket(Path socket, List<? extends BindableService> services) {
        this.socket = socket;
        this.eventLoop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        // Epoll writes from direct memory, so: no heap arena, one direct arena, no thread caches.
        var buffers = new PooledByteBufAllocator(true, 0, 1, PAGE_BYTES, CHUNK_ORDER, 0, 0, false);
        var builder =
                NettyServerBuilder.forAddress(new DomainSocketAddress(socket.toFile()))
                        .channelType(EpollServerDomainSocketChannel.class)
                        .bossEventLoopGroup(eventLoop)
                        .workerEventLoopGroup(eventLoop)
                        .withOption(ChannelOption.ALLOCATOR, buffers)
                        .withChildOption(ChannelOption.ALLOCATOR, buffers)
                        .executor(calls);
        services.forEach(builder::addService);
        this.server = builder.build();
    }

    /**
     * Binds the socket and serves.
     *
     * @throws IOException if the path is taken by something that is no socket, or binding fails
     */
    static ControllerSocket serve(Path socket, List<? extends BindableService> services)
            throws IOException {
        prepareFolder(socket.toAbsolutePath().getParent());
        removeStale(socket);
        var served = new ControllerSocket(socket, services);
        try {
            served.server.start();
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
        } catch (IOException | RuntimeException e) {
            served.close();
            throw new IOException("cannot serve on " + socket, e);
        }
        LOG.log(INFO, () -> "socket serves path=" + socket);
        return served;
    }

    private static void prepareFolder(Path folder) throws IOException {
        var ownerOnly = PosixFilePermissions.fromString("rwx------");
        if (Files.isDirectory(folder)) {
            Files.setPosixFilePermissions(folder, ownerOnly);
        } else {
            Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(ownerOnly));
        }
    }

    private static void removeStale(Path socket) throws IOException {
        if (!Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        var attributes =
                Files.readAttributes(socket, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isOther()) {
            throw new IOException("not a socket, so it is left alone: " + socket);
        }
        Files.delete(socket);
    }

    /** Ends the server: running calls get ten seconds. */
    @Override
    public void close() {
        server.shutdown();
        try {
            if (!server.awaitTermination(DRAIN_SECONDS, TimeUnit.SECONDS)) {
                server.shutdownNow();
            }
        } catch (InterruptedException _) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
        eventLoop.shutdownGracefully(0, DRAIN_SECONDS, TimeUnit.SECONDS);
        calls.shutdownNow();
    }
}
