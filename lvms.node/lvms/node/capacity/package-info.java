/** What each device class of this node can still hold, reported on its Node object. */
package lvms.node.capacity;
