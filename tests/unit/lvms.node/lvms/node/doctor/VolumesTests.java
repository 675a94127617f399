package lvms.node.doctor;

import static lvms.node.disk.TestLvm.GIB;
import static lvms.node.disk.TestLvm.group;
import static lvms.node.disk.TestLvm.lv;
import static lvms.node.disk.TestLvm.missingPv;
import static lvms.node.disk.TestLvm.pv;
import static lvms.node.disk.TestLvm.thin;
import static lvms.node.disk.TestLvm.withPercent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import lvms.lvm2.PhysicalSegment;
import lvms.lvm2.PhysicalVolume;
import lvms.lvm2.VolumeGroupReport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** People get tables, machines bytes; both see the same volumes. */
class VolumesTests {
    private static final List<VolumeGroupReport> GROUPS =
            List.of(
                    group(
                            "vg",
                            Set.of("lvms"),
                            List.of(pv("/dev/sdb", "vg", 10 * GIB, 3 * GIB), missingPv("vg")),
                            withPercent(
                                    lv("vg", "pool", "twi-aotz--", 4 * GIB),
                                    OptionalDouble.of(25),
                                    OptionalDouble.empty()),
                            thin("vg", "one", "pool", 5 * GIB),
                            lv("vg", "root", "-ri-ao--p-", GIB)));

    @Test
    void tablesHaveAsMuchRoomAsTheyNeed() {
        assertEquals(
                """
                VOLUME GROUP  SIZE    FREE   DISKS  VOLUMES  HEALTH
                vg            20 GiB  3 GiB  2      3        1 of its disks missing

                THIN POOL  SIZE   DATA    METADATA  VOLUMES  PROMISED  HEALTH
                vg/pool    4 GiB  25.0 %  -         1        5 GiB     ok

                VOLUME   SIZE   KIND  POOL  ORIGIN  STATE              HEALTH
                vg/one   5 GiB  thin  pool  -       unused             ok
                vg/root  1 GiB  -     -     -       in use, read only  \
                partial: a physical volume is missing
                """,
                VolumesText.of(GROUPS));
    }

    @Test
    void aMachineWithoutGroupsSaysSo() {
        assertEquals("no volume groups\n", VolumesText.of(List.of()));
        assertEquals("{\"volumeGroups\":[]}", VolumesJson.of(List.of()).toString());
    }

    @Test
    void jsonHasBytesAndLeavesOutWhatIsUnknown() {
        var group = VolumesJson.of(GROUPS).list("volumeGroups").at(0).asObject();
        assertEquals(3 * GIB, group.at("freeBytes").number().orElseThrow());
        assertEquals(1, (int) group.at("missingPhysicalVolumes").number().orElseThrow());
        var volumes = group.at("logicalVolumes").asList();
        var pool = volumes.at(0).asObject();
        assertEquals("25.0", pool.at("dataPercent").asText());
        assertFalse(pool.has("metadataPercent"));
        assertEquals("pool", volumes.at(1).asObject().at("pool").asText());
        assertFalse(volumes.at(2).asObject().at("healthy").flag().orElseThrow());
    }

    @Test
    void aReportSaysWhatTheExtentsOfEachDiskAreFor() {
        var group = GROUPS.getFirst();
        var disk = group.physicalVolumes().getFirst();
        var missing = group.physicalVolumes().getLast();
        var mapped =
                new VolumeGroupReport(
                        group.group(),
                        group.physicalVolumes(),
                        group.logicalVolumes(),
                        group.segments(),
                        List.of(
                                run(disk, 0, 10, Optional.of("pool_tdata"), "linear"),
                                run(disk, 10, 5, Optional.empty(), "free"),
                                run(missing, 0, 1, Optional.of("root"), "linear")));
        var disks =
                VolumesJson.withExtents(List.of(mapped))
                        .objects()
                        .getFirst()
                        .objects("physicalVolumes");
        assertEquals(
                "[{\"start\":0,\"length\":10,\"volume\":\"pool_tdata\",\"type\":\"linear\"},"
                        + "{\"start\":10,\"length\":5}]",
                disks.getFirst().list("runs").toString());
        assertEquals(1, disks.getLast().list("runs").size());
        assertEquals(Optional.of(true), disks.getLast().flag("missing"));
    }

    private static PhysicalSegment run(
            PhysicalVolume disk, long start, long length, Optional<String> volume, String type) {
        return new PhysicalSegment(disk.uuid(), start, length, volume, type, 0, 0);
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "0, 0 B",
        "512, 512 B",
        "1024, 1 KiB",
        "1536, 1.5 KiB",
        "4194304, 4 MiB",
        "11274289152, 10.5 GiB",
        "9223372036854775807, 8 EiB"
    })
    void sizesAreReadable(long bytes, String text) {
        assertEquals(text, Table.size(bytes));
    }
}
