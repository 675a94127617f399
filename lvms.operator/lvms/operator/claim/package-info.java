/**
 * Claims and classes as the operator reads them, the mark that ties a LogicalVolume to its claim,
 * and when a failed try is repeated. Provisioning, resizing, snapshots and capacity build on it.
 */
package lvms.operator.claim;
