package lvms.node.volume;

import lvms.lvm2.VolumeGroupReport;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What is promised of one volume group: its last report, and the changes of ours that the report
 * cannot show yet. So admitting a volume needs no command of LVM, and volumes that are being made
 * at the same time count. Not safe for threads; {@link VolumeGroups} guards it.
 */
final class GroupLedger {
    private final Map<String, Promise> promises = new HashMap<>();
    private final Set<String> removed = new HashSet<>();
    private VolumeGroupReport report;

    /**
     * Bytes that a volume of ours has got, or is about to get.
     *
     * @param settled whether LVM has made it, so that the next report shows it
     */
    private record Promise(String pool, long sizeBytes, boolean settled) {}

    GroupLedger(VolumeGroupReport report) {
        this.report = report;
    }

    VolumeGroupReport report() {
        return report;
    }

    /** Takes a new report, which shows everything that was settled before it was asked for. */
    void replace(VolumeGroupReport next, Set<String> settledBefore) {
        report = next;
        promises.entrySet()
                .removeIf(e -> e.getValue().settled() && settledBefore.contains(e.getKey()));
        removed.retainAll(next.logicalVolumes().stream().map(lv -> lv.name().lv()).toList());
    }

    /** Names whose change LVM has made; to be read before a report is asked for. */
    Set<String> settled() {
        var names = new HashSet<String>();
        promises.forEach(
                (name, promise) -> {
                    if (promise.settled()) {
                        names.add(name);
                    }
                });
        return names;
    }

    /** Virtual bytes of a pool that are not promised to any volume but this one. */
    long freeBytes(String pool, double ratio, String except) {
        long used = 0;
        var shown = new HashSet<String>();
        for (var lv : report.thinVolumes(pool)) {
            var name = lv.name().lv();
            shown.add(name);
            if (!removed.contains(name) && !name.equals(except)) {
                var promise = promises.get(name);
                used +=
                        promise == null
                                ? lv.sizeBytes()
                                : Math.max(lv.sizeBytes(), promise.sizeBytes());
            }
        }
        for (var entry : promises.entrySet()) {
            boolean counted = shown.contains(entry.getKey()) || entry.getKey().equals(except);
            if (!counted && entry.getValue().pool().equals(pool)) {
                used += entry.getValue().sizeBytes();
            }
        }
        return Math.max(0, virtualBytes(pool, ratio) - used);
    }

    private long virtualBytes(String pool, double ratio) {
        return report.logicalVolume(pool)
                .map(lv -> (long) Math.floor(lv.sizeBytes() * ratio))
                .orElse(0L);
    }

    boolean holds(String name) {
        boolean shown = report.logicalVolume(name).isPresent() && !removed.contains(name);
        var promise = promises.get(name);
        return shown || promise != null && promise.settled();
    }

    void promise(String name, String pool, long sizeBytes) {
        promises.put(name, new Promise(pool, sizeBytes, false));
        removed.remove(name);
    }

    void settle(String name, String pool, long sizeBytes) {
        promises.put(name, new Promise(pool, sizeBytes, true));
        removed.remove(name);
    }

    void withdraw(String name) {
        promises.remove(name);
    }

    void remove(String name) {
        promises.remove(name);
        removed.add(name);
    }
}
