package lvms.node.client;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

import lvms.csi.Calls;
import lvms.csi.UnixSocketServer;
import lvms.node.lvmd.HealthService;
import lvms.proto.lvmd.CreateLVRequest;
import lvms.proto.lvmd.CreateLVResponse;
import lvms.proto.lvmd.CreateLVSnapshotRequest;
import lvms.proto.lvmd.CreateLVSnapshotResponse;
import lvms.proto.lvmd.Empty;
import lvms.proto.lvmd.GetLVListRequest;
import lvms.proto.lvmd.GetLVListResponse;
import lvms.proto.lvmd.LVServiceGrpc;
import lvms.proto.lvmd.LogicalVolume;
import lvms.proto.lvmd.RemoveLVRequest;
import lvms.proto.lvmd.ResizeLVRequest;
import lvms.proto.lvmd.ResizeLVResponse;
import lvms.proto.lvmd.ThinPoolItem;
import lvms.proto.lvmd.VGServiceGrpc;
import lvms.proto.lvmd.WatchItem;
import lvms.proto.lvmd.WatchResponse;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An lvmd without disks that answers as TopoLVM's does, with one group of 1 GiB and extents of 4
 * MiB for all classes: it says NOT_FOUND of a class that it does not know, changes no permission
 * but in a copy, and makes a volume although its caller has given up.
 */
public final class FakeLvmd implements AutoCloseable {
    private static final long EXTENT = 4L << 20;
    private static final long SIZE = 1L << 30;

    private final Path socket;
    private final Map<String, Boolean> classes = new ConcurrentSkipListMap<>();
    private final Map<String, Entry> volumes = new ConcurrentHashMap<>();
    private final List<StreamObserver<WatchResponse>> watchers = new CopyOnWriteArrayList<>();
    private final AtomicInteger changes = new AtomicInteger();
    private volatile Optional<Status> afterChange = Optional.empty();
    private volatile Optional<CountDownLatch> hold = Optional.empty();
    private Optional<UnixSocketServer> server = Optional.empty();

    /** A volume, and the class whose list has it. */
    private record Entry(String deviceClass, LogicalVolume volume) {}

    public FakeLvmd(Path socket) {
        this.socket = socket;
    }

    /** Has a class from now on. */
    public FakeLvmd with(String deviceClass, boolean thin) {
        classes.put(deviceClass, thin);
        tell();
        return this;
    }

    public void without(String deviceClass) {
        classes.remove(deviceClass);
        tell();
    }

    public void start() throws IOException {
        var next =
                UnixSocketServer.inSharedFolder(
                        socket,
                        List.of(new Volumes(), new Groups(), new HealthService(Calls.of("lvmd"))));
        next.start();
        server = Optional.of(next);
    }

    /** Ends as a killed process does; the volumes stay. */
    public void stop() {
        synchronized (watchers) {
            watchers.forEach(w -> w.onError(Status.UNAVAILABLE.asException()));
            watchers.clear();
        }
        server.ifPresent(UnixSocketServer::close);
        server = Optional.empty();
    }

    /** Has the next changes done and answered with a failure. */
    public void failAfterChange(Optional<Status> status) {
        afterChange = status;
    }

    /** Has changes wait before they are answered. */
    public CountDownLatch holdAnswers() {
        var latch = new CountDownLatch(1);
        hold = Optional.of(latch);
        return latch;
    }

    /** Returns how many changes were asked for. */
    public int changes() {
        return changes.get();
    }

    public Optional<LogicalVolume> volume(String name) {
        return Optional.ofNullable(volumes.get(name)).map(Entry::volume);
    }

    /** Puts a volume there, or changes one. */
    public void put(String deviceClass, LogicalVolume volume) {
        volumes.put(volume.getName(), new Entry(deviceClass, volume));
        tell();
    }

    public static LogicalVolume volume(String name, long bytes, String attr, List<String> tags) {
        return LogicalVolume.newBuilder()
                .setName(name)
                .setSizeBytes(Math.ceilDiv(bytes, EXTENT) * EXTENT)
                .setPath("/dev/data/" + name)
                .setAttr(attr)
                .addAllTags(tags.isEmpty() ? List.of("") : tags)
                .build();
    }

    private long free() {
        return SIZE - volumes.values().stream().mapToLong(e -> e.volume().getSizeBytes()).sum();
    }

    private WatchResponse state() {
        var state = WatchResponse.newBuilder().setFreeBytes(free());
        classes.forEach(
                (name, thin) -> {
                    var item = WatchItem.newBuilder().setDeviceClass(name).setSizeBytes(SIZE);
                    item.setFreeBytes(free());
                    if (thin) {
                        item.setThinPool(
                                ThinPoolItem.newBuilder()
                                        .setDataPercent(12.5)
                                        .setOverprovisionBytes(5 * free())
                                        .setSizeBytes(SIZE));
                    }
                    state.addItems(item);
                });
        return state.build();
    }

