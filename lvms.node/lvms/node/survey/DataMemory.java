package lvms.node.survey;

import lvms.node.disk.NodeDevice;

import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Looks for unknown data on each device once: a look reads 2 MiB and may wake a disk that sleeps.
 * It looks again if anything else of the device has changed.
 */
public final class DataMemory implements DiskSurvey.DataLook {
    private final DiskSurvey.DataLook disk;
    private final Map<NodeDevice, Boolean> seen = new HashMap<>();

    public DataMemory(DiskSurvey.DataLook disk) {
        this.disk = disk;
    }

    /** Forgets all other devices. */
    public void keep(Collection<NodeDevice> devices) {
        seen.keySet().retainAll(devices);
    }

    @Override
    public boolean hasData(NodeDevice device) throws IOException {
        var known = seen.get(device);
        if (known != null) {
            return known;
        }
        boolean found = disk.hasData(device);
        seen.put(device, found);
        return found;
    }
}
