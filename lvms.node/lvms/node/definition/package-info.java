/** Whether the types whose objects stand for volumes are there to stay. */
package lvms.node.definition;
