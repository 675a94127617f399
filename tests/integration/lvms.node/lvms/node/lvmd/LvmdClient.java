package lvms.node.lvmd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;

import lvms.csi.SocketChannel;
import lvms.proto.health.v1.HealthCheckRequest;
import lvms.proto.health.v1.HealthCheckResponse.ServingStatus;
import lvms.proto.health.v1.HealthGrpc;
import lvms.proto.lvmd.CreateLVRequest;
import lvms.proto.lvmd.CreateLVSnapshotRequest;
import lvms.proto.lvmd.Empty;
import lvms.proto.lvmd.GetFreeBytesRequest;
import lvms.proto.lvmd.GetLVListRequest;
import lvms.proto.lvmd.LVServiceGrpc;
import lvms.proto.lvmd.LogicalVolume;
import lvms.proto.lvmd.RemoveLVRequest;
import lvms.proto.lvmd.ResizeLVRequest;
import lvms.proto.lvmd.VGServiceGrpc;
import lvms.proto.lvmd.WatchResponse;

import org.junit.jupiter.api.function.Executable;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A caller of lvmd, with generated stubs. */
public final class LvmdClient implements AutoCloseable {
    private static final long SECONDS = 60;

    private final SocketChannel channel;

    public LvmdClient(Path socket) {
        channel = new SocketChannel(socket);
    }

    private LVServiceGrpc.LVServiceBlockingStub volumes() {
        return LVServiceGrpc.newBlockingStub(channel.grpc())
                .withDeadlineAfter(SECONDS, TimeUnit.SECONDS);
    }

    private VGServiceGrpc.VGServiceBlockingStub groups() {
        return VGServiceGrpc.newBlockingStub(channel.grpc())
                .withDeadlineAfter(SECONDS, TimeUnit.SECONDS);
    }

    public LogicalVolume create(String deviceClass, String name, long bytes, String... tags) {
        return create(
                CreateLVRequest.newBuilder()
                        .setName(name)
                        .setDeviceClass(deviceClass)
                        .setSizeBytes(bytes)
                        .addAllTags(List.of(tags))
                        .build());
    }

    /** Gives up after this time. */
    public LogicalVolume createWithin(long seconds, CreateLVRequest request) {
        return LVServiceGrpc.newBlockingStub(channel.grpc())
                .withDeadlineAfter(seconds, TimeUnit.SECONDS)
                .createLV(request)
                .getVolume();
    }

    public LogicalVolume create(CreateLVRequest request) {
        return volumes().createLV(request).getVolume();
    }

    public LogicalVolume snapshot(
            String deviceClass, String name, String source, String access, long bytes) {
        return volumes()
                .createLVSnapshot(
                        CreateLVSnapshotRequest.newBuilder()
                                .setName(name)
                                .setDeviceClass(deviceClass)
                                .setSourceVolume(source)
                                .setAccessType(access)
                                .setSizeBytes(bytes)
                                .build())
                .getSnapshot();
    }

    public long resize(String deviceClass, String name, long bytes) {
        return volumes()
                .resizeLV(
                        ResizeLVRequest.newBuilder()
                                .setName(name)
                                .setDeviceClass(deviceClass)
                                .setSizeBytes(bytes)
                                .build())
                .getSizeBytes();
    }

    public void remove(String deviceClass, String name) {
        volumes()
                .removeLV(
                        RemoveLVRequest.newBuilder()
                                .setName(name)
                                .setDeviceClass(deviceClass)
                                .build());
    }

    public List<LogicalVolume> list(String deviceClass) {
        return groups().getLVList(GetLVListRequest.newBuilder().setDeviceClass(deviceClass).build())
                .getVolumesList();
    }

    public List<String> names(String deviceClass) {
        return list(deviceClass).stream().map(LogicalVolume::getName).sorted().toList();
    }

    public long freeBytes(String deviceClass) {
        return groups().getFreeBytes(
                        GetFreeBytesRequest.newBuilder().setDeviceClass(deviceClass).build())
                .getFreeBytes();
    }

    public ServingStatus health() {
        return HealthGrpc.newBlockingStub(channel.grpc())
                .withDeadlineAfter(SECONDS, TimeUnit.SECONDS)
                .check(HealthCheckRequest.getDefaultInstance())
                .getStatus();
    }

    /** An open Watch stream. */
    public Watch watch() {
        var watch = new Watch();
        watch.call.run(
                () ->
                        VGServiceGrpc.newStub(channel.grpc())
                                .watch(Empty.getDefaultInstance(), watch));
        return watch;
    }

    /** What a stream sent: messages, then how it ended. */
    public static final class Watch implements StreamObserver<WatchResponse> {
        private final BlockingQueue<WatchResponse> messages = new LinkedBlockingQueue<>();
        private final BlockingQueue<Status> end = new LinkedBlockingQueue<>();
        private final Context.CancellableContext call = Context.current().withCancellation();

        /** Ends the stream, as a reader does that goes away. */
        public void cancel() {
            call.cancel(null);
        }

        @Override
        public void onNext(WatchResponse message) {
            messages.add(message);
        }

        @Override
        public void onError(Throwable failure) {
            end.add(Status.fromThrowable(failure));
        }

        @Override
        public void onCompleted() {
            end.add(Status.OK);
        }

        /** The next message that is as it should be. */
        public WatchResponse await(Predicate<WatchResponse> wanted) throws InterruptedException {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            WatchResponse last = null;
            while (System.nanoTime() < end) {
                var next = messages.poll(1, TimeUnit.SECONDS);
                if (next != null && wanted.test(next)) {
                    return next;
                }
                last = next == null ? last : next;
            }
            throw new AssertionError("last message: " + last);
        }

        public Status.Code ended() throws InterruptedException {
            var status = end.poll(SECONDS, TimeUnit.SECONDS);
            return status == null ? null : status.getCode();
        }

        public int pending() {
            return messages.size();
        }
    }

    /** Asserts the code of a failure; returns its description. */
    public static String refused(Status.Code code, Executable call) {
        var status = assertThrows(StatusRuntimeException.class, call).getStatus();
        assertEquals(code, status.getCode(), status.toString());
        return String.valueOf(status.getDescription());
    }

    @Override
    public void close() {
        channel.close();
    }
}
