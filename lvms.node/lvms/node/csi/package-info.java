/**
 * The CSI Identity and Node services of a node: publishes logical volumes to pods, grows and
 * measures them. Requests are checked by pure functions, every call ends by checking what it did,
 * and calls for different volumes never wait for each other.
 */
package lvms.node.csi;
