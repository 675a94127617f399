/**
 * The volumes of a node behind the lvmd of another process: what the passes for LogicalVolumes ask
 * of a storage, by the calls of {@code lvms.node.client}.
 */
package lvms.node.client.storage;
