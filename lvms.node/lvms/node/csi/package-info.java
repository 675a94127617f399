/**
 * The CSI Node service: publishes the volumes of this node to pods, grows and measures them. {@link
 * lvms.node.csi.NodeService} checks requests with pure functions and passes them to publishers;
 * each call ends by checking what it did. Calls for one volume run one after the other, and never
 * wait for those of another volume. {@link lvms.node.csi.VolumeDevices} knows which LV belongs to a
 * volume handle; {@code lvms.node.volume} makes the volumes.
 */
package lvms.node.csi;
