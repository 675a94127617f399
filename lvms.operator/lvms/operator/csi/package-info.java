/**
 * The CSI Controller service, for sidecars and tools that drive volumes over a socket. The
 * controllers of this process need no socket: both use the same core, {@code lvms.operator.volume}.
 *
 * <p>Begin with {@link lvms.operator.csi.ControllerService}: each call is a method that reads the
 * request ({@code Requests}), asks {@code VolumeService}, and writes the result as a message
 * ({@code Answers}). {@code Paging} cuts lists into pages, {@link lvms.operator.volume.ApiFailure}
 * says what a failure of the API server means to a caller.
 *
 * <p>Frame, metrics, socket and the Identity service come from {@code lvms.csi}.
 */
package lvms.operator.csi;
