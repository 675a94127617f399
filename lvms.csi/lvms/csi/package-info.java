/**
 * What every gRPC service of lvms shares: the socket it is served on, the frame its calls run in,
 * and the answers that are the same on each socket of the CSI driver.
 *
 * <p>Begin with {@link lvms.csi.Calls}: a service is a generated base class whose methods hand
 * their work to it.
 *
 * {@snippet :
 * final class Volumes extends ControllerGrpc.ControllerImplBase {
 *     private final Calls calls = Calls.of("the operator").withFailures(Volumes::codeOf);
 *
 *     @Override
 *     public void deleteVolume(
 *             DeleteVolumeRequest request, StreamObserver<DeleteVolumeResponse> observer) {
 *         calls.answer("DeleteVolume " + request.getVolumeId(), observer, timeout -> {
 *             delete(request.getVolumeId(), timeout); // throws VolumeException, ApiException
 *             return DeleteVolumeResponse.getDefaultInstance();
 *         });
 *     }
 *
 *     private static Optional<StatusCode> codeOf(Exception failure) {
 *         return failure instanceof ApiException.Conflict
 *                 ? Optional.of(StatusCode.ABORTED)
 *                 : Optional.empty(); // INTERNAL
 *     }
 * }
 *
 * var services = CallMetrics.ofDriver("topolvm.io", metrics).over(List.of(identity, volumes));
 * var server = UnixSocketServer.inOwnFolder(Path.of("/run/lvms/csi.sock"), services);
 * server.start();
 * }
 *
 * <p>{@link lvms.csi.UnixSocketServer} serves, {@link lvms.csi.CallMetrics} measures, {@link
 * lvms.csi.IdentityService} says who the driver is and what it can do, {@link lvms.csi.Sharing} is
 * the one table of access modes.
 *
 * <p>What this package leaves to others: the codes of their own failures, which a service hands to
 * {@code Calls} as a function; whether work may be cut short, which the work decides when it is
 * interrupted; a socket that somebody deletes, which the node's {@code SocketKeeper} makes again.
 */
package lvms.csi;
