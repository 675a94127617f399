/** What the node tells of the condition of its volumes: Events of their claims. */
package lvms.node.condition;
