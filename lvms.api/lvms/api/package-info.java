/** LVMCluster, LVMVolumeGroup, LVMVolumeGroupNodeStatus and LogicalVolume. */
package lvms.api;
