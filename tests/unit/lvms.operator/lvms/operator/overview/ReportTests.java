package lvms.operator.overview;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.tree.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;

/** The tables have what people look for, and programs get bytes and seconds. */
class ReportTests {
    private final Scene scene =
            Scene.working()
                    .with(
                            """
                            kind: LVMVolumeGroup
                            metadata: {name: ssd, namespace: lvms-system}
                            spec: {thinPoolConfig: {name: pool, overprovisionRatio: 10}}
                            """)
                    .volume("pvc-1", "n1", "{volumeID: v1, currentSize: 1Gi}")
                    .persistentVolume("pvc-1", "v1", "Bound", "data")
                    .volume("pvc-2", "n1", "{volumeID: v2, currentSize: 1Gi}")
                    .persistentVolume("pvc-2", "v2", "Released", "old")
                    .volume("pvc-3", "n1", "{volumeID: v3, currentSize: 1Gi}");

    private static Section named(List<Section> sections, String name) {
        return sections.stream().filter(s -> s.name().equals(name)).findFirst().orElseThrow();
    }

    private static List<String> texts(Section section, int row) {
        return section.rows().get(row).stream().map(Cell::text).toList();
    }

    @Test
    void aClassShowsItsPoolItsPromisesAndItsRoom() {
        var classes = named(StatusReport.of(scene.overview()), "classes");
        assertEquals(
                List.of(
                        "NODE",
                        "DEVICE CLASS",
                        "STATE",
                        "KIND",
                        "POOL",
                        "DISKS",
                        "VOLUMES",
                        "PROMISED",
                        "FREE",
                        "UNCLAIMED",
                        "REASON"),
                classes.heads());
        assertEquals(
                List.of("n1", "ssd", "Ready", "thin", "pool", "1", "3", "3GiB", "1GiB", "0", "-"),
                texts(classes, 0));
        assertEquals(
                Json.parse(
                        """
                        [{"node": "n1", "deviceClass": "ssd", "state": "Ready", "kind": "thin",
                          "pool": "pool", "disks": 1, "volumes": 3, "promisedBytes": 3221225472,
                          "freeBytes": 1073741824, "unclaimed": 0}]
                        """),
                classes.json());
    }

    /** Volumes and room are those of the class, which the object's name does not say. */
    @Test
    void aClassWithANameOfItsOwnShowsItsVolumes() {
        scene.without("LVMVolumeGroupNodeStatus", "n1")
                .group(
                        "n1",
                        "{name: n1-x, deviceClassName: ssd, volumeGroupName: data,"
                                + " status: Ready, devices: [/dev/sdb]}");
        var report = StatusReport.of(scene.overview());
        var classes = named(report, "classes");
        assertEquals(1, classes.rows().size());
        assertEquals(
                List.of("n1", "ssd", "Ready", "thick", "-", "1", "3", "3GiB", "1GiB", "0", "-"),
                texts(classes, 0));
        assertEquals("ssd", texts(named(report, "disks"), 0).get(4));
    }

    @Test
    void aNodeShowsItsAgentAndItsRegistration() {
        assertEquals(
                List.of("n1", "yes", "yes", "ready", "-", "yes", "1 of 1 ready"),
                texts(named(StatusReport.of(scene.overview()), "nodes"), 0));
    }

    /** As an agent of a release, of a changed tree, and of no image signs. */
    @ParameterizedTest
    @CsvSource({
        "1.2.0+0123456789abcdef0123456789abcdef01234567, 1.2.0+0123456789ab",
        "1.2.0+0123456789ab, 1.2.0+0123456789ab",
        "development, development"
    })
    void aNodeShowsWhichBuildItsAgentIs(String signed, String shown) {
        scene.without("LVMVolumeGroupNodeStatus", "n1")
                .with(
                        """
                        kind: LVMVolumeGroupNodeStatus
                        metadata:
                          name: n1
                          namespace: lvms-system
                          annotations: {lvms.topolvm.io/build: "%s"}
                        spec: {}
                        """
                                .formatted(signed));
        var nodes = named(StatusReport.of(scene.overview()), "nodes");
        assertEquals(List.of("n1", "yes", "yes", "ready", shown, "yes", "-"), texts(nodes, 0));
        assertEquals(signed, nodes.json().asList().at(0).asObject().at("build").asText());
    }

