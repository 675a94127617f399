package lvms.node.lvmd;

import static java.lang.System.Logger.Level.INFO;

import io.grpc.stub.StreamObserver;

import lvms.csi.Calls;
import lvms.proto.lvmd.CreateLVRequest;
import lvms.proto.lvmd.CreateLVResponse;
import lvms.proto.lvmd.CreateLVSnapshotRequest;
import lvms.proto.lvmd.CreateLVSnapshotResponse;
import lvms.proto.lvmd.Empty;
import lvms.proto.lvmd.LVServiceGrpc.LVServiceImplBase;
import lvms.proto.lvmd.RemoveLVRequest;
import lvms.proto.lvmd.ResizeLVRequest;
import lvms.proto.lvmd.ResizeLVResponse;

/** {@code proto.LVService}: changes of volumes. */
public final class LvService extends LVServiceImplBase {
    private static final System.Logger LOG = System.getLogger(LvService.class.getName());

    private final Calls calls;
    private final ClassVolumes volumes;
    private final Removal removal;
    private final Runnable changed;

    /**
     * @param changed called after each change; it must return at once
     */
    public LvService(Calls calls, ClassVolumes volumes, Removal removal, Runnable changed) {
        this.calls = calls;
        this.volumes = volumes;
        this.removal = removal;
        this.changed = changed;
    }

    @Override
    public void createLV(CreateLVRequest request, StreamObserver<CreateLVResponse> answer) {
        calls.answer(
                "CreateLV " + request.getName(),
                answer,
                _ -> {
                    var made = volumes.create(request);
                    told("created", made.name() + " sizeBytes=" + made.sizeBytes());
                    return CreateLVResponse.newBuilder().setVolume(Messages.made(made)).build();
                });
    }

    @Override
    public void removeLV(RemoveLVRequest request, StreamObserver<Empty> answer) {
        calls.answer(
                "RemoveLV " + request.getName(),
                answer,
                _ -> {
                    removal.remove(request.getName(), request.getDeviceClass());
                    told("removed", request.getName());
                    return Empty.getDefaultInstance();
                });
    }

    @Override
    public void resizeLV(ResizeLVRequest request, StreamObserver<ResizeLVResponse> answer) {
        calls.answer(
                "ResizeLV " + request.getName(),
                answer,
                _ -> {
                    var size = volumes.resize(request);
                    if (size.grown()) {
                        told("grown", request.getName() + " sizeBytes=" + size.bytes());
                    }
                    return ResizeLVResponse.newBuilder().setSizeBytes(size.bytes()).build();
                });
    }

    @Override
    public void createLVSnapshot(
            CreateLVSnapshotRequest request, StreamObserver<CreateLVSnapshotResponse> answer) {
        calls.answer(
                "CreateLVSnapshot " + request.getName(),
                answer,
                _ -> {
                    var made = volumes.snapshot(request);
                    told("created", made.name() + " source=" + request.getSourceVolume());
                    return CreateLVSnapshotResponse.newBuilder()
                            .setSnapshot(Messages.made(made))
                            .build();
                });
    }

    private void told(String what, String volume) {
        LOG.log(INFO, () -> "logical volume " + what + " lv=" + volume);
        changed.run();
    }
}
