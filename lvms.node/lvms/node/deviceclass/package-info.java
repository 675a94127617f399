/**
 * The device classes that a node serves, and lvmd.yaml, the file that keeps them: what a class is
 * made of, which options of lvcreate(8) its volumes get, and which of it a change may still touch.
 */
package lvms.node.deviceclass;
