package lvms.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonParser;

import lvms.k8s.object.KubeObject;
import lvms.k8s.testkit.json.JsonPath;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** {@code kubectl get} shows what an administrator looks for; like a server, the first match. */
class PrinterColumnTests {
    private static final Path CRDS = Path.of("deploy/base/crds");

    /** The cells by column; a path that leads nowhere gives no cell. */
    private static Map<String, String> row(String file, String object) throws Exception {
        return row(CRDS.resolve(file), object);
    }

    private static Map<String, String> row(Path file, String object) throws Exception {
        var crd = KubeObject.of(Yaml.read(Files.readString(file)).asObject());
        var json = JsonParser.parseString(Yaml.read(object).asObject().toString());
        var row = new LinkedHashMap<String, String>();
        for (ObjectTree column :
                crd.objects("spec", "versions").getFirst().objects("additionalPrinterColumns")) {
            JsonPath.find(json, column.text("jsonPath").orElseThrow()).stream()
                    .findFirst()
                    .ifPresent(v -> row.put(column.text("name").orElseThrow(), v.getAsString()));
        }
        return row;
    }

    @Test
    void aVolumeSaysWhereItIsHowLargeAndForWhom() throws Exception {
        var volume =
                """
                metadata:
                  creationTimestamp: "2026-01-02T03:04:05Z"
                  deletionTimestamp: "2026-01-03T03:04:05Z"
                  annotations: {topolvm.io/claim: default/data}
                spec: {name: pvc-1, nodeName: n1, deviceClass: ssd, size: 1Gi, source: pvc-0}
                status: {volumeID: uid-1, currentSize: 2Gi, code: 8, message: no room}
                """;
        assertEquals(
                Map.of(
                        "Node", "n1",
                        "Class", "ssd",
                        "Size", "1Gi",
                        "Current", "2Gi",
                        "Claim", "default/data",
                        "Deleting", "2026-01-03T03:04:05Z",
                        "Failure", "no room",
                        "Age", "2026-01-02T03:04:05Z",
                        "Volume", "uid-1",
                        "Source", "pvc-0"),
                row("topolvm.io_logicalvolumes.yaml", volume));
    }

    @Test
    void aVolumeGroupSaysWhatItIsMadeAs() throws Exception {
        var group =
                """
                metadata: {creationTimestamp: "2026-01-02T03:04:05Z"}
                spec:
                  default: true
                  deviceDiscoveryPolicy: Static
                  thinPoolConfig: {name: pool, overprovisionRatio: 10}
                """;
        assertEquals(
                Map.of(
                        "Pool", "pool",
                        "Ratio", "10",
                        "Discovery", "Static",
                        "Default", "true",
                        "Age", "2026-01-02T03:04:05Z"),
                row("lvm.topolvm.io_lvmvolumegroups.yaml", group));
        assertEquals(
                Map.of("RAID", "raid1"),
                row("lvm.topolvm.io_lvmvolumegroups.yaml", "spec: {raidConfig: {type: raid1}}"));
    }

    @Test
    void aNodeNamesTheGroupThatIsWrong() throws Exception {
        var status =
                """
                spec:
                  nodeStatus:
                    - {name: a, status: Ready}
                    - {name: b, status: Degraded, reason: a disk is missing}
                    - {name: c, status: Failed, reason: no disk}
                    - {name: d, status: Progressing, unclaimedVolumes: [{name: uid-9, size: 1Gi}]}
                """;
        assertEquals(
                Map.of(
                        "Failed", "c",
                        "Degraded", "b",
                        "Progressing", "d",
                        "Reason", "a disk is missing",
                        "Unclaimed", "uid-9"),
                row("lvm.topolvm.io_lvmvolumegroupnodestatuses.yaml", status));
    }

    @Test
    void aClusterSaysItsStateAndWhatDoesNotHold() throws Exception {
        var cluster =
                """
                status:
                  state: Degraded
                  conditions:
                    - {type: ResourcesAvailable, status: "True", reason: R, message: fine}
                    - {type: VolumeGroupsReady, status: "False", reason: V, message: a disk is lost}
                """;
        assertEquals(
                Map.of("Status", "Degraded", "Reason", "V", "Message", "a disk is lost"),
                row("lvm.topolvm.io_lvmclusters.yaml", cluster));
    }

    @Test
    void aTopolvmClusterSaysHowManyNodesAreReadyAndWhatIsWrong() throws Exception {
        var cluster =
                """
                metadata:
                  creationTimestamp: "2026-01-02T03:04:05Z"
                status:
                  phase: Ready
                  nodesReady: 2/3
                  conditions:
                    - {type: ResourcesAvailable, status: "True", reason: R, message: all there}
                    - {type: VolumeGroupsReady, status: "False", reason: V, message: n3 is late}
                """;
        assertEquals(
                Map.of(
                        "Phase", "Ready",
                        "Nodes", "2/3",
                        "Reason", "V",
                        "Message", "n3 is late",
                        "Age", "2026-01-02T03:04:05Z"),
                row(
                        Path.of("deploy/nativestor/crds/topolvm.cybozu.com_topolvmclusters.yaml"),
                        cluster));
    }

    @Test
    void aRawDeviceSaysWhereItIsAndWhoHasIt() throws Exception {
        var device =
                """
                metadata:
                  creationTimestamp: "2026-01-02T03:04:05Z"
                  annotations: {lvms.topolvm.io/volume: pvc-1}
                spec:
                  nodeName: n1
                  size: 4294967296
                  type: disk
                  realPath: /dev/sdb
                  available: false
                  reason: /dev/sdb is in use
                """;
        assertEquals(
                Map.of(
                        "Node", "n1",
                        "Path", "/dev/sdb",
                        "Type", "disk",
                        "Size", "4294967296",
                        "Available", "false",
                        "Volume", "pvc-1",
                        "Reason", "/dev/sdb is in use",
                        "Age", "2026-01-02T03:04:05Z"),
                row(
                        Path.of("deploy/nativestor/crds/nativestor.alauda.io_rawdevices.yaml"),
                        device));
    }
}
