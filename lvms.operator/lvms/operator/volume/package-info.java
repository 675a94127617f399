/**
 * Volumes and snapshots as LogicalVolume objects: sizes, placement, reservations, and the passes
 * that bring one volume nearer to what was asked for.
 */
package lvms.operator.volume;
