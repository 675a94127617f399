/** Tells kubelet of this CSI driver, through a socket in kubelet's plugins_registry folder. */
package lvms.node.kubelet;
