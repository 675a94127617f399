package lvms.node.volume;

import lvms.lvm2.VolumeGroupReport;
import lvms.node.erasure.Marks;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is reserved in one volume group: its last report, and our own changes that the report cannot
 * show yet. So admitting a volume needs no LVM command, and volumes that are being made at the same
 * time are counted. Not thread-safe; {@link GroupLedgers} guards it.
 */
final class GroupLedger {
    private final Map<String, Reservation> reservations = new HashMap<>();
    private final Set<String> removed = new HashSet<>();
    private volatile VolumeGroupReport report; // the one thing that is read without the lock

    /**
     * Bytes that one of our volumes has, or is about to get.
     *
     * @param confirmed whether LVM has made it, so that the next report shows it
     * @param tags its tags once it is confirmed
     */
    private record Reservation(String pool, long sizeBytes, boolean confirmed, Set<String> tags) {}

    GroupLedger(VolumeGroupReport report) {
        this.report = report;
    }

    VolumeGroupReport report() {
        return report;
    }

    /**
     * Takes a new report; it shows everything that was confirmed before the report was requested.
     */
    void replace(VolumeGroupReport next, Set<String> confirmedBefore) {
        report = next;
        reservations
                .entrySet()
                .removeIf(e -> e.getValue().confirmed() && confirmedBefore.contains(e.getKey()));
        removed.retainAll(next.logicalVolumes().stream().map(lv -> lv.name().lv()).toList());
    }

    /**
     * Returns the names of volumes that LVM has made or changed; read it before you request a
     * report.
     */
    Set<String> confirmed() {
        var names = new HashSet<String>();
        reservations.forEach(
                (name, reservation) -> {
                    if (reservation.confirmed()) {
                        names.add(name);
                    }
                });
        return names;
    }

    /** Returns the virtual bytes of a pool that are not reserved for any other volume. */
    long freeBytes(String pool, double ratio, String except) {
        long used = 0;
        var shown = new HashSet<String>();
        for (var lv : report.thinVolumes(pool)) {
            var name = lv.name().lv();
            shown.add(name);
            if (!removed.contains(name) && !name.equals(except)) {
                var reservation = reservations.get(name);
                used +=
                        reservation == null
                                ? lv.sizeBytes()
                                : Math.max(lv.sizeBytes(), reservation.sizeBytes());
            }
        }
        for (var entry : reservations.entrySet()) {
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
        var reservation = reservations.get(name);
        return shown || reservation != null && reservation.confirmed();
    }

    /** Returns the names of the volumes that have a tag, sorted. */
    List<String> tagged(String tag) {
        var names = new TreeSet<String>();
        report.logicalVolumes().stream()
                .filter(lv -> lv.tags().contains(tag) && !removed.contains(lv.name().lv()))
                .filter(lv -> !Marks.isHidden(lv))
                .forEach(lv -> names.add(lv.name().lv()));
        reservations.forEach(
                (name, reservation) -> {
                    if (reservation.tags().contains(tag)) {
                        names.add(name);
                    }
                });
        return List.copyOf(names);
    }

    void reserve(String name, String pool, long sizeBytes) {
        reservations.put(name, new Reservation(pool, sizeBytes, false, Set.of()));
        removed.remove(name);
    }

    void confirm(String name, String pool, long sizeBytes, Set<String> tags) {
        reservations.put(name, new Reservation(pool, sizeBytes, true, tags));
        removed.remove(name);
    }

    void retag(String name, Set<String> tags) {
        report = report.withTags(name, tags);
        reservations.computeIfPresent(
                name, (_, r) -> new Reservation(r.pool(), r.sizeBytes(), r.confirmed(), tags));
    }

    void release(String name) {
        reservations.remove(name);
    }

    void remove(String name) {
        reservations.remove(name);
        removed.add(name);
    }
}
