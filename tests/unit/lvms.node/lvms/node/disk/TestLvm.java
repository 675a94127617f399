package lvms.node.disk;

import lvms.lvm2.AllocationPolicy;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvAttributes;
import lvms.lvm2.LvDetails;
import lvms.lvm2.LvName;
import lvms.lvm2.PhysicalSegment;
import lvms.lvm2.PhysicalVolume;
import lvms.lvm2.ThinPool;
import lvms.lvm2.VolumeGroup;
import lvms.lvm2.VolumeGroupReport;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/** LVM reports for tests: extents of 4 MiB, physical volumes of 10 GiB. */
public final class TestLvm {
    public static final long MIB = 1L << 20;
    public static final long GIB = 1L << 30;
    public static final long EXTENT = 4 * MIB;

    private TestLvm() {}

    public static PhysicalVolume pv(String device, String vg, long sizeBytes, long freeBytes) {
        return pv(device, vg, sizeBytes, freeBytes, false);
    }

    public static PhysicalVolume missingPv(String vg) {
        return pv("[unknown]", vg, 10 * GIB, 0, true);
    }

    public static PhysicalVolume pv(
            String device, String vg, long sizeBytes, long freeBytes, boolean missing) {
        return new PhysicalVolume(
                device,
                "uuid-of-" + device,
                vg,
                "lvm2",
                sizeBytes,
                freeBytes,
                sizeBytes / EXTENT,
                (sizeBytes - freeBytes) / EXTENT,
                0,
                sizeBytes,
                MIB,
                MIB,
                1,
                true,
                false,
                missing,
                false,
                Set.of());
    }

    public static KnownPv on(String device, String vg) {
        return on(device, vg, 10 * GIB);
    }

    public static KnownPv on(String device, String vg, long freeBytes) {
        return new KnownPv(pv(device, vg, 10 * GIB, freeBytes), Optional.of(device), 0);
    }

    public static KnownPv missing(String vg) {
        return new KnownPv(missingPv(vg), Optional.empty(), 0);
    }

    /** A volume group with our tag. */
    public static VolumeGroupReport ours(
            String name, List<PhysicalVolume> pvs, LogicalVolume... lvs) {
        return group(name, Set.of("lvms"), pvs, lvs);
    }

    public static VolumeGroupReport group(
            String name, Set<String> tags, List<PhysicalVolume> pvs, LogicalVolume... lvs) {
        long size = pvs.stream().mapToLong(PhysicalVolume::sizeBytes).sum();
        long free = pvs.stream().mapToLong(PhysicalVolume::freeBytes).sum();
        long missing = pvs.stream().filter(PhysicalVolume::missing).count();
        var group =
                new VolumeGroup(
                        name,
                        "uuid-of-" + name,
                        size,
                        free,
                        EXTENT,
                        pvs.size(),
                        missing,
                        lvs.length,
                        0,
                        MIB,
                        MIB,
                        "",
                        Optional.empty(),
                        true,
                        true,
                        false,
                        missing > 0,
                        AllocationPolicy.NORMAL,
                        tags);
        var extents = pvs.stream().flatMap(TestLvm::extents).toList();
        return new VolumeGroupReport(group, pvs, List.of(lvs), List.of(), extents);
    }

    /** Its free space is one run behind what is used. */
    private static Stream<PhysicalSegment> extents(PhysicalVolume pv) {
        long free = pv.freeBytes() / EXTENT;
        long used = pv.sizeBytes() / EXTENT - free;
        var before = Optional.of("before");
        return Stream.of(
                        new PhysicalSegment(pv.uuid(), 0, used, before, "linear", 0, 0),
                        new PhysicalSegment(pv.uuid(), used, free, Optional.empty(), "free", 0, 0))
                .filter(segment -> segment.extents() > 0);
    }

    public static LogicalVolume lv(String vg, String name, String attributes, long sizeBytes) {
        return lv(vg, name, attributes, sizeBytes, Optional.empty(), "", OptionalDouble.empty());
    }

    public static LogicalVolume thin(String vg, String name, String pool, long sizeBytes) {
        return lv(vg, name, "Vwi-a-tz--", sizeBytes, Optional.of(pool), "", OptionalDouble.empty());
    }

    /** A volume in front of which writes are cached; LVM says of it that its pool is the cache. */
    public static LogicalVolume writeCached(String vg, String name, String cache, long sizeBytes) {
        return lv(
                vg, name, "Cwi-a-C---", sizeBytes, Optional.of(cache), "", OptionalDouble.empty());
    }

    public static LogicalVolume raid(
            String name, String attributes, String health, double syncPercent) {
        return lv(
                "vg1",
                name,
                attributes,
                GIB,
                Optional.empty(),
                health,
                syncPercent < 0 ? OptionalDouble.empty() : OptionalDouble.of(syncPercent));
    }

