/**
 * Volumes that are whole devices: the operator's side of CSI driver {@code nativestor.alauda.io}.
 *
 * <p>Begin with {@link lvms.operator.rawdevice.RawDeviceBackend}: it chooses a device ({@link
 * lvms.operator.rawdevice.DeviceChoice}), writes the wish for it into the RawDevice, and reads what
 * the node answers. The node alone gives devices away (ADR 94).
 *
 * <pre>{@code
 * try (var work = new RawDeviceWork(kube, informers, pod, choices, events, metrics)) {
 *     work.start(); // claims of the driver are served
 * }
 * }</pre>
 *
 * <p>The controllers are those of logical volumes, over another {@code VolumeBackend}.
 */
package lvms.operator.rawdevice;
