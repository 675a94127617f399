package lvms.node.vgmanager;

import lvms.lvm2.Lvm;
import lvms.node.deviceclass.DeviceClassStore;
import lvms.node.deviceclass.FirstRound;
import lvms.node.disk.Host;
import lvms.node.disk.InventoryReader;
import lvms.node.vgmanager.plan.MissingDevices;

import java.util.function.BooleanSupplier;

/**
 * What a pass works with.
 *
 * @param nodeName name of this node
 * @param lvm LVM
 * @param host block devices
 * @param inventory cached inventory of both
 * @param reader makes situations of it
 * @param objects the LVMVolumeGroups
 * @param status the node status
 * @param events events
 * @param classes lvmd.yaml and the live device classes
 * @param firstRound told of each pass
 * @param raid metrics of RAID health
 * @param raidEvents whether RAID volumes tell when something happens to them
 * @param missingDevices how long devices of RAID groups are missing
 * @param failedSteps what failed last
 * @param changed called after each change of LVM
 * @param wake asks for a pass over every group, since what one takes or leaves concerns the others
 */
record VolumeGroupParts(
        String nodeName,
        Lvm lvm,
        Host host,
        InventoryReader inventory,
        SituationReader reader,
        GroupObjects objects,
        NodeStatus status,
        VolumeGroupEvents events,
        DeviceClassStore classes,
        FirstRound firstRound,
        RaidMetrics raid,
        BooleanSupplier raidEvents,
        MissingDevices missingDevices,
        FailedSteps failedSteps,
        Runnable changed,
        Runnable wake) {}
