package lvms.node.survey;

import lvms.api.disk.Disk;
import lvms.lvm2.LvmException;
import lvms.node.disk.Host;
import lvms.node.disk.InventoryReader;
import lvms.node.disk.ListedPvs;

import java.io.IOException;
import java.util.List;

/** The disks of a node whose agent reads them anyway. One thread calls. */
public final class NodeSurvey implements DiskReport.Look {
    private final InventoryReader inventory;
    private final DataMemory data;

    public NodeSurvey(InventoryReader inventory, Host host) {
        this.inventory = inventory;
        this.data = new DataMemory(host::hasData);
    }

    @Override
    public List<Disk> disks() throws IOException, LvmException, InterruptedException {
        var found = inventory.read();
        data.keep(found.devices());
        return new DiskSurvey(found, new ListedPvs(found, ""), data).disks();
    }
}
