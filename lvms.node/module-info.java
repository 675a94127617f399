/**
 * The node agent: makes volume groups and thin pools from the disks of a node, reports their
 * capacity, and serves the volumes in them. {@link lvms.node.NodeAgent} is the whole of it.
 *
 * <p>It reads no system properties; every setting comes through constructors.
 */
module lvms.node {
    requires lvms.csi;
    requires transitive lvms.api;
    requires transitive lvms.lvm2;

    exports lvms.node;
    exports lvms.node.deviceclass;
    exports lvms.node.doctor;
    exports lvms.node.host;
}
