package lvms.operator.volume;

/**
 * A pool of bytes: a device class on a node.
 *
 * @param node name of the node
 * @param deviceClass name of the class as the node's annotations have it
 */
record Slot(String node, String deviceClass) {}
