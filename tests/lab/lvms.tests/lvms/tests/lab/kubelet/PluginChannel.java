package lvms.tests.lab.kubelet;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;

import lvms.tests.lab.machine.Node;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A gRPC connection to a Unix socket of a node, opened for one operation as kubelet does. A local
 * port stands between, since a Unix socket does not leave the node's kernel.
 */
public final class PluginChannel implements AutoCloseable {
    private final Node node;
    private final String unixSocket;
    private final ServerSocket door;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ManagedChannel channel;

    /** Prepares a connection, which is made at the first call. */
    public PluginChannel(Node node, String unixSocket) throws IOException {
        this.node = node;
        this.unixSocket = unixSocket;
        door = new ServerSocket(0, 4, InetAddress.getLoopbackAddress());
        threads.submit(this::serve);
        channel =
                NettyChannelBuilder.forAddress("127.0.0.1", door.getLocalPort())
                        .overrideAuthority("localhost")
                        .usePlaintext()
                        .build();
    }

    /** Returns what stubs are made from. */
    public ManagedChannel grpc() {
        return channel;
    }

    private Void serve() throws IOException {
        while (!door.isClosed()) {
            var near = door.accept();
            threads.submit(() -> join(near));
        }
        return null;
    }

    private Void join(Socket near) throws Exception {
        try (near;
                var far = node.open(unixSocket)) {
            var back = threads.submit(() -> copy(far, near));
            copy(near, far);
            back.get();
        }
        return null;
    }

    private static Void copy(Socket from, Socket to) throws IOException {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        }
        return null;
    }

    @Override
    public void close() throws IOException {
        channel.shutdownNow();
        door.close();
        threads.shutdownNow();
    }
}
