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
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.finding.Finding;
import lvms.api.finding.Finding.Severity;
import lvms.lvm2.EngineStatus;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.VolumeGroup;
import lvms.lvm2.VolumeGroupReport;
import lvms.node.deviceclass.LvmdConfig;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** What is wrong is found, what is well is not, and only what needs a person counts. */
class FindingsTests {
    private static final Map<String, String> TUNED =
            Map.of(Machine.USE_AIO, "0", Machine.USE_DEVICES_FILE, "1", Machine.SCAN_LVS, "0");
    private static final Map<String, String> DEFAULTS =
            Map.of(
                    Machine.USE_AIO,
                    "1",
                    Machine.FILTER,
                    "[\"a|.*|\"]",
                    Machine.GLOBAL_FILTER,
                    "[ \"a|.*|\" ]",
                    Machine.USE_DEVICES_FILE,
                    "0");
    private static final EngineStatus WORKER =
            new EngineStatus(EngineStatus.Kind.WORKER, "works", "2.03.16(2)");

    private static Machine machine(
            List<VolumeGroupReport> groups, Map<String, String> settings, String lvmd) {
        return machine(WORKER, groups, settings, lvmd);
    }

    private static Machine machine(
            EngineStatus engine,
            List<VolumeGroupReport> groups,
            Map<String, String> settings,
            String lvmd) {
        return new Machine(
                engine,
                "this root's",
                Optional.empty(),
                groups,
                groups.stream().flatMap(g -> g.physicalVolumes().stream()).toList(),
                true,
                List.of(),
                settings,
                Map.of(Machine.THIN_CHECK, "0.9.0"),
                Optional.of(lvmd).filter(s -> !s.isEmpty()).map(s -> LvmdConfig.parse(s).read()));
    }

    private static VolumeGroupReport vg(LogicalVolume... volumes) {
        return group("vg", Set.of(), List.of(pv("/dev/sdb", "vg", 10 * GIB, GIB)), volumes);
    }

    private static List<Finding> of(VolumeGroupReport group) {
        return Findings.of(machine(List.of(group), TUNED, ""));
    }

    private static LogicalVolume pool(double data, double metadata) {
        var pool = lv("vg", "pool", "twi-aotz--", GIB);
        return withPercent(pool, OptionalDouble.of(data), OptionalDouble.of(metadata));
    }

    @Test
    void aHealthyMachineHasNothingToSay() {
        var healthy =
                vg(pool(50, 10), thin("vg", "one", "pool", GIB), lv("vg", "r", "-wi-ao----", GIB));
        assertEquals(List.of(), of(healthy));
    }

