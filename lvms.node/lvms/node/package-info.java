/** The node agent put together from its parts. */
package lvms.node;
