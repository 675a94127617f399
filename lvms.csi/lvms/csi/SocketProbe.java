package lvms.csi;

import static java.lang.System.Logger.Level.WARNING;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

import lvms.proto.csi.v1.IdentityGrpc;
import lvms.proto.csi.v1.ProbeRequest;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Asks a CSI driver over its socket, by a connection of its own, whether it lives: livenessprobe's
 * work.
 */
public final class SocketProbe {
    private static final System.Logger LOG = System.getLogger(SocketProbe.class.getName());

    /** As livenessprobe's. */
    private static final int PATIENCE_SECONDS = 3;

    private SocketProbe() {}

    /**
     * Returns whether the driver on that socket answers the call Probe within three seconds. An
     * answer that says what else keeps it from work counts too: a driver that is started anew mends
     * nothing outside.
     */
    public static boolean answers(Path socket) {
        try (var channel = new SocketChannel(socket)) {
            IdentityGrpc.newBlockingStub(channel.grpc())
                    .withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .probe(ProbeRequest.getDefaultInstance());
            return true;
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.FAILED_PRECONDITION) {
                return true;
            }
            LOG.log(WARNING, () -> "no answer on socket=" + socket + ": " + e.getMessage());
            return false;
        }
    }
}
