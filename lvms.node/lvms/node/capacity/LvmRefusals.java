package lvms.node.capacity;

import lvms.lvm2.VolumeGroup;
import lvms.lvm2.VolumeGroupReport;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sizes that LVM refused to make although there seemed to be room. As long as the group stays as it
 * is, LVM would refuse them again, and a scheduler that does not know would choose the same node
 * for ever. Any thread may call.
 */
final class LvmRefusals {
    private final Map<String, Refusal> refusals = new ConcurrentHashMap<>();

    private record Refusal(long sizeBytes, VolumeGroup group) {}

    void add(String deviceClass, long sizeBytes, VolumeGroup group) {
        refusals.put(deviceClass, new Refusal(sizeBytes, group));
    }

    /** Returns what may be promised of this capacity. */
    long most(String deviceClass, VolumeGroupReport report, long capacityBytes) {
        var refusal = refusals.get(deviceClass);
        if (refusal == null) {
            return capacityBytes;
        }
        if (!refusal.group().equals(report.group())) {
            refusals.remove(deviceClass, refusal);
            return capacityBytes;
        }
        long extent = report.group().extentSizeBytes();
        return Math.min(capacityBytes, Math.max(0, (refusal.sizeBytes() - 1) / extent * extent));
    }
}
