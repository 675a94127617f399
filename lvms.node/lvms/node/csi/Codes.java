package lvms.node.csi;

import io.grpc.Status;

import lvms.api.VolumeException;
import lvms.lvm2.LvmException;
import lvms.node.volume.LvmFailure;

/** The gRPC status of each failure; the only place of this package that knows both sides. */
final class Codes {
    private Codes() {}

    static Status statusOf(Exception failure) {
        return switch (failure) {
            case VolumeException e ->
                    Status.fromCodeValue(e.code().number()).withDescription(e.getMessage());
            case LvmException e ->
                    Status.fromCodeValue(LvmFailure.codeOf(e).number())
                            .withDescription(e.getMessage());
            case InterruptedException _ -> Status.CANCELLED.withDescription("the caller went away");
            default -> Status.INTERNAL.withDescription(failure.toString());
        };
    }
}
