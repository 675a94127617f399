package lvms.api.nativestor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.nativestor.RawDevice.Spec;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Objects that NativeStor made are read as they are, and ours look like them. */
class RawDeviceTests {
    private static final String OLD =
            """
            {"apiVersion": "nativestor.alauda.io/v1", "kind": "RawDevice",
             "metadata": {"name": "a5b5326339f1c4aedc2842b1eb63dbc7", "labels": {"node": "node1"}},
             "spec": {"nodeName": "node1", "size": 10737418240, "type": "disk",
                      "realPath": "/dev/sdb", "major": 8, "minor": 16, "uuid": "",
                      "available": true},
             "status": {"name": "a5b5326339f1c4aedc2842b1eb63dbc7"}}
            """;

    private static KubeObject old() {
        return KubeObject.of(Json.parse(OLD).asObject());
    }

    @Test
    void theNameIsHalfTheHashOfNodeAndPath() {
        assertEquals("a5b5326339f1c4aedc2842b1eb63dbc7", RawDevice.nameOf("node1", "/dev/sdb"));
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource({
        "rook-ceph-osd-prepare-, k8s-worker-500.this.is.a.not.so.long.name,"
                + " rook-ceph-osd-prepare-k8s-worker-500.this.is.a.not.so.long.name",
        "rook-ceph-osd-prepare-, k8s-worker-5000.this.is.a.not.so.long.name,"
                + " rook-ceph-osd-prepare-5d6384fcd20d03fa7e4c6143c038b354",
        "'', k8s-worker-1234567890.this.is.a.very.very.long.node.name.example.com,"
                + " 801a3ba95fe6ce6a3bd879552ca2a8b0",
        "topolvm-node-, n1, topolvm-node-n1",
        "lvmdconfig-, k8s-worker-1234567890.this.is.a.very.very.long.node.name.example.com,"
                + " lvmdconfig-801a3ba95fe6ce6a3bd879552ca2a8b0"
    })
    void aNodeWhoseNameHasNoRoomIsHashed(String prefix, String node, String name) {
        assertEquals(name, NodeObjects.name(prefix, node));
    }

    @Test
    void anObjectOfNativeStorIsRead() {
        var device = RawDevice.of(old());
        assertEquals(
                new Spec("node1", 10L << 30, "disk", "/dev/sdb", 8, 16, "", true, ""),
                device.spec());
        assertTrue(device.allocated());
        assertFalse(device.free());
        assertEquals(Map.of(), device.identity());
        assertTrue(RawDevice.of(old().with("", "status", "name")).free());
    }

    @Test
    void aNewObjectHasTheSameFields() {
        var made =
                RawDevice.create(
                        "a5b5326339f1c4aedc2842b1eb63dbc7", RawDevice.of(old()).spec(), Map.of());
        assertEquals(old().without("status"), made);
    }

    @Test
    void theIdentityIsKeptInItsOrder() {
        var marks = new LinkedHashMap<String, String>();
        marks.put("WWN", "naa.5000c500a1b2c3d4");
        marks.put("SERIAL", "MODEL X=1 S/N 7");
        var made = RawDevice.create("x", RawDevice.of(old()).spec(), marks);
        assertEquals(
                List.copyOf(marks.entrySet()),
                List.copyOf(RawDevice.of(made).identity().entrySet()));
    }

    @Test
    void aDeviceThatSomebodyWantsIsNotFree() {
        var device = old().with("", "status", "name");
        var wanted =
                RawDevice.of(device.with("pvc-1", "metadata", "annotations", RawDevice.VOLUME));
        assertFalse(wanted.free());
        assertEquals(Optional.of("pvc-1"), wanted.volume());
    }

    @Test
    void whatIsMissingIsEmpty() {
        var bare = RawDevice.of(KubeObject.create(RawDevice.TYPE, old().key()));
        assertFalse(bare.free());
        assertEquals("", bare.spec().nodeName());
        assertEquals("", bare.volumeId());
    }
}
