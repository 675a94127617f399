/** What happens to the objects of a Node that is being deleted, or is gone. */
package lvms.operator.node;
