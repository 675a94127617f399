/**
 * A stand-in for kubelet. It runs beside the tests and works on a node through its command agent,
 * so that the node's one processor is left to the product; sockets, folders, mounts and processes
 * are the node's own. It calls the registration and CSI services in kubelet's order with kubelet's
 * paths, and keeps as a violation what the real one would refuse.
 */
package lvms.tests.lab.kubelet;
