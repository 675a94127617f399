package lvms.node.kubelet;

import io.grpc.stub.StreamObserver;

import lvms.csi.Calls;
import lvms.proto.registration.v1.InfoRequest;
import lvms.proto.registration.v1.PluginInfo;
import lvms.proto.registration.v1.RegistrationGrpc;
import lvms.proto.registration.v1.RegistrationStatus;
import lvms.proto.registration.v1.RegistrationStatusResponse;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Answers what kubelet asks a plugin that it finds. Unlike in the standard registrar, a refusal
 * does not end the process: kubelet tries again by itself in its next round, and a restart would
 * only interrupt the other work of this process.
 */
final class RegistrationService extends RegistrationGrpc.RegistrationImplBase {
    private static final Logger LOG = System.getLogger(RegistrationService.class.getName());
    private static final String TYPE = "CSIPlugin";
    private static final String VERSION = "1.0.0"; // the highest that kubelet knows for CSI

    private final Calls calls = Calls.of("the node agent");
    private final PluginInfo info;
    private final AtomicReference<Optional<RegistrationStatus>> last =
            new AtomicReference<>(Optional.empty());

    /**
     * @param endpoint path of the CSI socket as kubelet sees it
     */
    RegistrationService(String driver, String endpoint) {
        info =
                PluginInfo.newBuilder()
                        .setType(TYPE)
                        .setName(driver)
                        .setEndpoint(endpoint)
                        .addSupportedVersions(VERSION)
                        .build();
    }

    /** Returns whether kubelet's last answer was that the driver is registered. */
    boolean registered() {
        return last.get().filter(RegistrationStatus::getPluginRegistered).isPresent();
    }

    @Override
    public void getInfo(InfoRequest request, StreamObserver<PluginInfo> answer) {
        calls.answer("GetInfo", answer, _ -> info);
    }

    @Override
    public void notifyRegistrationStatus(
            RegistrationStatus status, StreamObserver<RegistrationStatusResponse> answer) {
        calls.answer("NotifyRegistrationStatus", answer, _ -> noted(status));
    }

    private RegistrationStatusResponse noted(RegistrationStatus status) {
        last.set(Optional.of(status));
        if (status.getPluginRegistered()) {
            LOG.log(Level.INFO, () -> "kubelet registered the driver name=" + info.getName());
        } else {
            LOG.log(
                    Level.WARNING,
                    () -> "kubelet refused the driver, it will retry: " + status.getError());
        }
        return RegistrationStatusResponse.getDefaultInstance();
    }
}
