package lvms.node.lvmd;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

import lvms.csi.Calls;
import lvms.proto.lvmd.Empty;
import lvms.proto.lvmd.GetFreeBytesRequest;
import lvms.proto.lvmd.GetFreeBytesResponse;
import lvms.proto.lvmd.GetLVListRequest;
import lvms.proto.lvmd.GetLVListResponse;
import lvms.proto.lvmd.VGServiceGrpc.VGServiceImplBase;
import lvms.proto.lvmd.WatchResponse;

/** {@code proto.VGService}: lists of volumes, free bytes, and the Watch stream. */
public final class VgService extends VGServiceImplBase {
    private final Calls calls;
    private final ClassVolumes volumes;
    private final Watchers watchers;

    public VgService(Calls calls, ClassVolumes volumes, Watchers watchers) {
        this.calls = calls;
        this.volumes = volumes;
        this.watchers = watchers;
    }

    @Override
    public void getLVList(GetLVListRequest request, StreamObserver<GetLVListResponse> answer) {
        calls.answer(
                "GetLVList " + request.getDeviceClass(),
                answer,
                _ -> {
                    var list = GetLVListResponse.newBuilder();
                    volumes.list(request.getDeviceClass()).stream()
                            .map(Messages::listed)
                            .forEach(list::addVolumes);
                    return list.build();
                });
    }

    @Override
    public void getFreeBytes(
            GetFreeBytesRequest request, StreamObserver<GetFreeBytesResponse> answer) {
        calls.answer(
                "GetFreeBytes " + request.getDeviceClass(),
                answer,
                _ ->
                        GetFreeBytesResponse.newBuilder()
                                .setFreeBytes(volumes.reportedFreeBytes(request.getDeviceClass()))
                                .build());
    }

    @Override
    public void watch(Empty request, StreamObserver<WatchResponse> answer) {
        watchers.add((ServerCallStreamObserver<WatchResponse>) answer);
    }
}