    private static LogicalVolume lv(
            String vg,
            String name,
            String attributes,
            long sizeBytes,
            Optional<String> pool,
            String health,
            OptionalDouble syncPercent) {
        return new LogicalVolume(
                new LvName(vg, name),
                uuid(name),
                Optional.empty(),
                sizeBytes,
                LvAttributes.parse(attributes),
                OptionalInt.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                0,
                pool,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                syncPercent,
                0,
                Set.of(),
                health,
                "",
                new LvDetails.Plain(),
                Set.of(),
                Optional.empty());
    }

    public static LogicalVolume thickSnapshot(String name, Set<String> tags) {
        var lv = lv("vg1", name, "swi-a-s---", GIB);
        return with(
                lv,
                OptionalDouble.of(1),
                lv.metadataPercent(),
                0,
                tags,
                new LvDetails.Snapshot(false, false, false, OptionalDouble.of(1)));
    }

    private static String uuid(String name) {
        var end = (name.replaceAll("[^a-z0-9]", "") + "000000").substring(0, 6);
        return "000000-0000-0000-0000-0000-0000-" + end;
    }

    public static ThinPool pool(LogicalVolume volume, long chunkBytes, long metadataBytes) {
        return new ThinPool(volume, chunkBytes, metadataBytes, true, "passdown", "queue", 0, 1);
    }

    public static LogicalVolume withMetadataPercent(LogicalVolume lv, double percent) {
        return withPercent(lv, lv.dataPercent(), OptionalDouble.of(percent));
    }

    public static LogicalVolume withPercent(
            LogicalVolume lv, OptionalDouble data, OptionalDouble metadata) {
        return with(lv, data, metadata, lv.metadataSizeBytes(), lv.tags());
    }

    public static LogicalVolume tagged(LogicalVolume lv, Set<String> tags) {
        return with(lv, lv.dataPercent(), lv.metadataPercent(), lv.metadataSizeBytes(), tags);
    }

    /** A pool in use, with 8 MiB of metadata. */
    public static LogicalVolume poolVolume(
            String name, String attributes, long sizeBytes, double data, double metadata) {
        var lv = lv("vg1", name, attributes, sizeBytes);
        return with(lv, OptionalDouble.of(data), OptionalDouble.of(metadata), 8 * MIB, lv.tags());
    }

    private static LogicalVolume with(
            LogicalVolume lv,
            OptionalDouble data,
            OptionalDouble metadata,
            long metadataSizeBytes,
            Set<String> tags) {
        return with(lv, data, metadata, metadataSizeBytes, tags, lv.details());
    }

    private static LogicalVolume with(
            LogicalVolume lv,
            OptionalDouble data,
            OptionalDouble metadata,
            long metadataSizeBytes,
            Set<String> tags,
            LvDetails details) {
        return new LogicalVolume(
                lv.name(),
                lv.uuid(),
                lv.path(),
                lv.sizeBytes(),
                lv.attributes(),
                lv.major(),
                lv.minor(),
                lv.origin(),
                lv.originSizeBytes(),
                lv.pool(),
                data,
                metadata,
                lv.syncPercent(),
                metadataSizeBytes,
                lv.layout(),
                lv.healthStatus(),
                lv.syncAction(),
                details,
                tags,
                lv.created());
    }

    /** A group with this many volumes that may have only so many. */
    public static VolumeGroup limited(VolumeGroup group, long volumes, long most) {
        return with(group, volumes, most, group.metadataFreeBytes());
    }

    /** A group whose metadata areas have this much room. */
    public static VolumeGroup metadata(VolumeGroup group, long freeBytes) {
        return with(group, group.logicalVolumes(), group.mostLogicalVolumes(), freeBytes);
    }

    private static VolumeGroup with(VolumeGroup group, long volumes, long most, long freeBytes) {
        return new VolumeGroup(
                group.name(),
                group.uuid(),
                group.sizeBytes(),
                group.freeBytes(),
                group.extentSizeBytes(),
                group.physicalVolumes(),
                group.missingPhysicalVolumes(),
                volumes,
                most,
                group.metadataSizeBytes(),
                freeBytes,
                group.lockType(),
                group.systemId(),
                group.writable(),
                group.resizable(),
                group.exported(),
                group.partial(),
                group.allocation(),
                group.tags());
    }

    public static List<PhysicalVolume> pvsOf(List<KnownPv> known) {
        var pvs = new ArrayList<PhysicalVolume>();
        known.forEach(pv -> pvs.add(pv.pv()));
        return pvs;
    }
}
