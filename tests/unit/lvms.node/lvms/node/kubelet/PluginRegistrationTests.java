package lvms.node.kubelet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;

import lvms.proto.registration.v1.InfoRequest;
import lvms.proto.registration.v1.RegistrationGrpc;
import lvms.proto.registration.v1.RegistrationStatus;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Kubelet learns the driver as the standard registrar tells it. */
@Timeout(30)
class PluginRegistrationTests {
    @TempDir Path folder;
    private PluginRegistration registration;
    private EventLoopGroup loop;
    private ManagedChannel kubelet;

    @BeforeEach
    void start() throws Exception {
        registration = new PluginRegistration(folder, "topolvm.io", "/var/lib/kubelet/csi.sock");
        registration.start();
        loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        kubelet = dial();
    }

    private ManagedChannel dial() {
        return NettyChannelBuilder.forAddress(
                        new DomainSocketAddress(folder.resolve("topolvm.io-reg.sock").toFile()))
                .channelType(EpollDomainSocketChannel.class)
                .eventLoopGroup(loop)
                .overrideAuthority("localhost")
                .usePlaintext()
                .build();
    }

    @AfterEach
    void stop() throws Exception {
        kubelet.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
        registration.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        assertFalse(Files.exists(folder.resolve("topolvm.io-reg.sock")));
    }

    private RegistrationGrpc.RegistrationBlockingStub stub() {
        return RegistrationGrpc.newBlockingStub(kubelet);
    }

    @Test
    void tellsNameTypeEndpointAndVersion() {
        var info = stub().getInfo(InfoRequest.getDefaultInstance());
        assertEquals("CSIPlugin", info.getType());
        assertEquals("topolvm.io", info.getName());
        assertEquals("/var/lib/kubelet/csi.sock", info.getEndpoint());
        assertEquals(List.of("1.0.0"), List.copyOf(info.getSupportedVersionsList()));
    }

    @Test
    void remembersWhatKubeletSays() {
        assertFalse(registration.registered());
        stub().notifyRegistrationStatus(
                        RegistrationStatus.newBuilder().setPluginRegistered(true).build());
        assertTrue(registration.registered());
        stub().notifyRegistrationStatus(
                        RegistrationStatus.newBuilder().setError("another driver").build());
        assertFalse(registration.registered());
    }

    @Test
    void offersItselfAgainWhenTheSocketVanishes() throws Exception {
        var socket = folder.resolve("topolvm.io-reg.sock");
        Files.delete(socket);
        while (!Files.exists(socket)) {
            LockSupport.parkNanos(1_000_000);
        }
        kubelet.shutdownNow();
        kubelet = dial();
        assertEquals(
                "topolvm.io",
                stub().withWaitForReady().getInfo(InfoRequest.getDefaultInstance()).getName());
    }
}
