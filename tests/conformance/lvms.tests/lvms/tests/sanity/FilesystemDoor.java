package lvms.tests.sanity;

import com.google.protobuf.InvalidProtocolBufferException;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.HandlerRegistry;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;

import lvms.proto.csi.v1.CreateVolumeRequest;
import lvms.proto.csi.v1.NodePublishVolumeRequest;
import lvms.proto.csi.v1.VolumeCapability;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;

/**
 * A TCP port in front of a driver's Unix socket: the suite runs in another kernel than one of the
 * two. Every call is passed on as it is, but for the file system type: the suite cannot ask for
 * one.
 */
final class FilesystemDoor extends HandlerRegistry implements AutoCloseable {
    private static final Bytes BYTES = new Bytes();

    private final Channel driver;
    private final String filesystem;
    private final Server server;

    /**
     * Opens the door on a free port.
     *
     * @param filesystem what mounted volumes ask for; empty for the driver's default
     */
    FilesystemDoor(String address, Channel driver, String filesystem) throws IOException {
        this.driver = driver;
        this.filesystem = filesystem;
        server =
                NettyServerBuilder.forAddress(new InetSocketAddress(address, 0))
                        .fallbackHandlerRegistry(this)
                        .build()
                        .start();
    }

    /** The address as the suite takes it. */
    String endpoint() {
        var address = (InetSocketAddress) server.getListenSockets().getFirst();
        return address.getHostString() + ":" + address.getPort();
    }

    @Override
    public ServerMethodDefinition<?, ?> lookupMethod(String name, String authority) {
        var method =
                MethodDescriptor.<byte[], byte[]>newBuilder(BYTES, BYTES)
                        .setType(MethodDescriptor.MethodType.UNARY)
                        .setFullMethodName(name)
                        .build();
        return ServerMethodDefinition.create(
                method,
                ServerCalls.asyncUnaryCall((request, answer) -> pass(method, request, answer)));
    }

    private void pass(
            MethodDescriptor<byte[], byte[]> method,
            byte[] request,
            StreamObserver<byte[]> answer) {
        try {
            var changed = changed(method.getFullMethodName(), request);
            ClientCalls.asyncUnaryCall(
                    driver.newCall(method, CallOptions.DEFAULT), changed, answer);
        } catch (InvalidProtocolBufferException e) {
            answer.onError(Status.INTERNAL.withDescription(e.getMessage()).asException());
        }
    }

    private byte[] changed(String method, byte[] request) throws InvalidProtocolBufferException {
        return switch (filesystem.isEmpty() ? "" : method) {
            case "csi.v1.Controller/CreateVolume" -> {
                var create = CreateVolumeRequest.parseFrom(request).toBuilder();
                create.getVolumeCapabilitiesBuilderList().forEach(this::set);
                yield create.build().toByteArray();
            }
            case "csi.v1.Node/NodePublishVolume" -> {
                var publish = NodePublishVolumeRequest.parseFrom(request).toBuilder();
                if (publish.hasVolumeCapability()) {
                    set(publish.getVolumeCapabilityBuilder());
                }
                yield publish.build().toByteArray();
            }
            default -> request;
        };
    }

    private void set(VolumeCapability.Builder capability) {
        if (capability.hasMount()) {
            capability.getMountBuilder().setFsType(filesystem);
        }
    }

    @Override
    public void close() {
        server.shutdownNow();
    }

    /** A message as it came. */
    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] message) {
            return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream message) {
            try {
                return message.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