    /** One at a time: a stream must not be called by two threads, nor miss what another told. */
    private void tell() {
        synchronized (watchers) {
            watchers.forEach(w -> w.onNext(state()));
        }
    }

    private <R> void answer(StreamObserver<R> observer, R result) {
        changes.incrementAndGet();
        hold.ifPresent(
                latch -> {
                    try {
                        latch.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        tell();
        if (afterChange.isPresent()) {
            observer.onError(afterChange.get().asException());
            return;
        }
        observer.onNext(result);
        observer.onCompleted();
    }

    private boolean refused(String deviceClass, StreamObserver<?> observer) {
        boolean known = classes.containsKey(deviceClass.isEmpty() ? "ssd" : deviceClass);
        if (!known) {
            observer.onError(
                    Status.NOT_FOUND.withDescription("device-class not found").asException());
        }
        return !known;
    }

    private final class Volumes extends LVServiceGrpc.LVServiceImplBase {
        @Override
        public void createLV(CreateLVRequest request, StreamObserver<CreateLVResponse> observer) {
            if (refused(request.getDeviceClass(), observer)) {
                return;
            }
            if (request.getSizeBytes() > free()) {
                observer.onError(
                        Status.RESOURCE_EXHAUSTED.withDescription("no enough space").asException());
                return;
            }
            var made =
                    volume(
                            request.getName(),
                            request.getSizeBytes(),
                            "-wi-a-----",
                            request.getTagsList());
            if (volumes.putIfAbsent(made.getName(), new Entry(request.getDeviceClass(), made))
                    != null) {
                observer.onError(Status.INTERNAL.withDescription("exists").asException());
                return;
            }
            answer(observer, CreateLVResponse.newBuilder().setVolume(made).build());
        }

        @Override
        public void createLVSnapshot(
                CreateLVSnapshotRequest request,
                StreamObserver<CreateLVSnapshotResponse> observer) {
            var attr = request.getAccessType().equals("ro") ? "Vri-a-tz--" : "Vwi-a-tz--";
            var made =
                    volume(request.getName(), request.getSizeBytes(), attr, request.getTagsList());
            volumes.put(made.getName(), new Entry(request.getDeviceClass(), made));
            answer(observer, CreateLVSnapshotResponse.newBuilder().setSnapshot(made).build());
        }

        @Override
        public void resizeLV(ResizeLVRequest request, StreamObserver<ResizeLVResponse> observer) {
            var there = volumes.get(request.getName());
            var grown =
                    volume(
                            request.getName(),
                            request.getSizeBytes(),
                            there.volume().getAttr(),
                            there.volume().getTagsList());
            volumes.put(request.getName(), new Entry(there.deviceClass(), grown));
            answer(
                    observer,
                    ResizeLVResponse.newBuilder().setSizeBytes(grown.getSizeBytes()).build());
        }

        @Override
        public void removeLV(RemoveLVRequest request, StreamObserver<Empty> observer) {
            if (refused(request.getDeviceClass(), observer)) {
                return;
            }
            var there = volumes.get(request.getName());
            if (there == null) {
                observer.onError(Status.NOT_FOUND.asException());
            } else if (there.volume().getAttr().charAt(5) == 'o') {
                observer.onError(
                        Status.UNKNOWN.withDescription("Logical volume in use.").asException());
            } else {
                volumes.remove(request.getName());
                answer(observer, Empty.getDefaultInstance());
            }
        }
    }

    private final class Groups extends VGServiceGrpc.VGServiceImplBase {
        @Override
        public void getLVList(
                GetLVListRequest request, StreamObserver<GetLVListResponse> observer) {
            if (refused(request.getDeviceClass(), observer)) {
                return;
            }
            var list = GetLVListResponse.newBuilder();
            volumes.values().stream()
                    .filter(entry -> entry.deviceClass().equals(request.getDeviceClass()))
                    .forEach(entry -> list.addVolumes(entry.volume()));
            observer.onNext(list.build());
            observer.onCompleted();
        }

        @Override
        public void watch(Empty request, StreamObserver<WatchResponse> observer) {
            ((ServerCallStreamObserver<WatchResponse>) observer)
                    .setOnCancelHandler(() -> watchers.remove(observer));
            synchronized (watchers) {
                observer.onNext(state());
                watchers.add(observer);
            }
        }
    }

    @Override
    public void close() {
        hold.ifPresent(CountDownLatch::countDown);
        stop();
    }
}
