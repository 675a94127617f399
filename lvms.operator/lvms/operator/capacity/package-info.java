/** Tells the scheduler what the nodes have free. */
package lvms.operator.capacity;
