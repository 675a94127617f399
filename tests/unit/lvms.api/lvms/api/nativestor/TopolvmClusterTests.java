package lvms.api.nativestor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A TopolvmCluster is read as users of NativeStor wrote it, and written in its words. */
class TopolvmClusterTests {
    private static TopolvmCluster cluster(String yaml) {
        return TopolvmCluster.of(KubeObject.of(Yaml.read(yaml).asObject()));
    }

    /** The shape of NativeStor's documented samples: no {@code cleanup}, both lists. */
    @Test
    void readsASampleWithBothLists() {
        var spec =
                cluster(
                                """
                                spec:
                                  topolvmVersion: quay.io/topolvm/topolvm-with-sidecar:0.10
                                  storage:
                                    useAllNodes: false
                                    useAllDevices: false
                                    useLoop: true
                                    volumeGroupName: hdd
                                    className: hdd
                                    devices:
                                      - {name: /dev/sdb, type: disk}
                                      - {name: l1, type: loop, auto: true, path: /data, size: 100}
                                    deviceClasses:
                                      - nodeName: n1
                                        classes:
                                          - className: fast
                                            volumeGroup: data
                                            default: true
                                            spareGb: 5
                                            stripe: 2
                                            stripeSize: 64k
                                            devices:
                                              - {name: /dev/sdc, type: disk}
                                """)
                        .spec();
        assertFalse(spec.cleanup());
        var disk = new ListedDevice("/dev/sdb", "disk", false, "", OptionalInt.empty());
        var loop = new ListedDevice("l1", "loop", true, "/data", OptionalInt.of(100));
        assertEquals(Optional.of(List.of(disk, loop)), spec.storage().devices());
        var fast =
                new ListedClass(
                        "fast",
                        "data",
                        List.of(
                                new ListedDevice(
                                        "/dev/sdc", "disk", false, "", OptionalInt.empty())),
                        true,
                        OptionalInt.of(5),
                        OptionalInt.of(2),
                        "64k",
                        Optional.empty());
        assertEquals(
                Optional.of(List.of(new NodeClasses("n1", List.of(fast)))),
                spec.storage().deviceClasses());
    }

    /** NativeStor only planned it: the field is that of an LVMCluster, and absent means absent. */
    @Test
    void aRaidLayoutIsReadAndWrittenAndNoneIsMadeUp() {
        var raid = "raidConfig: {type: raid5, stripes: 2, stripeSize: 64Ki}";
        var listed =
                "deviceClasses: [{nodeName: n1, classes: [{className: c, volumeGroup: v, devices:"
                        + " []%s}]}]";
        var bare = "useAllNodes: false, useAllDevices: false, useLoop: false, ";
        for (var yaml :
                List.of(
                        bare + raid + ", devices: []",
                        bare + listed.formatted(", " + raid),
                        bare + listed.formatted(""))) {
            var storage = Yaml.read("{" + yaml + "}").asObject();
            assertEquals(storage, ClusterStorage.of(storage).json());
        }
    }

    @Test
    void anEmptyListIsNotTheSameAsNone() {
        var none = cluster("spec: {storage: {useAllNodes: true}}").spec().storage();
        assertEquals(Optional.empty(), none.devices());
        assertEquals(Optional.empty(), none.deviceClasses());
        var empty = cluster("spec: {storage: {devices: [], deviceClasses: []}}").spec().storage();
        assertEquals(Optional.of(List.of()), empty.devices());
        assertEquals(Optional.of(List.of()), empty.deviceClasses());
        assertEquals(empty, ClusterStorage.of(empty.json()));
    }

    /** NativeStor wrote null for lists without elements, and an empty phase at first. */
    @Test
    void readsAStatusOfNativeStor() {
        var status =
                cluster(
                                """
                                status:
                                  phase: Ready
                                  nodeStorageState:
                                    - node: n1
                                      phase: ""
                                      failClasses: null
                                      successClasses:
                                        - className: fast
                                          vgName: data
                                          state: Ready
                                          message: create successful
                                          deviceStates: [{name: /dev/sdb, state: Online}]
                                      loops: null
                                """)
                        .status();
        var device = new ClassState.DeviceState("/dev/sdb", ClassState.DeviceState.ONLINE, "");
        var fast =
                new ClassState(
                        "fast", "data", ClassState.READY, "create successful", List.of(device));
        assertEquals(Optional.of(Phase.READY), status.phase());
        assertEquals(
                List.of(
                        new NodeStorageState(
                                "n1", Optional.empty(), List.of(), List.of(fast), List.of())),
                status.nodes());
    }

    @Test
    void withoutNodesTheirListIsEmptyAndThere() {
        assertEquals(
                Yaml.read("{nodeStorageState: [], conditions: []}"),
                TopolvmClusterStatus.of(ObjectTree.EMPTY).json());
    }

    @Test
    void hasTheNamesOfNativeStor() {
        assertEquals("topolvmclusters.topolvm.cybozu.com", TopolvmCluster.TYPE.qualifiedPlural());
        assertEquals("topolvmcluster.topolvm.cybozu.com", TopolvmCluster.FINALIZER);
        assertEquals(
                List.of("Ready", "Failure", "Unknown", "Pending"),
                List.of(Phase.values()).stream().map(Phase::text).toList());
    }
}
