/**
 * The CSI Node service: publishes the volumes of this node to pods, grows and measures them. {@link
 * lvms.node.csi.NodeService} checks requests by pure functions and passes them to publishers; each
 * call ends by checking what it did. Calls for one volume run one after the other, and never wait
 * for those of another volume. Which LV belongs to a volume handle is asked of {@link
 * lvms.node.csi.VolumeDevices}; volumes are made elsewhere, in {@code lvms.node.volume}.
 */
package lvms.node.csi;