    @ParameterizedTest(name = "data {0} %, metadata {1} %")
    @CsvSource({
        "79.9, 10, ''",
        "80, 10, warning: the pool's data is 80.0 % full",
        "95, 10, error: the pool's data is 95.0 % full",
        "100, 10, error: the pool's data is 100.0 % full",
        "10, 81.25, warning: the pool's metadata is 81.3 % full",
        "10, 99, error: the pool's metadata is 99.0 % full",
    })
    void aPoolIsToldOfBeforeItIsFull(double data, double metadata, String expected) {
        var found = of(vg(pool(data, metadata)));
        assertEquals(
                expected,
                found.isEmpty()
                        ? ""
                        : found.getFirst().severity().text() + ": " + found.getFirst().text());
        found.forEach(f -> assertEquals("vg/pool", f.subject()));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "twi-cotzM-, ERROR, thin pool metadata is read only",
        "twi-aotzD-, ERROR, thin pool is out of data space",
        "Vwi-aotzF-, ERROR, the underlying thin pool failed",
        "-wi-a---p-, ERROR, partial",
        "rwi-a-r-r-, WARNING, RAID refresh needed",
        "rwi-a-r-m-, WARNING, RAID mismatches exist",
        "rwi-a-r-w-, NOTE, RAID device is write-mostly",
        "swi-I-s---, ERROR, invalid snapshot",
    })
    void theHealthOfAVolumeIsJudged(String attributes, Severity severity, String text) {
        var found = of(vg(lv("vg", "x", attributes, GIB)));
        assertEquals(severity, found.getFirst().severity());
        assertTrue(found.getFirst().text().startsWith(text), found.toString());
    }

    @Test
    void aMissingDiskIsAnError() {
        var broken =
                group(
                        "vg",
                        Set.of(),
                        List.of(pv("/dev/sdb", "vg", 10 * GIB, GIB), missingPv("vg")));
        var found = of(broken).getFirst();
        assertEquals(Severity.ERROR, found.severity());
        assertEquals("physical volume uuid-of-[unknown] is missing", found.text());
    }

    @Test
    void defaultsOfLvmAreNotesAndNobodyHasToAct() {
        var diagnosis = Diagnosis.of(machine(List.of(), DEFAULTS, ""));
        assertEquals(
                List.of(Severity.NOTE),
                diagnosis.findings().stream().map(Finding::severity).toList());
        assertFalse(diagnosis.urgent());
        var settings = Map.of(Machine.GLOBAL_FILTER, "[\"a|^/dev/sdb$|\",\"r|.*|\"]");
        assertEquals(List.of(), Findings.of(machine(List.of(), settings, "")));
    }

    private static String texts(EngineStatus engine, Map<String, String> settings) {
        return Findings.of(machine(engine, List.of(), settings, "")).toString();
    }

    @Test
    void useAioIsToldOfOnlyWhereItCosts() {
        assertFalse(texts(WORKER, DEFAULTS).contains("use_aio"), "workers do without");
        var why = Optional.of("fsopen: Operation not permitted");
        var slow = new EngineStatus(EngineStatus.Kind.WORKER, "works", "2.03.16(2)", 0, why);
        var told = texts(slow, DEFAULTS);
        assertTrue(told.contains("use_aio=1") && told.contains(why.get()), told);
        var exec = new EngineStatus(EngineStatus.Kind.EXEC, "asked for", "2.03.16(2)");
        assertTrue(texts(exec, DEFAULTS).contains("use_aio=1"));
        assertFalse(texts(exec, TUNED).contains("use_aio"), "the machine does without");
    }

    @Test
    void groupsInsideOfVolumesMustNotBeSeen() {
        var settings = Map.of(Machine.USE_DEVICES_FILE, "1", Machine.SCAN_LVS, "1");
        assertTrue(Diagnosis.of(machine(List.of(), settings, "")).urgent());
    }

    @Test
    void aSuspendedDeviceIsToldOfOnce() {
        var base = machine(List.of(vg(lv("vg", "x", "-wi-s-----", GIB))), TUNED, "");
        var found =
                Findings.of(
                        new Machine(
                                WORKER,
                                "",
                                Optional.empty(),
                                base.groups(),
                                base.physicalVolumes(),
                                true,
                                List.of("vg-x"),
                                TUNED,
                                Map.of(),
                                Optional.empty()));
        assertEquals(List.of("vg-x"), found.stream().map(Finding::subject).toList());
        assertEquals(Severity.ERROR, found.getFirst().severity());
    }

    @Test
    void aWatchdogThatWouldDieWithItsAgentIsToldOf() {
        var base = machine(List.of(), TUNED, "");
        var found =
                Findings.of(
                        new Machine(
                                WORKER,
                                "",
                                Optional.of("Read-only file system"),
                                base.groups(),
                                base.physicalVolumes(),
                                true,
                                List.of(),
                                TUNED,
                                Map.of(),
                                Optional.empty()));
        assertEquals(List.of("watchdog"), found.stream().map(Finding::subject).toList());
        assertEquals(Severity.WARNING, found.getFirst().severity());
        assertTrue(found.getFirst().text().endsWith(": Read-only file system"));
    }

    @Test
    void withoutADeviceMapperThatIsAllThereIsToSay() {
        var base = machine(List.of(vg(lv("vg", "x", "-wi-XX----", GIB))), TUNED, "");
        var found =
                Findings.of(
                        new Machine(
                                WORKER,
                                "",
                                Optional.empty(),
                                base.groups(),
                                base.physicalVolumes(),
                                false,
                                List.of(),
                                TUNED,
                                Map.of(),
                                Optional.empty()));
        assertEquals(List.of("kernel"), found.stream().map(Finding::subject).toList());
    }

    @Test
    @Safety(17)
    void whatShowsTheTenantBeforeIsFound() {
        var lvmd =
                """
                device-classes:
                - {name: shows, volume-group: vg, spare-gb: 1}
                - {name: erases, volume-group: vg2, erase-on-removal: zero}
                """;
        var other = vg(lv("vg2", "pool", "twi-aot---", GIB));
        var found = Findings.of(machine(List.of(vg(), other), TUNED, lvmd));
        assertTrue(
                found.stream()
                        .anyMatch(
                                f ->
                                        f.severity() == Severity.WARNING
                                                && f.subject().equals("device class shows")
                                                && f.text().contains("raw device")
                                                && f.cure()
                                                        .equals(
                                                                "set zero-volumes to block in"
                                                                        + " lvmd.yaml")),
                found::toString);
        assertTrue(
                found.stream()
                        .anyMatch(
                                f ->
                                        f.severity() == Severity.ERROR
                                                && f.subject().equals("vg2/pool")
                                                && f.cure().equals("lvchange -Zy vg2/pool")),
                found::toString);
        assertTrue(
                found.stream()
                        .filter(f -> f.subject().equals("device class erases"))
                        .noneMatch(f -> f.text().contains("raw device")),
                found::toString);
    }

    @Test
    void deviceClassesAreComparedWithTheMachine() {
        var lvmd =
                """
                device-classes:
                - {name: a, volume-group: vg, zero-volumes: block}
                - {name: b, volume-group: gone}
                - {name: c, volume-group: vg, type: thin,
                   thin-pool: {name: none, overprovision-ratio: 1}}
                - {name: d, volume-group: vg, type: fat}
                """;
        var found = Findings.of(machine(List.of(vg()), TUNED, lvmd));
        assertEquals(
                List.of("lvmd.yaml", "device class b", "device class c"),
                found.stream().map(Finding::subject).toList());
    }

    @Test
    void theWorstComesFirst() {
        var found = Findings.of(machine(List.of(vg(pool(85, 97))), DEFAULTS, ""));
        assertEquals(
                List.of(Severity.ERROR, Severity.WARNING, Severity.NOTE),
                found.stream().map(Finding::severity).toList());
    }

    /** LVM writes the new metadata beside the old, so half an area is all there is. */
    @ParameterizedTest(name = "{0} KiB free of 512")
    @CsvSource({"511, ''", "110, ''", "100, WARNING", "20, ERROR", "0, ERROR"})
    void theMetadataAreaOfAGroupIsJudgedByHalfOfIt(long freeKib, String severity) {
        var group = vg().group();
        var area =
                new VolumeGroup(
                        group.name(),
                        group.uuid(),
                        group.sizeBytes(),
                        group.freeBytes(),
                        group.extentSizeBytes(),
                        1,
                        0,
                        0,
                        0,
                        1 << 20,
                        freeKib << 10,
                        group.lockType(),
                        group.systemId(),
                        true,
                        true,
                        false,
                        false,
                        group.allocation(),
                        Set.of());
        var found = of(new VolumeGroupReport(area, List.of(), List.of(), List.of(), List.of()));
        assertEquals(severity, found.stream().map(f -> f.severity().name()).findFirst().orElse(""));
    }

    @Test
    void jsonHasTheSameFindings() {
        var diagnosis = Diagnosis.of(machine(List.of(vg(pool(85, 1))), TUNED, ""));
        var finding = diagnosis.json().list("findings").at(0).asObject();
        assertEquals("warning", finding.at("severity").asText());
        assertEquals("vg/pool", finding.at("subject").asText());
    }
}
