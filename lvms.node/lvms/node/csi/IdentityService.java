package lvms.node.csi;

import com.google.protobuf.BoolValue;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;

import lvms.proto.csi.v1.GetPluginCapabilitiesRequest;
import lvms.proto.csi.v1.GetPluginCapabilitiesResponse;
import lvms.proto.csi.v1.GetPluginInfoRequest;
import lvms.proto.csi.v1.GetPluginInfoResponse;
import lvms.proto.csi.v1.IdentityGrpc;
import lvms.proto.csi.v1.PluginCapability;
import lvms.proto.csi.v1.PluginCapability.Service;
import lvms.proto.csi.v1.PluginCapability.VolumeExpansion;
import lvms.proto.csi.v1.ProbeRequest;
import lvms.proto.csi.v1.ProbeResponse;

import java.util.Optional;
import java.util.function.Supplier;

/** The CSI Identity service; the capabilities are those of the whole driver, on every socket. */
final class IdentityService extends IdentityGrpc.IdentityImplBase {
    private final String driver;
    private final String version;
    private final Supplier<NodeHealth> health;

    /**
     * @param health read on every probe, so it must not block
     */
    IdentityService(String driver, String version, Supplier<NodeHealth> health) {
        this.driver = driver;
        this.version = version;
        this.health = health;
    }

    /**
     * Whether this process can serve volumes.
     *
     * @param ready whether it has come up
     * @param trouble what is wrong now, if anything
     */
    record NodeHealth(boolean ready, Optional<String> trouble) {}

    @Override
    public void getPluginInfo(
            GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> answer) {
        answer.onNext(
                GetPluginInfoResponse.newBuilder()
                        .setName(driver)
                        .setVendorVersion(version)
                        .build());
        answer.onCompleted();
    }

    @Override
    public void getPluginCapabilities(
            GetPluginCapabilitiesRequest request,
            StreamObserver<GetPluginCapabilitiesResponse> answer) {
        answer.onNext(
                GetPluginCapabilitiesResponse.newBuilder()
                        .addCapabilities(service(Service.Type.CONTROLLER_SERVICE))
                        .addCapabilities(service(Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS))
                        .addCapabilities(expansion(VolumeExpansion.Type.ONLINE))
                        .addCapabilities(expansion(VolumeExpansion.Type.OFFLINE))
                        .build());
        answer.onCompleted();
    }

    @Override
    public void probe(ProbeRequest request, StreamObserver<ProbeResponse> answer) {
        var now = health.get();
        if (now.trouble().isPresent()) {
            answer.onError(
                    Status.FAILED_PRECONDITION
                            .withDescription(now.trouble().get())
                            .asRuntimeException());
            return;
        }
        answer.onNext(ProbeResponse.newBuilder().setReady(BoolValue.of(now.ready())).build());
        answer.onCompleted();
    }

    private static PluginCapability service(Service.Type type) {
        return PluginCapability.newBuilder().setService(Service.newBuilder().setType(type)).build();
    }

    private static PluginCapability expansion(VolumeExpansion.Type type) {
        return PluginCapability.newBuilder()
                .setVolumeExpansion(VolumeExpansion.newBuilder().setType(type))
                .build();
    }
}
