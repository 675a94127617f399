package lvms.csi;

import com.google.protobuf.BoolValue;

import io.grpc.stub.StreamObserver;

import lvms.api.VolumeException;
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

import java.util.List;

/** The CSI Identity service; the capabilities are those of the whole driver, on every socket. */
public final class IdentityService extends IdentityGrpc.IdentityImplBase {
    private final Calls calls = Calls.of("the driver");
    private final String driver;
    private final String version;
    private final Readiness ready;
    private final List<PluginCapability> capabilities;

    /** Whether this process can serve volumes; asked at every probe, so it must not block. */
    @FunctionalInterface
    public interface Readiness {
        /**
         * Returns false while it cannot yet.
         *
         * @throws VolumeException FAILED_PRECONDITION with what is wrong, if it can no longer
         */
        boolean ready() throws VolumeException;
    }

    /**
     * Prepares the service for one socket.
     *
     * @param driver name of the driver
     * @param version version of this program
     * @param ready what the call Probe says
     */
    public IdentityService(String driver, String version, Readiness ready) {
        this(
                driver,
                version,
                ready,
                List.of(
                        service(Service.Type.CONTROLLER_SERVICE),
                        service(Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS),
                        service(Service.Type.GROUP_CONTROLLER_SERVICE),
                        expansion(VolumeExpansion.Type.ONLINE),
                        expansion(VolumeExpansion.Type.OFFLINE)));
    }

    private IdentityService(
            String driver, String version, Readiness ready, List<PluginCapability> capabilities) {
        this.driver = driver;
        this.version = version;
        this.ready = ready;
        this.capabilities = capabilities;
    }

    /** Prepares the service of a driver whose volumes never grow and have no snapshots. */
    public static IdentityService ofDevices(String driver, String version, Readiness ready) {
        return new IdentityService(
                driver,
                version,
                ready,
                List.of(
                        service(Service.Type.CONTROLLER_SERVICE),
                        service(Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS)));
    }

    @Override
    public void getPluginInfo(
            GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> observer) {
        calls.answer(
                "GetPluginInfo",
                observer,
                _ ->
                        GetPluginInfoResponse.newBuilder()
                                .setName(driver)
                                .setVendorVersion(version)
                                .build());
    }

    @Override
    public void getPluginCapabilities(
            GetPluginCapabilitiesRequest request,
            StreamObserver<GetPluginCapabilitiesResponse> observer) {
        calls.answer(
                "GetPluginCapabilities",
                observer,
                _ ->
                        GetPluginCapabilitiesResponse.newBuilder()
                                .addAllCapabilities(capabilities)
                                .build());
    }

    @Override
    public void probe(ProbeRequest request, StreamObserver<ProbeResponse> observer) {
        calls.answer(
                "Probe",
                observer,
                _ -> ProbeResponse.newBuilder().setReady(BoolValue.of(ready.ready())).build());
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
