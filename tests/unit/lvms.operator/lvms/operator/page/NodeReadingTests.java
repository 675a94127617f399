package lvms.operator.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.tree.Json;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** What a node prints of its disks becomes maps and pools; odd JSON breaks nothing. */
class NodeReadingTests {
    private static final String MACHINE =
            """
            {"findings": [{"severity": "warning", "subject": "vg1/pool", "finding": "91 % full",
                           "cure": "add a disk"}],
             "history": [
               {"pool": "vg1/pool", "time": "2026-01-02T11:00:00Z", "dataPercent": 10.5,
                "metadataPercent": 1},
               {"pool": "vg1/other", "time": "2026-01-02T11:00:00Z", "dataPercent": 99},
               {"pool": "vg1/pool", "time": "noon", "dataPercent": 99}],
             "volumeGroups": [{"name": "vg1", "extentSizeBytes": 4194304,
               "physicalVolumes": [
                 {"device": "/dev/sdb", "sizeBytes": 419430400, "extents": 100, "missing": false,
                  "runs": [{"start": 0, "length": 10, "volume": "pool_tdata", "type": "linear"},
                           {"start": 10, "length": 10, "volume": "pool_tdata", "type": "linear"},
                           {"start": 20, "length": 2, "volume": "pool_tmeta", "type": "linear"},
                           {"start": 22, "length": 8, "volume": "v_rimage_0", "type": "linear"},
                           {"start": 30, "length": 30},
                           {"start": 60, "length": 40}]},
                 {"device": "[unknown]", "sizeBytes": 4194304, "extents": 1, "missing": true,
                  "runs": [{"start": 0, "length": 1, "volume": "v_rimage_1", "type": "linear"}]}],
               "logicalVolumes": [
                 {"name": "pool", "sizeBytes": 83886080, "layout": ["pool", "thin"],
                  "dataPercent": 12.5, "metadataPercent": 3, "health": "metadata_read_only"},
                 {"name": "a", "sizeBytes": 41943040, "pool": "pool"},
                 {"name": "b", "sizeBytes": 41943040, "pool": "pool", "health": "partial"}]}]}
            """;

    private static NodeReading read(String json) {
        return NodeReading.of("n1", Json.parse(json).asObject());
    }

    @Test
    void neighbouringExtentsOfOneVolumeAreOneRun() {
        var disk = read(MACHINE).disks().getFirst();
        assertEquals(
                List.of(
                        new ExtentRun(0, 20, Optional.of("pool_tdata"), "linear"),
                        new ExtentRun(20, 2, Optional.of("pool_tmeta"), "linear"),
                        new ExtentRun(22, 8, Optional.of("v_rimage_0"), "linear"),
                        new ExtentRun(30, 70, Optional.empty(), "")),
                disk.runs());
    }

    @Test
    void freeExtentsAreCountedAndSoIsTheLongestRun() {
        var disk =
                read(MACHINE.replace(
                                "{\"start\": 60, \"length\": 40}",
                                "{\"start\": 60, \"length\": 1, \"volume\": \"x\"},"
                                        + "{\"start\": 61, \"length\": 39}"))
                        .disks()
                        .getFirst();
        assertEquals(69, disk.freeExtents());
        assertEquals(39, disk.longestFree());
    }

    @Test
    void aPoolAndAMirrorCountAsTheVolumesThatPeopleKnow() {
        var reading = read(MACHINE);
        assertEquals(Map.of("pool", 22L, "v", 8L), reading.disks().getFirst().byOwner());
        assertEquals(Map.of("v", 1L), reading.disks().getLast().byOwner());
    }

    @Test
    void aMissingDiskIsMarked() {
        assertEquals(
                List.of(false, true),
                read(MACHINE).disks().stream().map(DiskMap::missing).toList());
    }

    @Test
    void aPoolHasItsFillItsVolumesAndItsOwnHistory() {
        var pool = read(MACHINE).pools().getFirst();
        assertEquals(OptionalDouble.of(12.5), pool.dataPercent());
        assertEquals(OptionalDouble.of(3), pool.metadataPercent());
        assertEquals(2, pool.volumes());
        assertEquals(83886080, pool.promisedBytes());
        assertEquals(Optional.of("metadata_read_only"), pool.health());
        assertEquals(List.of(10.5), pool.history().stream().map(s -> s.dataPercent()).toList());
    }

    @Test
    void theHealthOfAVolumeIsKnownByItsNameAndFindingsNameTheNode() {
        var reading = read(MACHINE);
        assertEquals("partial", reading.health().get("b"));
        assertEquals("ok", reading.health().get("a"));
        assertEquals("node n1, vg1/pool", reading.findings().getFirst().subject());
    }

    /** A node in other hands must not be able to prevent the page. */
    @Test
    void nonsenseIsLeftOut() {
        var reading =
                read(
                        """
                        {"volumeGroups": [{"physicalVolumes": [{"runs": [
                          {"start": -1, "length": 5}, {"start": 1, "length": 0}, {"start": 0.5},
                          {"start": 9223372036854775807, "length": 9}, {"length": 3}, {}]}],
                          "logicalVolumes": [{}, {"name": "p", "layout": ["thin", "pool"],
                          "dataPercent": 1e9, "metadataPercent": "x"}]}, {}], "history": [{}, 3]}
                        """);
        assertEquals(List.of(), reading.disks().getFirst().runs());
        assertEquals(OptionalDouble.of(100), reading.pools().getFirst().dataPercent());
        assertTrue(reading.pools().getFirst().metadataPercent().isEmpty());
    }
}
