package lvms.node.client;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.AbstractStub;
import io.grpc.stub.StreamObserver;

import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.csi.SocketChannel;
import lvms.lvm2.LvmException;
import lvms.proto.health.v1.HealthCheckRequest;
import lvms.proto.health.v1.HealthCheckResponse.ServingStatus;
import lvms.proto.health.v1.HealthGrpc;
import lvms.proto.lvmd.CreateLVRequest;
import lvms.proto.lvmd.CreateLVSnapshotRequest;
import lvms.proto.lvmd.Empty;
import lvms.proto.lvmd.GetLVListRequest;
import lvms.proto.lvmd.LVServiceGrpc;
import lvms.proto.lvmd.LogicalVolume;
import lvms.proto.lvmd.RemoveLVRequest;
import lvms.proto.lvmd.ResizeLVRequest;
import lvms.proto.lvmd.VGServiceGrpc;
import lvms.proto.lvmd.WatchResponse;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The calls of an lvmd. Those that change something wait for each other: TopoLVM's lvmd checks the
 * free space and takes it in two steps. Any thread may call.
 *
 * <p>A call throws {@link VolumeException} with lvmd's code and text if lvmd refused, {@link
 * LvmException.Unavailable} if nothing was changed since there is no lvmd, and {@link
 * LvmException.OutcomeUnknown} if lvmd may have done it without telling.
 */
public final class LvmdConnection implements AutoCloseable {
    private static final Duration READ = Duration.ofSeconds(30);
    private static final Duration CHANGE = Duration.ofMinutes(2);

    private final Path socket;
    private final Duration read;
    private final Duration change;
    private final SocketChannel channel;
    private final ReentrantLock turn = new ReentrantLock(true);

    /** Prepares the connection; nobody needs to listen on the socket yet. */
    public LvmdConnection(Path socket) {
        this(socket, READ, CHANGE);
    }

    /**
     * @param read how long a call may take that changes nothing
     * @param change how long one may take that does, and how long it waits for its turn
     */
    LvmdConnection(Path socket, Duration read, Duration change) {
        this.socket = socket;
        this.read = read;
        this.change = change;
        channel = new SocketChannel(socket);
    }

    Path socket() {
        return socket;
    }

    /**
     * Lists the volumes of a device class, with every field. A thick class has all thick volumes of
     * its group, whoever made them.
     */
    public List<LogicalVolume> list(String deviceClass)
            throws VolumeException, LvmException, InterruptedException {
        var request = GetLVListRequest.newBuilder().setDeviceClass(deviceClass).build();
        return reading(
                "GetLVList " + deviceClass, () -> groups().getLVList(request).getVolumesList());
    }

    /** Makes a volume; returns its name, size and device number. */
    public LogicalVolume create(CreateLVRequest request)
            throws VolumeException, LvmException, InterruptedException {
        return changing(
                "CreateLV " + request.getName(), () -> volumes().createLV(request).getVolume());
    }

    /** Makes a copy of a thin volume; returns its name, size and device number. */
    public LogicalVolume snapshot(CreateLVSnapshotRequest request)
            throws VolumeException, LvmException, InterruptedException {
        return changing(
                "CreateLVSnapshot " + request.getName(),
                () -> volumes().createLVSnapshot(request).getSnapshot());
    }

    /** Makes a volume larger; returns its size in bytes. */
    public long resize(ResizeLVRequest request)
            throws VolumeException, LvmException, InterruptedException {
        return changing(
                "ResizeLV " + request.getName(), () -> volumes().resizeLV(request).getSizeBytes());
    }

    public void remove(RemoveLVRequest request)
            throws VolumeException, LvmException, InterruptedException {
        changing("RemoveLV " + request.getName(), () -> volumes().removeLV(request));
    }

    /** Says what is wrong with lvmd, in one line; empty if it serves. */
    public Optional<String> trouble() throws InterruptedException {
        try {
            var status =
                    reading(
                            "Check",
                            () ->
                                    timely(HealthGrpc.newBlockingStub(channel.grpc()), read)
                                            .check(HealthCheckRequest.getDefaultInstance())
                                            .getStatus());
            return status == ServingStatus.SERVING
                    ? Optional.empty()
                    : Optional.of("lvmd on " + socket + " reports " + status);
        } catch (VolumeException | LvmException e) {
            return Optional.of(e.getMessage());
        }
    }

    /** Opens a Watch stream; connects at once, however long nobody listened. */
    void watch(StreamObserver<WatchResponse> stream) {
        channel.grpc().resetConnectBackoff();
        VGServiceGrpc.newStub(channel.grpc()).watch(Empty.getDefaultInstance(), stream);
    }

    private VGServiceGrpc.VGServiceBlockingStub groups() {
        return timely(VGServiceGrpc.newBlockingStub(channel.grpc()), read);
    }

    private LVServiceGrpc.LVServiceBlockingStub volumes() {
        return timely(LVServiceGrpc.newBlockingStub(channel.grpc()), change);
    }

    private static <S extends AbstractStub<S>> S timely(S stub, Duration limit) {
        return stub.withDeadlineAfter(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    private <R> R reading(String call, Supplier<R> work)
            throws VolumeException, LvmException, InterruptedException {
        try {
            return work.get();
        } catch (StatusRuntimeException e) {
            var why = refused(call, e);
            throw new LvmException.Unavailable(why, e);
        }
    }

    private <R> R changing(String call, Supplier<R> work)
            throws VolumeException, LvmException, InterruptedException {
        if (!turn.tryLock(change.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new LvmException.Unavailable(
                    call + ": lvmd on " + socket + " is still busy with another call", null);
        }
        try {
            return work.get();
        } catch (StatusRuntimeException e) {
            var why = refused(call, e);
            throw new LvmException.OutcomeUnknown(why, e);
        } finally {
            turn.unlock();
        }
    }

    /** Throws what lvmd itself said; returns what to say if it said nothing. */
    private String refused(String call, StatusRuntimeException failure)
            throws VolumeException, InterruptedException {
        if (Thread.interrupted()) { // the stub cancels the call, and says nothing else
            throw new InterruptedException();
        }
        var status = failure.getStatus();
        var code = StatusCode.of(status.getCode().value());
        var what = textOf(status);
        if (!code.inBackground()) {
            throw new VolumeException(code, "lvmd: " + what);
        }
        return call + ": no answer from lvmd on " + socket + ": " + code + ": " + what;
    }

    /** Returns what lvmd said, or why there is none: the cause names the system's error. */
    static String textOf(Status status) {
        var said = Optional.ofNullable(status.getDescription()).orElse(status.getCode().name());
        var cause = status.getCause();
        if (cause == null) {
            return said;
        }
        return said
                + " ("
                + Optional.ofNullable(cause.getMessage()).orElse(cause.getClass().getSimpleName())
                + ')';
    }

    @Override
    public void close() {
        channel.close();
    }
}
