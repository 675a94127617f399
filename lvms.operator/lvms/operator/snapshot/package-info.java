/** Snapshots of volumes for VolumeSnapshotContent objects. */
package lvms.operator.snapshot;
