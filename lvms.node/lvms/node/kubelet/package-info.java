/**
 * Registers the CSI driver with kubelet: a socket in kubelet's plugins_registry folder, on which
 * kubelet asks for the driver's name and its CSI socket, and says whether it accepted them. The
 * socket stays served, so a kubelet that restarts finds the driver by itself.
 */
package lvms.node.kubelet;