    @Test
    void disksShowWhyTheyAreNotUsed() {
        scene.without("LVMVolumeGroupNodeStatus", "n1")
                .group(
                        "n1",
                        "{name: ssd, devices: [/dev/sdb], excluded: [{name: /dev/sdc, reasons: [it"
                                + " is mounted]}]}],"
                                + " disks: [{name: /dev/sdc, sizeBytes: 1024, content: xfs}");
        var disks = named(StatusReport.of(scene.overview()), "disks");
        assertEquals(List.of("n1", "/dev/sdb", "-", "-", "ssd", "yes", "-"), texts(disks, 0));
        assertEquals(
                List.of("n1", "/dev/sdc", "1KiB", "xfs", "ssd", "no", "it is mounted"),
                texts(disks, 1));
    }

    @Test
    void volumesShowTheirClaimRetainedOnesTheirLastAndItsAge() {
        var report = VolumeReport.of(scene.overview());
        assertEquals(
                List.of("pvc-1", "n1", "ssd", "1GiB", "1GiB", "default/data", "ready", "60m", "-"),
                texts(named(report, "volumes"), 0));
        assertEquals(
                List.of("pvc-2", "Released", "n1", "ssd", "1GiB", "default/old", "3h"),
                texts(named(report, "retained"), 0));
        assertEquals(1, named(report, "retained").rows().size());
        assertEquals(
                List.of("pvc-3", "n1", "ssd", "1GiB", "60m"), texts(named(report, "orphans"), 0));
        assertEquals(1, named(report, "orphans").rows().size());
    }

    /** What somebody holds is no orphan, whoever serves the driver: an orphan gets deleted. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPersistentVolumeOfTheOldDriverHoldsItsLogicalVolume(boolean registered) {
        scene.persistentVolume("pvc-3", "v3", "Released", "third", "topolvm.cybozu.com");
        if (registered) {
            scene.oldDriver("topolvm.io");
        }
        var report = VolumeReport.of(scene.overview());
        assertEquals(List.of(), named(report, "orphans").rows());
        assertEquals("default/third", texts(named(report, "volumes"), 2).get(5));
        assertEquals(registered ? 2 : 1, named(report, "retained").rows().size());
    }

    /** A copy of an object names the same volume. */
    @Test
    void aRetainedVolumeShowsTheObjectWhoseUidItIs() {
        scene.volume("copy", "n9", "{volumeID: pvc-9-uid, currentSize: 1Gi}")
                .volume("pvc-9", "n1", "{volumeID: pvc-9-uid, currentSize: 1Gi}")
                .persistentVolume("pvc-9", "pvc-9-uid", "Released", "old");
        var retained = named(VolumeReport.of(scene.overview()), "retained");
        assertEquals("n1", texts(retained, 1).get(2));
    }

    /** The binder has not looked at it yet, and --delete would refuse it. */
    @Test
    void aPersistentVolumeWithoutAPhaseIsNotRetained() {
        scene.with(
                """
                kind: PersistentVolume
                metadata: {name: pvc-3}
                spec: {csi: {driver: topolvm.io, volumeHandle: v3}}
                """);
        assertEquals(1, named(VolumeReport.of(scene.overview()), "retained").rows().size());
    }

    /** Groups that people made have no status, and the Node's annotations tell of them. */
    @Test
    void aReleaseOfTopolvmShowsItsProgramsAndTheClassesOfItsNodes() {
        var sections =
                StatusReport.of(
                        Scene.topolvm()
                                .volume("pvc-1", "n1", "{volumeID: v1, currentSize: 1Gi}")
                                .overview());
        assertEquals(
                List.of("n1", "ssd", "-", "-", "-", "-", "1", "1GiB", "1GiB", "-", "-"),
                texts(named(sections, "classes"), 0));
        assertEquals(
                List.of("topolvm-controller", "n1", "topolvm-controller-0", "yes", "0", "lvms:1"),
                texts(named(sections, "programs"), 0).subList(0, 6));
        assertEquals(
                List.of("n1", "yes", "yes", "ready", "-", "yes", "-"),
                texts(named(sections, "nodes"), 0));
    }

    @ParameterizedTest
    @CsvSource({"0, 0s", "119, 119s", "120, 2m", "7199, 119m", "7200, 2h", "172800, 2d"})
    void agesHaveOneUnit(long seconds, String text) {
        assertEquals(text, Cell.age(Duration.ofSeconds(seconds)).text());
    }
}
