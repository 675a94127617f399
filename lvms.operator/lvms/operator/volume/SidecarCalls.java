package lvms.operator.volume;

import io.grpc.MethodDescriptor;
import io.grpc.Status;

import lvms.api.Driver;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.csi.CallDurations;
import lvms.k8s.client.ApiException;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.proto.csi.v1.ControllerGrpc;
import lvms.proto.csi.v1.GroupControllerGrpc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * Measures the passes of an operation as the one call that a sidecar would make: from the first
 * pass to the one that ends it, well or not. The removal of an object ends the call that deletes
 * it, whether or not another pass comes; other calls for it come to nothing. Any thread may use it.
 */
public final class SidecarCalls {
    private final CallDurations durations;
    private final Map<Call, Long> begun = new ConcurrentHashMap<>();

    /** What the controllers ask of a driver. */
    public enum Method {
        CREATE_VOLUME(ControllerGrpc.getCreateVolumeMethod()),
        DELETE_VOLUME(ControllerGrpc.getDeleteVolumeMethod()),
        EXPAND_VOLUME(ControllerGrpc.getControllerExpandVolumeMethod()),
        MODIFY_VOLUME(ControllerGrpc.getControllerModifyVolumeMethod()),
        CREATE_SNAPSHOT(ControllerGrpc.getCreateSnapshotMethod()),
        DELETE_SNAPSHOT(ControllerGrpc.getDeleteSnapshotMethod()),
        CREATE_GROUP_SNAPSHOT(GroupControllerGrpc.getCreateVolumeGroupSnapshotMethod()),
        DELETE_GROUP_SNAPSHOT(GroupControllerGrpc.getDeleteVolumeGroupSnapshotMethod());

        private final MethodDescriptor<?, ?> rpc;

        Method(MethodDescriptor<?, ?> rpc) {
            this.rpc = rpc;
        }

        private boolean deletes() {
            return switch (this) {
                case DELETE_VOLUME, DELETE_SNAPSHOT, DELETE_GROUP_SNAPSHOT -> true;
                case CREATE_VOLUME,
                        EXPAND_VOLUME,
                        MODIFY_VOLUME,
                        CREATE_SNAPSHOT,
                        CREATE_GROUP_SNAPSHOT ->
                        false;
            };
        }
    }

    private record Call(Method method, String subject) {}

    private SidecarCalls(CallDurations durations) {
        this.durations = durations;
    }

    /** Measures the calls that the sidecars of a driver would make. */
    public static SidecarCalls of(Driver driver, MetricsRegistry metrics) {
        return new SidecarCalls(CallDurations.ofSidecar(driver.name(), metrics));
    }

    /**
     * Runs a pass of a call.
     *
     * @param subject name or id of the volume, snapshot or group
     */
    public <T> Progress<T> pass(Method method, String subject, VolumeService.Pass<T> pass)
            throws VolumeException, ApiException, InterruptedException {
        var call = new Call(method, subject);
        long start = System.nanoTime();
        begun.putIfAbsent(call, start);
        return run(call, start, pass);
    }

    /**
     * Runs a pass of a call that deletes something. Of what is gone already, the call has ended,
     * and another pass is none.
     *
     * @param known whether it is still there, as far as those know who tell of its end
     */
    <T> Progress<T> deletion(
            Method method, String subject, BooleanSupplier known, VolumeService.Pass<T> pass)
            throws VolumeException, ApiException, InterruptedException {
        var call = new Call(method, subject);
        long start = System.nanoTime();
        boolean first = begun.putIfAbsent(call, start) == null;
        if (known.getAsBoolean()) { // asked only now, so that an end from here on finds the call
            return run(call, start, pass);
        }
        if (first) {
            begun.remove(call);
        }
        return pass.run();
    }

    private <T> Progress<T> run(Call call, long start, VolumeService.Pass<T> pass)
            throws VolumeException, ApiException, InterruptedException {
        try {
            var progress = pass.run();
            if (progress instanceof Progress.Converged<T> && !call.method.deletes()) {
                end(call, Status.Code.OK, start);
            }
            return progress;
        } catch (VolumeException e) {
            end(call, code(e.code()), start);
            throw e;
        } catch (ApiException e) {
            end(call, code(ApiFailure.codeOf(e).orElseThrow()), start);
            throw e;
        }
    }

    private static Status.Code code(StatusCode code) {
        return Status.fromCodeValue(code.number()).getCode();
    }

    /** A deletion may have ended with its object during the pass. */
    private void end(Call call, Status.Code code, long passStart) {
        var start = begun.remove(call);
        if (start != null || !call.method.deletes()) {
            durations.observe(call.method.rpc, code, start == null ? passStart : start);
        }
    }

    /** Ends the calls about something that is no more. */
    public void gone(String subject) {
        for (var method : Method.values()) {
            var start = begun.remove(new Call(method, subject));
            if (start != null && method.deletes()) {
                durations.observe(method.rpc, Status.Code.OK, start);
            }
        }
    }
}
