package lvms.node;

import lvms.api.disk.Disk;
import lvms.lvm2.device.BlockDevices;
import lvms.node.disk.DiskLabels;
import lvms.node.disk.InventoryReader;
import lvms.node.disk.SystemHost;
import lvms.node.survey.DiskSurvey;

import java.io.IOException;
import java.util.List;

/**
 * The disks of this machine, by reading alone: LVM is not asked, since its programs take locks and
 * may be configured to see only a part.
 */
public final class LocalDisks {
    private LocalDisks() {}

    /**
     * Reads every block device. Needs root.
     *
     * @throws IOException if the machine shows no block devices
     */
    public static List<Disk> read() throws IOException, InterruptedException {
        var host = new SystemHost(BlockDevices.system(), _ -> true);
        var inventory = InventoryReader.withoutLvm(host);
        return new DiskSurvey(inventory, new DiskLabels(inventory), host::hasData).disks();
    }
}
