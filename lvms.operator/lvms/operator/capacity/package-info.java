/** What the nodes have free, told to the scheduler. */
package lvms.operator.capacity;
